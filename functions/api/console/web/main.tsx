// Starts the console.
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/charts.css';
import './styles/person.css';
import './styles/aside.css';
import './styles/events.css';
import './styles/overview.css';
import './styles/webhooks.css';
import { render } from 'preact';
import { followAddress } from './address/address.ts';
import { Shell } from './shell.tsx';
import { loadSession } from './state/session.ts';

const reloadedKey = 'daybook-reloaded-for';

// After a deployment, a page that was open before asks for files that are gone: the page is loaded
// anew, once for each file.
addEventListener('vite:preloadError', (event) => {
  const missing = event.payload.message;
  if (sessionStorage.getItem(reloadedKey) === missing) return;
  sessionStorage.setItem(reloadedKey, missing);
  event.preventDefault();
  location.reload();
});

followAddress();
void loadSession();
const root = document.getElementById('console');
if (!root) throw new Error('the document has no element for the console');
render(<Shell />, root);
