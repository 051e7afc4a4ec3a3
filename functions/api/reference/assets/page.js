// Loads the API's OpenAPI document and builds the page from it.
import { codeBlock, element, inline, prose } from './dom.js';
import { fillNavigation } from './navigation.js';
import { baseAddress, operationArticle, operationsOf } from './operation.js';
import { tokenField } from './token.js';

/** Relative to this page, so that the reference also works under a path prefix. */
const base = location.href.replace(/[?#].*$/, '').replace(/docs(\/form1)?\/?$/, '');
const content = document.querySelector('#content');
const documentUrl = new URL(content.dataset.document, base).href;

async function start() {
  content.setAttribute('aria-busy', 'true');
  content.replaceChildren(element('p', { class: 'notice' }, 'Loading the reference…'));
  for (const link of document.querySelectorAll(`a[href$="${content.dataset.document}"]`)) link.href = documentUrl;
  try {
    show({ document: await loaded(), base });
  } catch (error) {
    console.error(error);
    content.replaceChildren(...failure(error));
  }
  content.setAttribute('aria-busy', 'false');
}

async function loaded() {
  const response = await fetch(documentUrl, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`the service responded with ${response.status} ${response.statusText}`.trim());
  return await response.json();
}

function failure(error) {
  const again = element('button', { type: 'button', class: 'send' }, 'Try again');
  again.addEventListener('click', start);
  return [
    element(
      'div',
      { class: 'failure', role: 'alert' },
      element('h1', {}, 'The reference could not be loaded'),
      element('p', {}, 'This page is built from ', element('a', { href: documentUrl }, documentUrl), '.'),
      element('p', {}, `Reading it failed: ${error.message}. Check that the service is running, then try again.`),
      again,
    ),
  ];
}

function show(api) {
  const { info = {} } = api.document;
  document.querySelector('#version').textContent = info.version ?? '';
  const groups = groupsOf(api);
  content.replaceChildren(
    introduction(api, info),
    ...groups.map((group, index) => {
      const heading = `group-${index}`;
      return element(
        'section',
        { class: 'group', 'aria-labelledby': heading },
        element('header', {}, element('h2', { id: heading }, group.name), prose(group.description)),
        group.operations.map((operation) => operationArticle(api, operation)),
      );
    }),
  );
  fillNavigation(groups);
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function groupsOf(api) {
  const operations = operationsOf(api);
  const described = api.document.tags ?? [];
  const names = new Set([...described.map(({ name }) => name), ...operations.map(({ tag }) => tag)]);
  return [...names]
    .map((name) => ({
      name,
      description: described.find((tag) => tag.name === name)?.description,
      operations: operations.filter(({ tag }) => tag === name),
    }))
    .filter((group) => group.operations.length > 0);
}

function introduction(api, info) {
  return element(
    'section',
    { class: 'introduction', 'aria-labelledby': 'introduction' },
    element('h1', { id: 'introduction' }, document.title),
    info.summary ? element('p', { class: 'lead' }, inline(info.summary)) : '',
    prose(info.description),
    element(
      'div',
      { class: 'start' },
      authentication(api),
      element(
        'section',
        {},
        element('h2', {}, 'Base URL'),
        baseAddress(api),
        codeBlock('In your shell', 'export the token', "export DAYBOOK_TOKEN='sk_sandbox_…'"),
        element('p', { class: 'field-note' }, 'Every curl command on this page reads your token from there.'),
        element(
          'p',
          { class: 'field-note' },
          'New here? The ',
          element('a', { href: new URL('docs/demo', base).href }, 'demo'),
          ' draws a week of data with a sandbox key.',
        ),
      ),
    ),
  );
}

function authentication(api) {
  const schemes = Object.values(api.document.components?.securitySchemes ?? {});
  if (schemes.length === 0) return [];
  return element(
    'section',
    {},
    element('h2', {}, 'Authentication'),
    element(
      'ul',
      { class: 'schemes' },
      schemes.map((scheme) => element('li', {}, inline(scheme.description ?? scheme.type))),
    ),
    tokenField('token'),
  );
}

start();
