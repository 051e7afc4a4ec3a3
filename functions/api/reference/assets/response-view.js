// Shows a response: its status, duration, headers and body.
import { createCodeBlock, createDisclosure, createElement, highlightJson } from '../../docs-kit/assets/dom.js';

export async function renderResponse(response, durationMs) {
  const text = await response.text();
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

export function renderStatusBadge(status) {
  return createElement('span', { class: `status status-${String(status)[0]}` }, String(status));
}

function renderResponseBody(text) {
  const value = parseJson(text);
  return createCodeBlock(
    'Body',
    'Response body',
    value === undefined ? text : highlightJson(JSON.stringify(value, undefined, 2)),
  );
}

/** Returns undefined when the text is not JSON. It is then shown unchanged. */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function renderHeaderValues(headers) {
  return createElement(
    'dl',
    { class: 'headers' },
    headers.flatMap(([name, value]) => [createElement('dt', {}, name), createElement('dd', {}, value)]),
  );
}

function formatSize(text) {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
}
