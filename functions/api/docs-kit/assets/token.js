// The bearer token: entered once, shared by every form, and gone when the tab is closed.
import { createElement } from './dom.js';

const storageKey = 'daybook.token';
const tokenFields = new Set();
let token = readStoredToken();

export function getToken() {
  return token;
}

export function setToken(value) {
  token = value;
  storeToken(token);
  for (const field of tokenFields) showTokenIn(field);
}

export function renderTokenField(id) {
  const input = createElement('input', {
    id,
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'sk_sandbox_…',
    'aria-describedby': `${id}-note`,
  });
  const note = createElement('p', { id: `${id}-note`, class: 'field-note', role: 'status' });
  const field = { input, note };
  tokenFields.add(field);
  showTokenIn(field);
  input.addEventListener('input', () => {
    setToken(input.value.trim());
  });
  return createElement('div', { class: 'field' }, createElement('label', { for: id }, 'Bearer token'), input, note);
}

function showTokenIn({ input, note }) {
  if (input.value.trim() !== token) input.value = token;
  const isLive = token.startsWith('sk_live_');
  note.classList.toggle('warning', isLive);
  note.textContent = isLive
    ? 'This is a live key: requests you send here read and change real data.'
    : 'Stored in this tab until you close it, and used by every form on this page.';
}

/**
 * If the browser blocks storage, the field still works; the token then lasts until the page is
 * closed.
 */
function readStoredToken() {
  try {
    return sessionStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}

function storeToken(value) {
  try {
    sessionStorage.setItem(storageKey, value);
  } catch (error) {
    console.warn('The token is only available on this page because the browser blocks storage.', error);
  }
}
