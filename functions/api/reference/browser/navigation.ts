// The list of operations next to the page. It opens on a phone, and follows the reader down the page.
import { findElement } from '../../docs-kit/browser/dom.ts';

export function activateNavigation(): void {
  enableContentsButton();
  highlightCurrentOperation();
}

const findContents = (): HTMLElement => findElement('#contents', HTMLElement);
const findContentsButton = (): HTMLElement => findElement('.contents-button', HTMLElement);

export function setContentsOpen(isOpen: boolean): void {
  findContentsButton().setAttribute('aria-expanded', String(isOpen));
  findContents().classList.toggle('open', isOpen);
}

function enableContentsButton(): void {
  const [button, contents] = [findContentsButton(), findContents()];
  button.addEventListener('click', () => setContentsOpen(button.getAttribute('aria-expanded') !== 'true'));
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) setContentsOpen(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !contents.classList.contains('open')) return;
    setContentsOpen(false);
    button.focus({ preventScroll: true });
  });
}

function highlightCurrentOperation(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.group-operations a')];
  const linksById = new Map(links.map((link) => [link.hash.slice(1), link]));
  let current: HTMLAnchorElement | undefined;
  const observer = new IntersectionObserver(
    (changes) => {
      const entered = changes.findLast((change) => change.isIntersecting);
      if (!entered) return;
      current?.removeAttribute('aria-current');
      current = linksById.get(entered.target.id);
      current?.setAttribute('aria-current', 'true');
      if (current) scrollContentsTo(current);
    },
    { rootMargin: '-15% 0px -75% 0px' },
  );
  for (const id of linksById.keys()) observer.observe(findElement(`#${CSS.escape(id)}`, HTMLElement));
}

function scrollContentsTo(link: HTMLAnchorElement): void {
  const contents = findContents();
  const bounds = contents.getBoundingClientRect();
  const { top, bottom } = link.getBoundingClientRect();
  if (top < bounds.top + 80) contents.scrollTop -= bounds.top + 80 - top;
  else if (bottom > bounds.bottom - 24) contents.scrollTop += bottom - bounds.bottom + 24;
}
