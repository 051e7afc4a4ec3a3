// Shows a response: its status, duration, headers and body.
import { parseJson } from '../../docs-kit/browser/api-response.ts';
import { createCodeBlock, highlightJson } from '../../docs-kit/browser/code-block.ts';
import { createDisclosure, createElement } from '../../docs-kit/browser/dom.ts';

export function renderResponse(response: Response, text: string, durationMs: number): HTMLElement[] {
  const headers = [...response.headers];
  return [
    createElement(
      'p',
      { class: 'response-status' },
      renderStatusBadge(response.status),
      ` ${response.statusText} `,
      createElement('span', { class: 'muted' }, `${Math.round(durationMs)} ms · ${formatSize(text)}`),
    ),
    createDisclosure(`${headers.length} headers`, () => renderHeaderValues(headers), { className: 'nested' }),
    text === '' ? createElement('p', { class: 'muted' }, 'The body is empty.') : renderResponseBody(text),
  ];
}

export function renderStatusBadge(status: string | number): HTMLElement {
  return createElement('span', { class: `status status-${String(status).charAt(0)}` }, String(status));
}

function renderResponseBody(text: string): HTMLElement {
  const value = parseJson(text);
  return createCodeBlock(
    'Body',
    'Response body',
    value === undefined ? text : highlightJson(JSON.stringify(value, undefined, 2)),
  );
}

function renderHeaderValues(headers: readonly [name: string, value: string][]): HTMLElement {
  return createElement(
    'dl',
    { class: 'headers' },
    headers.flatMap(([name, value]) => [createElement('dt', {}, name), createElement('dd', {}, value)]),
  );
}

function formatSize(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
}
