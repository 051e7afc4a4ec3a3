// Renders one operation of the document: what it does, its parameters and its responses.
import { statusBadge } from './answer.js';
import { copyButton, disclosure, element, inline, jsonBlock, prose } from './dom.js';
import { allowedValues, limitLine, resolve, schemaTree, typeName } from './schema.js';
import { requestPanel } from './try.js';

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

export function operationsOf(api) {
  return Object.entries(api.document.paths ?? {}).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method])
      .map((method) => operationOf(api, path, method, item[method], item.parameters ?? [])),
  );
}

function operationOf(api, path, method, source, shared) {
  const callers = (source.security ?? api.document.security ?? []).flatMap((way) => Object.keys(way));
  return {
    id: source.operationId ?? `${method}-${path.replaceAll(/[^a-z0-9]+/gi, '-')}`,
    path,
    method,
    summary: source.summary ?? `${method.toUpperCase()} ${path}`,
    description: source.description,
    deprecated: source.deprecated === true,
    tag: source.tags?.[0] ?? 'Other',
    callers,
    needsToken: callers.length > 0,
    /** For a call whose parameters only make sense together, those of its first variant. */
    shownParameters: source['x-shown-parameters'] ?? [],
    parameters: [...shared, ...(source.parameters ?? [])].map((parameter) => resolve(api, parameter)),
    body: bodyOf(api, source.requestBody),
    responses: Object.entries(source.responses ?? {}).map(([status, response]) => ({
      status,
      ...resolve(api, response),
      content: contentOf(resolve(api, response)),
    })),
  };
}

function bodyOf(api, requestBody) {
  const content = requestBody && contentOf(resolve(api, requestBody));
  return content ? { ...content, example: content.examples[0]?.value } : undefined;
}

function contentOf({ content }) {
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  if (type === undefined) return undefined;
  const named = Object.entries(media.examples ?? {}).map(([name, { value }]) => ({ name, value }));
  const examples = media.example === undefined ? named : [{ name: 'example', value: media.example }, ...named];
  return { type, schema: media.schema, isJson: /[/+]json\b/.test(type), examples };
}

export function operationArticle(api, operation) {
  const title = `${operation.id}-title`;
  const good = operation.responses.filter(({ status }) => status.startsWith('2'));
  const others = operation.responses.filter(({ status }) => !status.startsWith('2'));
  return element(
    'article',
    { id: operation.id, class: 'operation', 'aria-labelledby': title, tabindex: '-1' },
    element(
      'header',
      {},
      element(
        'h3',
        { id: title },
        element('a', { href: `#${operation.id}`, class: 'anchor' }, operation.summary),
        operation.deprecated ? element('span', { class: 'requirement' }, ' deprecated') : '',
      ),
      element(
        'p',
        { class: 'endpoint' },
        methodBadge(operation.method),
        ' ',
        element('code', {}, pathText(operation.path)),
      ),
      prose(operation.description),
      element('p', { class: 'callers' }, callersText(operation)),
    ),
    element('div', { class: 'takes' }, parameterSection(api, operation), bodySection(api, operation)),
    element('div', { class: 'side' }, requestPanel(api, operation), good.map(exampleAnswer)),
    element(
      'section',
      { class: 'gives' },
      element('h4', {}, 'Responses'),
      good.map((response) => responsePart(api, response, true)),
      others.map((response) => responsePart(api, response, false)),
    ),
  );
}

export function methodBadge(method) {
  return element('span', { class: `method method-${method}` }, method.toUpperCase());
}

/** Lets a long path break after its slashes and nowhere else. */
const pathText = (path) => path.split(/(?<=\/)/).flatMap((part) => [part, element('wbr')]);

function callersText({ callers, needsToken }) {
  if (!needsToken) return 'Requires no token';
  const names = callers.map((name) => name.replaceAll('_', ' ').replace(/^api\b/, 'API'));
  return `Callable with ${names.map((name) => `${/^[aeio]/i.test(name) ? 'an' : 'a'} ${name}`).join(' or ')}`;
}

function parameterSection(api, { parameters }) {
  if (parameters.length === 0) return [];
  const rows = parameters.map((parameter) =>
    element(
      'tr',
      {},
      element(
        'th',
        { scope: 'row' },
        element('code', { class: 'field-name' }, parameter.name),
        element('span', { class: 'place' }, `${parameter.in}, ${typeName(api, parameter.schema)}`),
        parameter.required ? element('span', { class: 'requirement' }, 'required') : '',
      ),
      element(
        'td',
        {},
        prose(parameter.description),
        limitLine(api, parameter.schema),
        allowedValues(api, parameter.schema),
      ),
    ),
  );
  const columns = ['Name', 'Meaning'].map((name) => element('th', { scope: 'col' }, name));
  return [
    element('h4', {}, 'Parameters'),
    element('table', {}, element('thead', {}, element('tr', {}, columns)), element('tbody', {}, rows)),
  ];
}

function bodySection(api, { body }) {
  if (!body) return [];
  return [
    element('h4', {}, 'Body ', element('span', { class: 'quiet' }, body.type)),
    ...schemaTree(api, body.schema, 'request'),
  ];
}

function responsePart(api, response, open) {
  const codes = open ? [] : (response.content?.examples ?? []).map(({ name }) => element('code', {}, name));
  const meaning = codes.length > 0 ? element('span', { class: 'values' }, codes) : inline(response.description ?? '');
  return disclosure(
    [statusBadge(response.status), ' ', element('span', { class: 'meaning' }, meaning)],
    () => [
      ...(open ? [] : prose(response.description)),
      ...(open ? [] : examples(response)),
      ...schemaPart(api, response, open),
      ...headerPart(api, response),
    ],
    { className: 'response', open },
  );
}

function schemaPart(api, { content, status }, open) {
  if (!content) return open ? [element('p', { class: 'quiet' }, 'No body.')] : [];
  if (!content.isJson) return [element('p', { class: 'quiet' }, content.type)];
  const tree = () => schemaTree(api, content.schema, 'response');
  return open ? tree() : [disclosure(`Schema of ${status}`, tree, { className: 'nested' })];
}

function headerPart(api, { headers }) {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return [];
  const list = () =>
    element(
      'dl',
      { class: 'headers' },
      entries.flatMap(([name, header]) => [
        element('dt', {}, name),
        element('dd', {}, inline(resolve(api, header).description ?? '')),
      ]),
    );
  return [disclosure(`${entries.length} headers`, list, { className: 'nested' })];
}

function exampleAnswer(response) {
  return response.content?.examples.length
    ? element('section', { class: 'example', 'aria-label': `Example response ${response.status}` }, examples(response))
    : [];
}

/** Several examples share one container; the buttons choose which one is visible. */
function examples({ status, content }) {
  const all = content?.examples ?? [];
  if (all.length === 0) return [];
  const block = ({ name, value }) =>
    jsonBlock([statusBadge(status), ` ${name === 'example' ? 'Example response' : name}`], `${status} ${name}`, value);
  const place = element('div', {}, block(all[0]));
  if (all.length === 1) return [place];
  const buttons = all.map((example, index) => {
    const button = element('button', { type: 'button', 'aria-pressed': String(index === 0) }, example.name);
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      place.replaceChildren(block(example));
    });
    return button;
  });
  return [element('div', { class: 'choices', role: 'group', 'aria-label': 'Examples' }, buttons), place];
}

export function baseAddress(api) {
  const address = element('code', {}, api.base.replace(/\/$/, ''));
  return element('p', { class: 'base' }, address, copyButton('base URL', address));
}
