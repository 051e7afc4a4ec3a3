// Loads the API's OpenAPI document and builds the page from it.
import { createCodeBlock, createElement, renderInline, renderParagraphs } from './dom.js';
import { renderNavigation } from './navigation.js';
import { listOperations, renderBaseUrl, renderOperation } from './operation.js';
import { renderTokenField } from './token.js';

/** Relative to this page, so that the reference also works under a path prefix. */
const base = location.href.replace(/[?#].*$/, '').replace(/docs(\/form1)?\/?$/, '');
const content = document.querySelector('#content');
const documentUrl = new URL(content.dataset.document, base).href;

async function loadPage() {
  content.setAttribute('aria-busy', 'true');
  content.replaceChildren(createElement('p', { class: 'notice' }, 'Loading the reference…'));
  for (const link of document.querySelectorAll(`a[href$="${content.dataset.document}"]`)) link.href = documentUrl;
  try {
    renderReference({ document: await loadDocument(), base });
  } catch (error) {
    console.error(error);
    content.replaceChildren(...renderFailure(error));
  }
  content.setAttribute('aria-busy', 'false');
}

async function loadDocument() {
  const response = await fetch(documentUrl, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`the service responded with ${response.status} ${response.statusText}`.trim());
  return await response.json();
}

function renderFailure(error) {
  const retryButton = createElement('button', { type: 'button', class: 'primary-button' }, 'Try again');
  retryButton.addEventListener('click', loadPage);
  return [
    createElement(
      'div',
      { class: 'failure', role: 'alert' },
      createElement('h1', {}, 'The reference could not be loaded'),
      createElement('p', {}, 'This page is built from ', createElement('a', { href: documentUrl }, documentUrl), '.'),
      createElement('p', {}, `Reading it failed: ${error.message}. Check that the service is running, then try again.`),
      retryButton,
    ),
  ];
}

function renderReference(api) {
  const { info = {} } = api.document;
  document.querySelector('#version').textContent = info.version ?? '';
  const groups = groupByTag(api);
  content.replaceChildren(
    renderIntroduction(api, info),
    ...groups.map((group, index) => {
      const headingId = `group-${index}`;
      return createElement(
        'section',
        { class: 'group', 'aria-labelledby': headingId },
        createElement(
          'header',
          {},
          createElement('h2', { id: headingId }, group.name),
          renderParagraphs(group.description),
        ),
        group.operations.map((operation) => renderOperation(api, operation)),
      );
    }),
  );
  renderNavigation(groups);
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

function groupByTag(api) {
  const operations = listOperations(api);
  const describedTags = api.document.tags ?? [];
  const names = new Set([...describedTags.map(({ name }) => name), ...operations.map(({ tag }) => tag)]);
  return [...names]
    .map((name) => ({
      name,
      description: describedTags.find((tag) => tag.name === name)?.description,
      operations: operations.filter(({ tag }) => tag === name),
    }))
    .filter((group) => group.operations.length > 0);
}

function renderIntroduction(api, info) {
  return createElement(
    'section',
    { class: 'introduction', 'aria-labelledby': 'introduction' },
    createElement('h1', { id: 'introduction' }, document.title),
    info.summary ? createElement('p', { class: 'lead' }, renderInline(info.summary)) : '',
    renderParagraphs(info.description),
    createElement(
      'div',
      { class: 'getting-started' },
      renderAuthentication(api),
      createElement(
        'section',
        {},
        createElement('h2', {}, 'Base URL'),
        renderBaseUrl(api),
        createCodeBlock('In your shell', 'export the token', "export DAYBOOK_TOKEN='sk_sandbox_…'"),
        createElement('p', { class: 'field-note' }, 'Every curl command on this page reads your token from there.'),
        createElement(
          'p',
          { class: 'field-note' },
          'New here? The ',
          createElement('a', { href: new URL('docs/demo', base).href }, 'demo'),
          ' draws a week of data with a sandbox key.',
        ),
      ),
    ),
  );
}

function renderAuthentication(api) {
  const schemes = Object.values(api.document.components?.securitySchemes ?? {});
  if (schemes.length === 0) return [];
  return createElement(
    'section',
    {},
    createElement('h2', {}, 'Authentication'),
    createElement(
      'ul',
      { class: 'schemes' },
      schemes.map((scheme) => createElement('li', {}, renderInline(scheme.description ?? scheme.type))),
    ),
    renderTokenField('token'),
  );
}

loadPage();
