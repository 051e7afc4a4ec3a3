// The list of operations, grouped by tag. It filters as the reader types and follows the reader
// down the page.
import { element } from './dom.js';
import { methodBadge } from './operation.js';

export function fillNavigation(groups) {
  const entries = [];
  const lists = groups.map(({ name, operations }, index) => {
    const heading = `contents-${index}`;
    const items = operations.map((operation) => {
      const link = element('a', { href: `#${operation.id}` }, methodBadge(operation.method), ' ', operation.summary);
      const item = element('li', {}, link);
      entries.push({ operation, link, item });
      return item;
    });
    return element(
      'section',
      { 'aria-labelledby': heading },
      element('h2', { id: heading }, name),
      element('ul', {}, items),
    );
  });
  document.querySelector('#groups').replaceChildren(...lists);
  filterBy(entries, lists);
  openOnPhones();
  followReader(entries);
}

function filterBy(entries, lists) {
  const filter = document.querySelector('#filter');
  const status = document.querySelector('.filter-status');
  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const { operation, item } of entries) {
      const text = `${operation.method} ${operation.path} ${operation.summary} ${operation.id} ${operation.tag}`;
      item.hidden = !words.every((word) => text.toLowerCase().includes(word));
    }
    for (const list of lists) list.hidden = !list.querySelector('li:not([hidden])');
    const found = entries.filter(({ item }) => !item.hidden).length;
    status.textContent = words.length === 0 ? '' : found === 0 ? 'Nothing matches.' : `${found} of ${entries.length}`;
  });
  filter.addEventListener('keydown', (event) => {
    const first = entries.find(({ item }) => !item.hidden);
    if (event.key === 'Enter' && first) first.link.click();
  });
  document.addEventListener('keydown', (event) => {
    const typing = document.activeElement?.closest('input, textarea, select');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setOpen(true);
    filter.focus();
  });
}

function setOpen(open) {
  document.querySelector('.contents-button').setAttribute('aria-expanded', String(open));
  document.querySelector('#contents').classList.toggle('open', open);
}

function openOnPhones() {
  const button = document.querySelector('.contents-button');
  const contents = document.querySelector('#contents');
  button.addEventListener('click', () => setOpen(button.getAttribute('aria-expanded') !== 'true'));
  contents.addEventListener('click', (event) => event.target.closest('a') && setOpen(false));
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !contents.classList.contains('open')) return;
    setOpen(false);
    button.focus({ preventScroll: true });
  });
}

function followReader(entries) {
  const linkOf = new Map(entries.map(({ operation, link }) => [operation.id, link]));
  let current;
  const observer = new IntersectionObserver(
    (changes) => {
      const entered = changes.findLast((change) => change.isIntersecting);
      if (!entered) return;
      current?.removeAttribute('aria-current');
      current = linkOf.get(entered.target.id);
      current.setAttribute('aria-current', 'true');
      keepInSight(current);
    },
    { rootMargin: '-15% 0px -75% 0px' },
  );
  for (const id of linkOf.keys()) observer.observe(document.getElementById(id));
}

function keepInSight(link) {
  const contents = document.querySelector('#contents');
  const frame = contents.getBoundingClientRect();
  const { top, bottom } = link.getBoundingClientRect();
  if (top < frame.top + 80) contents.scrollTop -= frame.top + 80 - top;
  else if (bottom > frame.bottom - 24) contents.scrollTop += bottom - frame.bottom + 24;
}
