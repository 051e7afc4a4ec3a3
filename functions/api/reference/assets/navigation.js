// The list of operations, grouped by tag. It filters as the reader types and follows the reader
// down the page.
import { createElement } from './dom.js';
import { renderMethodBadge } from './operation.js';

export function renderNavigation(groups) {
  const entries = [];
  const lists = groups.map(({ name, operations }, index) => {
    const headingId = `contents-${index}`;
    const items = operations.map((operation) => {
      const link = createElement(
        'a',
        { href: `#${operation.id}` },
        renderMethodBadge(operation.method),
        ' ',
        operation.summary,
      );
      const item = createElement('li', {}, link);
      entries.push({ operation, link, item });
      return item;
    });
    return createElement(
      'div',
      { role: 'group', 'aria-labelledby': headingId },
      createElement('h2', { id: headingId }, name),
      createElement('ul', {}, items),
    );
  });
  document.querySelector('#groups').replaceChildren(...lists);
  enableFilter(entries, lists);
  enableContentsButton();
  highlightCurrentOperation(entries);
}

function enableFilter(entries, lists) {
  const filter = document.querySelector('#filter');
  const status = document.querySelector('.filter-status');
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { operation, item } of entries) {
      const text = `${operation.method} ${operation.path} ${operation.summary} ${operation.id} ${operation.tag}`;
      item.hidden = !words.every((word) => text.toLowerCase().includes(word));
    }
    for (const list of lists) list.hidden = !list.querySelector('li:not([hidden])');
    const matchCount = entries.filter(({ item }) => !item.hidden).length;
    status.textContent =
      words.length === 0 ? '' : matchCount === 0 ? 'Nothing matches.' : `${matchCount} of ${entries.length}`;
  });
  filter.addEventListener('keydown', (event) => {
    const first = entries.find(({ item }) => !item.hidden);
    if (event.key === 'Enter' && first) first.link.click();
  });
  document.addEventListener('keydown', (event) => {
    const focusedInput = document.activeElement?.closest('input, textarea, select');
    if (event.key !== '/' || focusedInput || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setContentsOpen(true);
    filter.focus();
  });
}

function setContentsOpen(isOpen) {
  document.querySelector('.contents-button').setAttribute('aria-expanded', String(isOpen));
  document.querySelector('#contents').classList.toggle('open', isOpen);
}

function enableContentsButton() {
  const button = document.querySelector('.contents-button');
  const contents = document.querySelector('#contents');
  button.addEventListener('click', () => setContentsOpen(button.getAttribute('aria-expanded') !== 'true'));
  contents.addEventListener('click', (event) => event.target.closest('a') && setContentsOpen(false));
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !contents.classList.contains('open')) return;
    setContentsOpen(false);
    button.focus({ preventScroll: true });
  });
}

function highlightCurrentOperation(entries) {
  const linksById = new Map(entries.map(({ operation, link }) => [operation.id, link]));
  let current;
  const observer = new IntersectionObserver(
    (changes) => {
      const entered = changes.findLast((change) => change.isIntersecting);
      if (!entered) return;
      current?.removeAttribute('aria-current');
      current = linksById.get(entered.target.id);
      current.setAttribute('aria-current', 'true');
      scrollContentsTo(current);
    },
    { rootMargin: '-15% 0px -75% 0px' },
  );
  for (const id of linksById.keys()) observer.observe(document.getElementById(id));
}

function scrollContentsTo(link) {
  const contents = document.querySelector('#contents');
  const bounds = contents.getBoundingClientRect();
  const { top, bottom } = link.getBoundingClientRect();
  if (top < bounds.top + 80) contents.scrollTop -= bounds.top + 80 - top;
  else if (bottom > bounds.bottom - 24) contents.scrollTop += bottom - bounds.bottom + 24;
}
