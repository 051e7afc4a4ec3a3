// The list of operations beside the page. It opens on a phone, and follows the reader down the page.

export function activateNavigation() {
  enableContentsButton();
  highlightCurrentOperation();
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

function highlightCurrentOperation() {
  const links = [...document.querySelectorAll('.group-operations a')];
  const linksById = new Map(links.map((link) => [link.hash.slice(1), link]));
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
