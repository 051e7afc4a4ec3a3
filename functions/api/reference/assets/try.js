// The request side of an operation: a curl command that follows the form, and the form that sends
// the request.
import { answerView } from './answer.js';
import { codeBlock, disclosure, element } from './dom.js';
import { curl, requestOf } from './request.js';
import { view } from './schema.js';
import { currentToken, tokenField } from './token.js';

export function requestPanel(api, operation) {
  const values = untouched(operation);
  const command = element('span');
  const refresh = () => {
    const request = requestOf(api, operation, values, { examplesForEmpty: true });
    command.textContent = curl(request, operation.needsToken);
  };
  refresh();
  return element(
    'section',
    { class: 'request', 'aria-label': `Request: ${operation.summary}` },
    codeBlock('curl', `curl for ${operation.summary}`, command),
    disclosure('Try it', () => tryForm(api, operation, values, refresh), { className: 'try' }),
  );
}

/** The form's values before the reader enters anything. */
export const untouched = (operation) => ({ parameters: new Map(), body: exampleBody(operation) });

const exampleBody = ({ body }) => {
  if (!body || body.example === undefined) return '';
  return typeof body.example === 'string' ? body.example : JSON.stringify(body.example, undefined, 2);
};

function tryForm(api, operation, values, refresh) {
  const answer = element('div', { class: 'answer', role: 'status' });
  const send = element('button', { type: 'submit', class: 'send' }, 'Send');
  const form = element(
    'form',
    { 'aria-label': `Try ${operation.summary}` },
    operation.needsToken ? tokenField(`${operation.id}-token`) : '',
    operation.parameters.map((parameter) => parameterField(api, operation, parameter, values)),
    operation.body ? bodyField(operation, values) : '',
    element('p', { class: 'actions' }, send, element('span', { class: 'quiet' }, `to ${new URL(api.base).host}`)),
  );
  form.addEventListener('input', refresh);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    send.disabled = true;
    answer.replaceChildren(element('p', { class: 'quiet' }, 'Waiting for the response…'));
    answer.replaceChildren(...(await sent(api, operation, values)));
    send.disabled = false;
    answer.scrollIntoView({ block: 'nearest' });
  });
  return [form, answer];
}

async function sent(api, operation, values) {
  const mistake = operation.body?.isJson ? jsonMistake(values.body) : undefined;
  if (mistake)
    return [element('p', { class: 'mistake' }, `The body is not valid JSON, so nothing was sent. ${mistake}`)];
  const { url, method, headers, body } = requestOf(api, operation, values, { examplesForEmpty: false });
  const authorization = operation.needsToken && currentToken() ? [['Authorization', `Bearer ${currentToken()}`]] : [];
  const begun = performance.now();
  try {
    const response = await fetch(url, { method, headers: [...headers, ...authorization], body, cache: 'no-store' });
    return await answerView(response, performance.now() - begun);
  } catch (error) {
    const reason = `No response was received (${error.message}). Check that the service is running and that you are online.`;
    return [element('p', { class: 'mistake' }, reason)];
  }
}

function jsonMistake(text) {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error.message;
  }
}

function parameterField(api, operation, parameter, values) {
  const id = `${operation.id}-${parameter.in}-${parameter.name}`;
  const input = parameterInput(api, id, parameter);
  input.addEventListener('input', () => values.parameters.set(parameter, input.value));
  const label = element(
    'label',
    { for: id },
    element('code', {}, parameter.name),
    element('span', { class: 'quiet' }, ` ${parameter.in}${parameter.required ? ', required' : ''}`),
  );
  return element('div', { class: 'field' }, label, input);
}

function parameterInput(api, id, parameter) {
  const shape = view(api, parameter.schema);
  const choices = shape.enum ?? (shape.type === 'boolean' ? [true, false] : undefined);
  const required = parameter.required;
  if (choices)
    return element(
      'select',
      { id, required },
      element('option', { value: '' }, required ? 'Choose one' : 'Not sent'),
      choices.map((choice) => element('option', { value: String(choice) }, String(choice))),
    );
  return element('input', {
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

function bodyField(operation, values) {
  const id = `${operation.id}-body`;
  const rows = Math.min(Math.max(values.body.split('\n').length, 4), 22);
  const input = element(
    'textarea',
    { id, rows: String(rows), spellcheck: 'false', autocapitalize: 'off' },
    values.body,
  );
  input.addEventListener('input', () => {
    values.body = input.value;
  });
  const label = element('label', { for: id }, 'Body', element('span', { class: 'quiet' }, ` ${operation.body.type}`));
  return element('div', { class: 'field' }, label, input);
}
