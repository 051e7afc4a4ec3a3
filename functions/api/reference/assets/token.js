// The bearer token: entered once, shared by every form, and gone when the tab is closed.
import { element } from './dom.js';

const storageKey = 'daybook.token';
const fields = new Set();
let token = remembered();

export function currentToken() {
  return token;
}

export function useToken(value) {
  token = value;
  remember(token);
  for (const each of fields) showToken(each);
}

export function tokenField(id) {
  const input = element('input', {
    id,
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'sk_sandbox_…',
    'aria-describedby': `${id}-note`,
  });
  const note = element('p', { id: `${id}-note`, class: 'field-note', role: 'status' });
  const field = { input, note };
  fields.add(field);
  showToken(field);
  input.addEventListener('input', () => {
    useToken(input.value.trim());
  });
  return element('div', { class: 'field' }, element('label', { for: id }, 'Bearer token'), input, note);
}

function showToken({ input, note }) {
  if (input.value.trim() !== token) input.value = token;
  const live = token.startsWith('sk_live_');
  note.classList.toggle('warning', live);
  note.textContent = live
    ? 'This is a live key: requests you send here read and change real data.'
    : 'Stored in this tab until you close it, and used by every form on this page.';
}

/**
 * If the browser blocks storage, the field still works; the token then lasts until the page is
 * closed.
 */
function remembered() {
  try {
    return sessionStorage.getItem(storageKey) ?? '';
  } catch {
    return '';
  }
}

function remember(value) {
  try {
    sessionStorage.setItem(storageKey, value);
  } catch (error) {
    console.warn('The token is only available on this page because the browser blocks storage.', error);
  }
}
