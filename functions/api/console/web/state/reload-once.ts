// After a deployment, a page that was open before asks for files that are gone.

const reloadedKey = 'daybook-reloaded-for';

/**
 * Loads the document anew, once for each missing file, whose name is in the message. Returns false
 * if that was tried already.
 */
export function reloadOnce(error: unknown): boolean {
  const missing = error instanceof Error ? error.message : String(error);
  if (sessionStorage.getItem(reloadedKey) === missing) return false;
  sessionStorage.setItem(reloadedKey, missing);
  location.reload();
  return true;
}
