// The request side of an operation: a curl command that follows the form, and the form that sends
// the request.
import { createCodeBlock } from '../../docs-kit/browser/code-block.ts';
import { type Child, createDisclosure, createElement } from '../../docs-kit/browser/dom.ts';
import { type CallerField, renderCallerField } from './caller-field.ts';
import type { DescribedApi, Parameter } from './openapi-document.ts';
import { createInitialValues, type EnteredValues, type ShownContent, type ShownOperation } from './operations.ts';
import { buildCurlCommand, buildRequest } from './request.ts';
import { renderResponse } from './response-view.ts';
import { normalizeSchema } from './schema-text.ts';

export function renderRequestPanel(api: DescribedApi, operation: ShownOperation): HTMLElement {
  const values = createInitialValues(operation);
  const command = createElement('span');
  const updateCommand = (): void => {
    const request = buildRequest(api, operation, values, { shouldFillExamples: true });
    command.textContent = buildCurlCommand(request, operation.callers.length > 0);
  };
  updateCommand();
  return createElement(
    'section',
    { class: 'request', 'aria-label': `Request: ${operation.summary}` },
    createCodeBlock('curl', `curl for ${operation.summary}`, command),
    createDisclosure('Try it', () => renderTryForm(api, operation, values, updateCommand), { className: 'try-panel' }),
  );
}

function renderTryForm(
  api: DescribedApi,
  operation: ShownOperation,
  values: EnteredValues,
  updateCommand: () => void,
): Child {
  const responseElement = createElement('div', { class: 'try-response', role: 'status' });
  const sendButton = createElement('button', { type: 'submit', class: 'primary-button' }, 'Send');
  const caller = renderCallerField(api, operation);
  const form = createElement(
    'form',
    { 'aria-label': `Try ${operation.summary}` },
    caller.node,
    operation.parameters.map((parameter) => renderParameterField(api, operation, parameter, values)),
    operation.body ? renderBodyField(operation.id, operation.body, values) : '',
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
    responseElement.replaceChildren(...(await sendRequest(api, operation, values, caller)));
    sendButton.disabled = false;
    responseElement.scrollIntoView({ block: 'nearest' });
  });
  return [form, responseElement];
}

async function sendRequest(
  api: DescribedApi,
  operation: ShownOperation,
  values: EnteredValues,
  caller: CallerField,
): Promise<HTMLElement[]> {
  const jsonError = operation.body?.isJson ? findJsonError(values.body) : undefined;
  if (jsonError !== undefined) return [renderError(`The body is not valid JSON, so nothing was sent. ${jsonError}`)];
  const { url, method, headers, body } = buildRequest(api, operation, values, { shouldFillExamples: false });
  const startMs = performance.now();
  try {
    const response = await fetch(url, {
      method,
      headers: [...headers, ...(await caller.buildHeaders())],
      body: body ?? null,
      cache: 'no-store',
    });
    const text = await response.text();
    return [...caller.explainRefusal(response, text), ...renderResponse(response, text, performance.now() - startMs)];
  } catch (error) {
    return [
      renderError(
        `No response was received (${toMessage(error)}). Check that the service is running and that you are online.`,
      ),
    ];
  }
}

const renderError = (text: string): HTMLElement => createElement('p', { class: 'error' }, text);

const toMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function findJsonError(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return toMessage(error);
  }
}

function renderParameterField(
  api: DescribedApi,
  operation: ShownOperation,
  parameter: Parameter,
  values: EnteredValues,
): HTMLElement {
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

function renderParameterInput(
  api: DescribedApi,
  id: string,
  { required, schema = {}, example }: Parameter,
): HTMLInputElement | HTMLSelectElement {
  const shape = normalizeSchema(api, schema);
  const choices = shape.enum ?? (shape.type === 'boolean' ? [true, false] : undefined);
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
    placeholder: String(example ?? shape.default ?? ''),
  });
}

function renderBodyField(operationId: string, { type }: ShownContent, values: EnteredValues): HTMLElement {
  const id = `${operationId}-body`;
  const rows = Math.min(Math.max(values.body.split('\n').length, 4), 22);
  const input = createElement('textarea', { id, rows, spellcheck: 'false', autocapitalize: 'off' }, values.body);
  input.addEventListener('input', () => {
    values.body = input.value;
  });
  const label = createElement('label', { for: id }, 'Body', createElement('span', { class: 'muted' }, ` ${type}`));
  return createElement('div', { class: 'field' }, label, input);
}
