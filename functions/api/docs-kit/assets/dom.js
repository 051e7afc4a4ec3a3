// Builds the page's nodes. Text from the document only ever becomes text nodes.

export function createElement(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (name === 'class') node.className = value;
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== ''));
  return node;
}

const svgNamespace = 'http://www.w3.org/2000/svg';

export function createSvgElement(tag, attributes = {}, ...children) {
  const node = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children.flat());
  return node;
}

/**
 * Renders paragraphs, `code` and links to pages of this service: all the Markdown that descriptions
 * use.
 */
export function renderParagraphs(text) {
  return (text ?? '')
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => createElement('p', {}, renderInline(paragraph)));
}

export function renderInline(text) {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/).map((part) => {
    if (/^`.+`$/.test(part)) return createElement('code', {}, part.slice(1, -1));
    const [, label, path] = part.match(/^\[(.+)\]\((\/[\w#-][\w/#-]*)\)$/) ?? [];
    return path === undefined ? part : createElement('a', { href: buildPageUrl(path) }, label);
  });
}

/**
 * Relative to the path that the documentation is served from. URLs of other hosts never get here.
 */
const buildPageUrl = (path) => location.href.replace(/(?<!\/)\/docs(?:[/?#].*)?$/, '') + path;

/**
 * Builds its content when it is first opened, so that a long document stays light and a recursive
 * schema terminates.
 */
export function createDisclosure(summary, buildContent, { isOpen = false, className = '' } = {}) {
  const details = createElement('details', { class: className }, createElement('summary', {}, summary));
  let isBuilt = false;
  const fillOnce = () => {
    if (isBuilt) return;
    isBuilt = true;
    details.append(...[buildContent()].flat());
  };
  if (isOpen) {
    fillOnce();
    details.open = true;
  }
  details.addEventListener('toggle', () => details.open && fillOnce());
  return details;
}

export function createCodeBlock(caption, label, content) {
  const code = createElement('code', {}, content);
  return createElement(
    'figure',
    { class: 'code-block' },
    createElement('figcaption', {}, createElement('span', {}, caption), createCopyButton(label, code)),
    createElement('pre', { tabindex: '0', role: 'group', 'aria-label': label }, code),
  );
}

export function createJsonBlock(caption, label, value) {
  return createCodeBlock(caption, label, highlightJson(JSON.stringify(value, undefined, 2)));
}

const maxHighlightedLength = 200_000;

export function highlightJson(text) {
  if (text.length > maxHighlightedLength) return [text];
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(/("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g)) {
    const [token, string, colon] = match;
    const className = string === undefined ? 'json-value' : colon === undefined ? 'json-string' : 'json-key';
    nodes.push(text.slice(end, match.index), createElement('span', { class: className }, string ?? token), colon ?? '');
    end = match.index + token.length;
  }
  return [...nodes, text.slice(end)].filter((node) => node !== '');
}

export function createCopyButton(label, source) {
  const button = createElement(
    'button',
    { type: 'button', class: 'copy-button', 'aria-label': `Copy: ${label}` },
    'Copy',
  );
  button.addEventListener('click', async () => {
    button.textContent = (await copyOrSelect(source)) ? 'Copied' : 'Selected';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1600);
  });
  return button;
}

/**
 * Browsers allow clipboard access on secure pages only. Elsewhere the text is selected, ready to be
 * copied.
 */
async function copyOrSelect(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(source);
    return false;
  }
}
