// Shows a response: its status, duration, headers and body.
import { codeBlock, coloredJson, disclosure, element } from './dom.js';

export async function answerView(response, milliseconds) {
  const text = await response.text();
  const headers = [...response.headers];
  return [
    element(
      'p',
      { class: 'answer-line' },
      statusBadge(response.status),
      ` ${response.statusText} `,
      element('span', { class: 'quiet' }, `${Math.round(milliseconds)} ms · ${sizeOf(text)}`),
    ),
    disclosure(`${headers.length} headers`, () => headerTable(headers), { className: 'nested' }),
    text === '' ? element('p', { class: 'quiet' }, 'The body is empty.') : bodyBlock(text),
  ];
}

export function statusBadge(status) {
  return element('span', { class: `status status-${String(status)[0]}` }, String(status));
}

function bodyBlock(text) {
  const value = parsed(text);
  return codeBlock(
    'Body',
    'Response body',
    value === undefined ? text : coloredJson(JSON.stringify(value, undefined, 2)),
  );
}

/** Returns undefined when the text is not JSON. It is then shown unchanged. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function headerTable(headers) {
  return element(
    'dl',
    { class: 'headers' },
    headers.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]),
  );
}

function sizeOf(text) {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
}
