// Builds the page's nodes. Text from the document only ever becomes text nodes.

export function element(tag, properties = {}, ...children) {
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

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children.flat());
  return node;
}

/**
 * Renders paragraphs, `code` and links to pages of this service: all the Markdown that descriptions
 * use.
 */
export function prose(text) {
  return (text ?? '')
    .split(/\n{2,}/)
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => element('p', {}, inline(paragraph)));
}

export function inline(text) {
  return text.split(/(`[^`]+`|\[[^\]]+\]\([^)\s]+\))/).map((part) => {
    if (/^`.+`$/.test(part)) return element('code', {}, part.slice(1, -1));
    const [, label, path] = part.match(/^\[(.+)\]\((\/[\w#-][\w/#-]*)\)$/) ?? [];
    return path === undefined ? part : element('a', { href: pageAt(path) }, label);
  });
}

/**
 * Relative to the path that the documentation is served from. URLs of other hosts never get here.
 */
const pageAt = (path) => location.href.replace(/(?<!\/)\/docs(?:[/?#].*)?$/, '') + path;

/**
 * Builds its content when it is first opened, so that a long document stays light and a recursive
 * schema terminates.
 */
export function disclosure(summary, build, { open = false, className = '' } = {}) {
  const details = element('details', { class: className }, element('summary', {}, summary));
  let built = false;
  const fill = () => {
    if (built) return;
    built = true;
    details.append(...[build()].flat());
  };
  if (open) {
    fill();
    details.open = true;
  }
  details.addEventListener('toggle', () => details.open && fill());
  return details;
}

export function codeBlock(caption, label, content) {
  const code = element('code', {}, content);
  return element(
    'figure',
    { class: 'code' },
    element('figcaption', {}, element('span', {}, caption), copyButton(label, code)),
    element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, code),
  );
}

export function jsonBlock(caption, label, value) {
  return codeBlock(caption, label, coloredJson(JSON.stringify(value, undefined, 2)));
}

const longestColoredText = 200_000;

export function coloredJson(text) {
  if (text.length > longestColoredText) return [text];
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(/("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g)) {
    const [whole, string, colon] = match;
    const kind = string === undefined ? 'json-value' : colon === undefined ? 'json-string' : 'json-key';
    nodes.push(text.slice(end, match.index), element('span', { class: kind }, string ?? whole), colon ?? '');
    end = match.index + whole.length;
  }
  return [...nodes, text.slice(end)].filter((node) => node !== '');
}

export function copyButton(label, source) {
  const button = element('button', { type: 'button', class: 'copy', 'aria-label': `Copy: ${label}` }, 'Copy');
  button.addEventListener('click', async () => {
    button.textContent = (await copied(source)) ? 'Copied' : 'Selected';
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
async function copied(source) {
  try {
    await navigator.clipboard.writeText(source.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(source);
    return false;
  }
}
