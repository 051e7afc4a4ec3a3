// The search of the reference. `/` focuses it, the arrow keys move through the results, and Escape
// clears it. The index is loaded when the reader begins to search.

import { readJson } from '../../docs-kit/browser/api-response.ts';
import { createElement } from '../../docs-kit/browser/dom.ts';
import { setContentsOpen } from './navigation.ts';
import { rankEntries } from './rank-entries.ts';
import type { SearchEntry, SearchIndex, SearchKind } from './search-entry.ts';

const kindNames: Readonly<Record<SearchKind, string>> = {
  call: 'Call',
  parameter: 'Parameter',
  field: 'Field',
  error: 'Error',
  event: 'Event',
  guide: 'Guide',
};

export function startSearch(): void {
  const box = document.querySelector<HTMLElement>('.search');
  const input = box?.querySelector('input');
  const list = box?.querySelector('ul');
  const status = box?.querySelector('p');
  if (box && input && list && status) activateSearch({ box, input, list, status });
}

interface SearchBox {
  box: HTMLElement;
  input: HTMLInputElement;
  list: HTMLUListElement;
  status: HTMLElement;
}

function activateSearch({ box, input, list, status }: SearchBox): void {
  const root = new URL(box.dataset['root'] ?? './', location.href);
  let loading: Promise<readonly SearchEntry[]> | undefined;
  const load = (): Promise<readonly SearchEntry[]> => {
    loading ??= loadEntries(new URL(box.dataset['index'] ?? '', root)).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  async function update(): Promise<void> {
    const query = input.value;
    if (query.trim() === '') return show([], '');
    try {
      const results = rankEntries(await load(), query);
      // The reader may have typed on while the index was loading.
      if (query !== input.value) return;
      show(results, results.length === 0 ? 'Nothing matches.' : `${results.length} results`);
    } catch (error) {
      console.error(error);
      show([], 'The index could not be loaded. Type again to retry.');
    }
  }

  function show(results: readonly SearchEntry[], text: string): void {
    status.textContent = text;
    list.replaceChildren(...results.map((entry) => renderResult(entry, root)));
    list.hidden = results.length === 0;
  }

  function moveFocus(step: number): void {
    const links = [...list.querySelectorAll('a')];
    const next = links.findIndex((link) => link === document.activeElement) + step;
    (links[Math.min(next, links.length - 1)] ?? input).focus();
  }

  box.hidden = false;
  input.addEventListener('focus', () => void load().catch(console.error), { once: true });
  input.addEventListener('input', () => void update());
  box.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') moveFocus(1);
    else if (event.key === 'ArrowUp') moveFocus(-1);
    else if (event.key === 'Escape' && input.value !== '') {
      input.value = '';
      void update();
      input.focus();
      event.stopPropagation();
    } else if (event.key === 'Enter' && event.target === input) list.querySelector('a')?.click();
    else return;
    event.preventDefault();
  });
  list.addEventListener('click', () => {
    input.value = '';
    void update();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.activeElement?.closest('input, textarea, select')) return;
    event.preventDefault();
    // On a phone, the search is in a panel that may be closed.
    if (box.closest('#contents')) setContentsOpen(true);
    input.focus();
  });
}

async function loadEntries(url: URL): Promise<readonly SearchEntry[]> {
  const { entries } = await readJson<SearchIndex>(await fetch(url, { headers: { Accept: 'application/json' } }));
  return entries;
}

const renderResult = ([kind, title, detail, address]: SearchEntry, root: URL): HTMLLIElement =>
  createElement(
    'li',
    {},
    createElement(
      'a',
      { href: new URL(address, root).href },
      createElement('span', { class: 'result-kind' }, kindNames[kind]),
      ' ',
      createElement('span', { class: 'result-title' }, title),
      ' ',
      createElement('span', { class: 'result-detail' }, detail),
    ),
  );
