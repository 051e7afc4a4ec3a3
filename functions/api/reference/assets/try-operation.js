// The request side of an operation: a curl command that follows the form, and the form that sends
// the request.

import { createCodeBlock, createDisclosure, createElement } from '../../docs-kit/assets/dom.js';
import { getToken, renderTokenField } from '../../docs-kit/assets/token.js';
import { buildCurlCommand, buildRequest } from './request.js';
import { renderResponse } from './response-view.js';
import { normalizeSchema } from './schema.js';

export function renderRequestPanel(api, operation) {
  const values = createInitialValues(operation);
  const command = createElement('span');
  const updateCommand = () => {
    const request = buildRequest(api, operation, values, { shouldFillExamples: true });
    command.textContent = buildCurlCommand(request, operation.needsToken);
  };
  updateCommand();
  return createElement(
    'section',
    { class: 'request', 'aria-label': `Request: ${operation.summary}` },
    createCodeBlock('curl', `curl for ${operation.summary}`, command),
    createDisclosure('Try it', () => renderTryForm(api, operation, values, updateCommand), { className: 'try-panel' }),
  );
}

/** The form's values before the reader enters anything. */
export const createInitialValues = (operation) => ({ parameters: new Map(), body: formatExampleBody(operation) });

const formatExampleBody = ({ body }) => {
  if (!body || body.example === undefined) return '';
  return typeof body.example === 'string' ? body.example : JSON.stringify(body.example, undefined, 2);
};

function renderTryForm(api, operation, values, updateCommand) {
  const responseElement = createElement('div', { class: 'try-response', role: 'status' });
  const sendButton = createElement('button', { type: 'submit', class: 'primary-button' }, 'Send');
  const form = createElement(
    'form',
    { 'aria-label': `Try ${operation.summary}` },
    operation.needsToken ? renderTokenField(`${operation.id}-token`) : '',
    operation.parameters.map((parameter) => renderParameterField(api, operation, parameter, values)),
    operation.body ? renderBodyField(operation, values) : '',
    createElement(
      'p',
      { class: 'actions' },
      sendButton,
      createElement('span', { class: 'muted' }, `to ${new URL(api.base).host}`),
    ),
  );
  form.addEventListener('input', updateCommand);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    sendButton.disabled = true;
    responseElement.replaceChildren(createElement('p', { class: 'muted' }, 'Waiting for the response…'));
    responseElement.replaceChildren(...(await sendRequest(api, operation, values)));
    sendButton.disabled = false;
    responseElement.scrollIntoView({ block: 'nearest' });
  });
  return [form, responseElement];
}

async function sendRequest(api, operation, values) {
  const jsonError = operation.body?.isJson ? findJsonError(values.body) : undefined;
  if (jsonError)
    return [createElement('p', { class: 'error' }, `The body is not valid JSON, so nothing was sent. ${jsonError}`)];
  const { url, method, headers, body } = buildRequest(api, operation, values, { shouldFillExamples: false });
  const authorization = operation.needsToken && getToken() ? [['Authorization', `Bearer ${getToken()}`]] : [];
  const startMs = performance.now();
  try {
    const response = await fetch(url, { method, headers: [...headers, ...authorization], body, cache: 'no-store' });
    return await renderResponse(response, performance.now() - startMs);
  } catch (error) {
    const reason = `No response was received (${error.message}). Check that the service is running and that you are online.`;
    return [createElement('p', { class: 'error' }, reason)];
  }
}

function findJsonError(text) {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error.message;
  }
}

function renderParameterField(api, operation, parameter, values) {
  const id = `${operation.id}-${parameter.in}-${parameter.name}`;
  const input = renderParameterInput(api, id, parameter);
  input.addEventListener('input', () => values.parameters.set(parameter, input.value));
  const label = createElement(
    'label',
    { for: id },
    createElement('code', {}, parameter.name),
    createElement('span', { class: 'muted' }, ` ${parameter.in}${parameter.required ? ', required' : ''}`),
  );
  return createElement('div', { class: 'field' }, label, input);
}

function renderParameterInput(api, id, parameter) {
  const shape = normalizeSchema(api, parameter.schema);
  const choices = shape.enum ?? (shape.type === 'boolean' ? [true, false] : undefined);
  const required = parameter.required;
  if (choices)
    return createElement(
      'select',
      { id, required },
      createElement('option', { value: '' }, required ? 'Choose one' : 'Not sent'),
      choices.map((choice) => createElement('option', { value: String(choice) }, String(choice))),
    );
  return createElement('input', {
    id,
    required,
    type: 'text',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    inputmode: shape.type === 'integer' || shape.type === 'number' ? 'decimal' : undefined,
    placeholder: String(parameter.example ?? shape.default ?? ''),
  });
}

function renderBodyField(operation, values) {
  const id = `${operation.id}-body`;
  const rows = Math.min(Math.max(values.body.split('\n').length, 4), 22);
  const input = createElement(
    'textarea',
    { id, rows: String(rows), spellcheck: 'false', autocapitalize: 'off' },
    values.body,
  );
  input.addEventListener('input', () => {
    values.body = input.value;
  });
  const label = createElement(
    'label',
    { for: id },
    'Body',
    createElement('span', { class: 'muted' }, ` ${operation.body.type}`),
  );
  return createElement('div', { class: 'field' }, label, input);
}
