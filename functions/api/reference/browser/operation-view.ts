// Shows one operation of the document: what it does, its parameters and its responses.
import { createJsonBlock } from '../../docs-kit/browser/code-block.ts';
import { renderInline, renderParagraphs } from '../../docs-kit/browser/description.ts';
import { type Child, createDisclosure, createElement } from '../../docs-kit/browser/dom.ts';
import type { DescribedApi, Header, Method } from './openapi-document.ts';
import type { ShownExample, ShownOperation, ShownResponse } from './operations.ts';
import { renderStatusBadge } from './response-view.ts';
import { describeType } from './schema-text.ts';
import { renderAllowedValues, renderLimits, renderSchemaTree } from './schema-view.ts';
import { renderRequestPanel } from './try-operation.ts';

export function renderOperation(api: DescribedApi, operation: ShownOperation): HTMLElement {
  const titleId = `${operation.id}-title`;
  const successResponses = operation.responses.filter(({ status }) => status.startsWith('2'));
  const otherResponses = operation.responses.filter(({ status }) => !status.startsWith('2'));
  return createElement(
    'article',
    { id: operation.id, class: 'operation', 'aria-labelledby': titleId, tabindex: '-1' },
    createElement(
      'header',
      {},
      createElement(
        'h2',
        { id: titleId },
        createElement('a', { href: `#${operation.id}`, class: 'anchor' }, operation.summary),
        operation.deprecated ? createElement('span', { class: 'requirement' }, ' deprecated') : '',
      ),
      createElement(
        'p',
        { class: 'endpoint' },
        renderMethodBadge(operation.method),
        ' ',
        createElement('code', {}, renderPath(operation.path)),
      ),
      renderParagraphs(operation.description),
      createElement('p', { class: 'callers' }, describeCallers(operation)),
    ),
    createElement('div', { class: 'inputs' }, renderParameters(api, operation), renderRequestBody(api, operation)),
    createElement(
      'div',
      { class: 'sidebar' },
      renderRequestPanel(api, operation),
      successResponses.map((response) => renderExampleSection(operation, response)),
    ),
    createElement(
      'section',
      { class: 'responses' },
      createElement('h3', {}, 'Responses'),
      successResponses.map((response) => renderResponseDetails(api, response, true)),
      otherResponses.map((response) => renderResponseDetails(api, response, false)),
    ),
  );
}

function renderMethodBadge(method: Method): HTMLElement {
  return createElement('span', { class: `method method-${method}` }, method.toUpperCase());
}

/** Lets a long path break after its slashes and nowhere else. */
const renderPath = (path: string): Child[] => path.split(/(?<=\/)/).flatMap((part) => [part, createElement('wbr')]);

function describeCallers({ callers }: ShownOperation): string {
  if (callers.length === 0) return 'Requires no token';
  const names = callers.map((name) => name.replaceAll('_', ' ').replace(/^api\b/, 'API'));
  return `Callable with ${names.map((name) => `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`).join(' or ')}`;
}

function renderParameters(api: DescribedApi, { parameters }: ShownOperation): HTMLElement[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map((parameter) =>
    createElement(
      'tr',
      {},
      createElement(
        'th',
        { scope: 'row' },
        createElement('code', { class: 'field-name' }, parameter.name),
        createElement(
          'span',
          { class: 'parameter-type' },
          `${parameter.in}, ${describeType(api, parameter.schema ?? {})}`,
        ),
        parameter.required ? createElement('span', { class: 'requirement' }, 'required') : '',
      ),
      createElement(
        'td',
        {},
        renderParagraphs(parameter.description),
        renderLimits(api, parameter.schema ?? {}),
        renderAllowedValues(api, parameter.schema ?? {}),
      ),
    ),
  );
  const columns = ['Name', 'Meaning'].map((name) => createElement('th', { scope: 'col' }, name));
  return [
    createElement('h3', {}, 'Parameters'),
    createElement(
      'table',
      {},
      createElement('thead', {}, createElement('tr', {}, columns)),
      createElement('tbody', {}, rows),
    ),
  ];
}

function renderRequestBody(api: DescribedApi, { body }: ShownOperation): HTMLElement[] {
  if (!body) return [];
  return [
    createElement('h3', {}, 'Body ', createElement('span', { class: 'muted' }, body.type)),
    ...renderSchemaTree(api, body.schema, 'request'),
  ];
}

function renderResponseDetails(api: DescribedApi, response: ShownResponse, isOpen: boolean): HTMLElement {
  const codes = isOpen ? [] : (response.content?.examples ?? []).map(({ name }) => createElement('code', {}, name));
  const summary =
    codes.length > 0 ? createElement('span', { class: 'values' }, codes) : renderInline(response.description ?? '');
  return createDisclosure(
    [renderStatusBadge(response.status), ' ', createElement('span', { class: 'response-summary' }, summary)],
    () => [
      ...(isOpen ? [] : renderParagraphs(response.description)),
      ...(isOpen ? [] : renderExamples(response)),
      ...renderResponseSchema(api, response, isOpen),
      ...renderResponseHeaders(api, response),
    ],
    { className: 'response', isOpen },
  );
}

function renderResponseSchema(api: DescribedApi, { content, status }: ShownResponse, isOpen: boolean): HTMLElement[] {
  if (!content) return isOpen ? [createElement('p', { class: 'muted' }, 'No body.')] : [];
  if (!content.isJson) return [createElement('p', { class: 'muted' }, content.type)];
  const renderFields = () => renderSchemaTree(api, content.schema, 'response');
  return isOpen ? renderFields() : [createDisclosure(`Schema of ${status}`, renderFields, { className: 'nested' })];
}

/** A header is described where it is used, or in the component that it names. */
const describeHeader = ({ document }: DescribedApi, { $ref = '', description }: Header): string =>
  description ?? document.components?.headers?.[$ref.slice($ref.lastIndexOf('/') + 1)]?.description ?? '';

function renderResponseHeaders(api: DescribedApi, { headers }: ShownResponse): HTMLElement[] {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return [];
  const renderList = () =>
    createElement(
      'dl',
      { class: 'headers' },
      entries.flatMap(([name, header]) => [
        createElement('dt', {}, name),
        createElement('dd', {}, renderInline(describeHeader(api, header))),
      ]),
    );
  return [createDisclosure(`${entries.length} headers`, renderList, { className: 'nested' })];
}

function renderExampleSection({ summary }: ShownOperation, response: ShownResponse): Child {
  return response.content?.examples.length
    ? createElement(
        'section',
        { class: 'example', 'aria-label': `Example response ${response.status}: ${summary}` },
        renderExamples(response),
      )
    : [];
}

/** Several examples share one container; the buttons choose which one is visible. */
function renderExamples({ status, content }: ShownResponse): HTMLElement[] {
  const allExamples = content?.examples ?? [];
  const [first] = allExamples;
  if (!first) return [];
  const renderBlock = ({ name, value }: ShownExample): HTMLElement =>
    createJsonBlock(
      [renderStatusBadge(status), ` ${name === 'example' ? 'Example response' : name}`],
      `${status} ${name}`,
      value,
    );
  const container = createElement('div', {}, renderBlock(first));
  if (allExamples.length === 1) return [container];
  const buttons = allExamples.map((example, index) => {
    const button = createElement('button', { type: 'button', 'aria-pressed': String(index === 0) }, example.name);
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      container.replaceChildren(renderBlock(example));
    });
    return button;
  });
  return [
    createElement('div', { class: 'example-choices', role: 'group', 'aria-label': 'Examples' }, buttons),
    container,
  ];
}
