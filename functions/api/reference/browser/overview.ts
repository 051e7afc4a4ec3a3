// The overview of the reference: its search, and addresses of operations that used to be on it.
import { startSearch } from './search-box.ts';

/** Without this script, the address leads to the operation's place in the list. */
function followOldAddress(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const link = id === '' ? null : document.getElementById(id)?.querySelector<HTMLAnchorElement>('a[data-operation]');
  if (link) location.replace(link.href);
}

startSearch();
followOldAddress();
window.addEventListener('hashchange', followOldAddress);
