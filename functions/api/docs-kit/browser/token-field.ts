// The bearer token: entered once, shared by every form, and gone when the tab is closed.
import { createElement } from './dom.ts';
import { readFromTab, storeInTab } from './tab-storage.ts';

interface TokenField {
  input: HTMLInputElement;
  note: HTMLElement;
}

const storageKey = 'daybook.token';
const fields = new Set<TokenField>();
let token = readFromTab(storageKey) ?? '';

export const getToken = (): string => token;

export function setToken(value: string): void {
  token = value;
  storeInTab(storageKey, token);
  for (const field of fields) showTokenIn(field);
}

export const isSandboxKey = (value: string): boolean => value.startsWith('sk_sandbox_');
const isLiveKey = (value: string): boolean => value.startsWith('sk_live_');

/** A page that sends requests with a session holds no key. */
export function forgetApiKey(): void {
  if (isSandboxKey(token) || isLiveKey(token)) setToken('');
}

export const liveWarning = 'requests you send here read and change real data.';

export function renderTokenField(id: string): HTMLElement {
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
  fields.add(field);
  showTokenIn(field);
  input.addEventListener('input', () => setToken(input.value.trim()));
  return createElement('div', { class: 'field' }, createElement('label', { for: id }, 'Bearer token'), input, note);
}

function showTokenIn({ input, note }: TokenField): void {
  if (input.value.trim() !== token) input.value = token;
  note.classList.toggle('warning', isLiveKey(token));
  note.textContent = isLiveKey(token)
    ? `This is a live key: ${liveWarning}`
    : 'Stored in this tab until you close it, and used by every form on this page.';
}
