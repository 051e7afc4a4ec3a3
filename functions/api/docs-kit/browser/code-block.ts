// Code and JSON with a button that copies it.
import { type Child, createElement } from './dom.ts';

export function createCodeBlock(caption: Child, label: string, content: Child): HTMLElement {
  const code = createElement('code', {}, content);
  return createElement(
    'figure',
    { class: 'code-block' },
    createElement('figcaption', {}, createElement('span', {}, caption), createCopyButton(label, code)),
    createElement('pre', { tabindex: '0', role: 'group', 'aria-label': label }, code),
  );
}

export const createJsonBlock = (caption: Child, label: string, value: unknown): HTMLElement =>
  createCodeBlock(caption, label, highlightJson(JSON.stringify(value, undefined, 2)));

const maxHighlightedLength = 200_000;

export function highlightJson(text: string): Child[] {
  if (text.length > maxHighlightedLength) return [text];
  const nodes: Child[] = [];
  let end = 0;
  for (const match of text.matchAll(/("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g)) {
    const [token, string, colon] = match;
    const className = string === undefined ? 'json-value' : colon === undefined ? 'json-string' : 'json-key';
    nodes.push(text.slice(end, match.index), createElement('span', { class: className }, string ?? token), colon);
    end = match.index + token.length;
  }
  return [...nodes, text.slice(end)];
}

const copiedTextMs = 1600;

export function createCopyButton(label: string, source: Node): HTMLButtonElement {
  const button = createElement(
    'button',
    { type: 'button', class: 'copy-button', 'aria-label': `Copy: ${label}` },
    'Copy',
  );
  button.addEventListener('click', async () => {
    button.textContent = (await copyOrSelect(source)) ? 'Copied' : 'Selected';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, copiedTextMs);
  });
  return button;
}

/**
 * Browsers allow clipboard access on secure pages only. Elsewhere the text is selected, ready to be
 * copied.
 */
async function copyOrSelect(source: Node): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '');
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
}
