// Renders one operation of the document: what it does, its parameters and its responses.

import {
  createDisclosure,
  createElement,
  createJsonBlock,
  renderInline,
  renderParagraphs,
} from '../../docs-kit/assets/dom.js';
import { renderStatusBadge } from './response-view.js';
import { describeType, renderAllowedValues, renderLimits, renderSchemaTree, resolveReference } from './schema.js';
import { renderRequestPanel } from './try-operation.js';

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

export function listOperations(api) {
  return Object.entries(api.document.paths ?? {}).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => parseOperation(api, path, method, item[method], item.parameters ?? [])),
  );
}

function parseOperation(api, path, method, definition, sharedParameters) {
  const callers = (definition.security ?? api.document.security ?? []).flatMap((requirement) =>
    Object.keys(requirement),
  );
  return {
    id: definition.operationId ?? `${method}-${path.replaceAll(/[^a-z0-9]+/gi, '-')}`,
    path,
    method,
    summary: definition.summary ?? `${method.toUpperCase()} ${path}`,
    description: definition.description,
    deprecated: definition.deprecated === true,
    tag: definition.tags?.[0] ?? 'Other',
    callers,
    needsToken: callers.length > 0,
    /** For a call whose parameters only make sense together, those of its first variant. */
    shownParameters: definition['x-shown-parameters'] ?? [],
    parameters: [...sharedParameters, ...(definition.parameters ?? [])].map((parameter) =>
      resolveReference(api, parameter),
    ),
    body: parseRequestBody(api, definition.requestBody),
    responses: Object.entries(definition.responses ?? {}).map(([status, response]) => ({
      status,
      ...resolveReference(api, response),
      content: parseContent(resolveReference(api, response)),
    })),
  };
}

function parseRequestBody(api, requestBody) {
  const content = requestBody && parseContent(resolveReference(api, requestBody));
  return content ? { ...content, example: content.examples[0]?.value } : undefined;
}

function parseContent({ content }) {
  const [type, mediaType] = Object.entries(content ?? {})[0] ?? [];
  if (type === undefined) return undefined;
  const namedExamples = Object.entries(mediaType.examples ?? {}).map(([name, { value }]) => ({ name, value }));
  const examples =
    mediaType.example === undefined ? namedExamples : [{ name: 'example', value: mediaType.example }, ...namedExamples];
  return { type, schema: mediaType.schema, isJson: /[/+]json\b/.test(type), examples };
}

export function renderOperation(api, operation) {
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

export function renderMethodBadge(method) {
  return createElement('span', { class: `method method-${method}` }, method.toUpperCase());
}

/** Lets a long path break after its slashes and nowhere else. */
const renderPath = (path) => path.split(/(?<=\/)/).flatMap((part) => [part, createElement('wbr')]);

function describeCallers({ callers, needsToken }) {
  if (!needsToken) return 'Requires no token';
  const names = callers.map((name) => name.replaceAll('_', ' ').replace(/^api\b/, 'API'));
  return `Callable with ${names.map((name) => `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`).join(' or ')}`;
}

function renderParameters(api, { parameters }) {
  if (parameters.length === 0) return [];
  const rows = parameters.map((parameter) =>
    createElement(
      'tr',
      {},
      createElement(
        'th',
        { scope: 'row' },
        createElement('code', { class: 'field-name' }, parameter.name),
        createElement('span', { class: 'parameter-type' }, `${parameter.in}, ${describeType(api, parameter.schema)}`),
        parameter.required ? createElement('span', { class: 'requirement' }, 'required') : '',
      ),
      createElement(
        'td',
        {},
        renderParagraphs(parameter.description),
        renderLimits(api, parameter.schema),
        renderAllowedValues(api, parameter.schema),
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

function renderRequestBody(api, { body }) {
  if (!body) return [];
  return [
    createElement('h3', {}, 'Body ', createElement('span', { class: 'muted' }, body.type)),
    ...renderSchemaTree(api, body.schema, 'request'),
  ];
}

function renderResponseDetails(api, response, isOpen) {
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

function renderResponseSchema(api, { content, status }, isOpen) {
  if (!content) return isOpen ? [createElement('p', { class: 'muted' }, 'No body.')] : [];
  if (!content.isJson) return [createElement('p', { class: 'muted' }, content.type)];
  const renderTree = () => renderSchemaTree(api, content.schema, 'response');
  return isOpen ? renderTree() : [createDisclosure(`Schema of ${status}`, renderTree, { className: 'nested' })];
}

function renderResponseHeaders(api, { headers }) {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return [];
  const renderList = () =>
    createElement(
      'dl',
      { class: 'headers' },
      entries.flatMap(([name, header]) => [
        createElement('dt', {}, name),
        createElement('dd', {}, renderInline(resolveReference(api, header).description ?? '')),
      ]),
    );
  return [createDisclosure(`${entries.length} headers`, renderList, { className: 'nested' })];
}

function renderExampleSection({ summary }, response) {
  return response.content?.examples.length
    ? createElement(
        'section',
        { class: 'example', 'aria-label': `Example response ${response.status}: ${summary}` },
        renderExamples(response),
      )
    : [];
}

/** Several examples share one container; the buttons choose which one is visible. */
function renderExamples({ status, content }) {
  const allExamples = content?.examples ?? [];
  if (allExamples.length === 0) return [];
  const renderBlock = ({ name, value }) =>
    createJsonBlock(
      [renderStatusBadge(status), ` ${name === 'example' ? 'Example response' : name}`],
      `${status} ${name}`,
      value,
    );
  const container = createElement('div', {}, renderBlock(allExamples[0]));
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
