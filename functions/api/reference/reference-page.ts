// The API reference of both forms: an overview with a search, and a page for each group. The server
// renders what each call is for and its parameters; the script of a group's page adds the schemas
// and the forms.
import { type Markup, markup } from '../../../shared/platform/markup.ts';
import type { ApiForm } from '../../../shared/system/caller.ts';
import { type DocsPage, pathToRoot } from '../docs-kit/docs-page.ts';
import { parseInlineText, splitParagraphs } from '../docs-kit/inline-text.ts';
import { documentNames } from './api-documents.ts';
import { script as groupScript } from './browser/group.ts?browser';
import { script as overviewScript } from './browser/overview.ts?browser';
import { buildReferencePage } from './build-reference-page.ts';
import {
  groupAddress,
  listGroups,
  type ReferenceGroup,
  type ReferenceOperation,
  readDocument,
} from './reference-groups.ts';

const titles = { 1: 'Daybook API reference, Form 1', 2: 'Daybook API reference' } as const;
const overviewPaths = { 1: '/docs/form1', 2: '/docs' } as const;
const searchIndexes = { 1: 'docs/search.form1.json', 2: 'docs/search.json' } as const;

const cachedPages = new Map<string, DocsPage>();

function cachePage(path: string, build: () => DocsPage): DocsPage {
  const page = cachedPages.get(path) ?? build();
  cachedPages.set(path, page);
  return page;
}

export const renderOverviewPage = (form: ApiForm): DocsPage =>
  cachePage(overviewPaths[form], () => buildOverviewPage(form));

/** Undefined if there is no such group. */
export function findGroupPage(form: ApiForm, slug: string): DocsPage | undefined {
  const group = listGroups(form).find((each) => each.slug === slug);
  return group && cachePage(groupAddress(form, slug), () => buildGroupPage(form, group));
}

function buildOverviewPage(form: ApiForm): DocsPage {
  const path = overviewPaths[form];
  const root = pathToRoot(path);
  const { info, components } = readDocument(form);
  const schemes = Object.values(components.securitySchemes);
  return buildReferencePage({
    path,
    title: titles[form],
    html: 'overview.html',
    styles: ['article.css', 'form.css', 'code-block.css', 'search.css'],
    script: overviewScript,
    openApi: documentNames[form],
    fill: {
      title: titles[form],
      document: documentNames[form],
      root,
      search_root: root || './',
      search_index: searchIndexes[form],
      description: renderDescription(info.description, root).html,
      schemes: markup`${schemes.map(({ description }) => markup`<li>${renderInline(description, root)}</li>`)}`.html,
      groups: markup`${listGroups(form).map((group) => renderGroupSection(form, group, root))}`.html,
    },
  });
}

function renderGroupSection(
  form: ApiForm,
  { slug, name, description, operations }: ReferenceGroup,
  root: string,
): Markup {
  const address = `${root}${groupAddress(form, slug)}`;
  const items = operations.map(
    ({ operationId, method, summary, path }) =>
      markup`<li id="${operationId}"><a href="${address}#${operationId}" data-operation>${renderMethod(method)} <span>${summary}</span></a> <code>${path}</code></li>
`,
  );
  return markup`<section aria-labelledby="group-${slug}"><h2 id="group-${slug}"><a href="${address}">${name}</a></h2>
<p>${renderInline(description, root)}</p>
<ul class="operations">${items}</ul></section>
`;
}

function buildGroupPage(form: ApiForm, group: ReferenceGroup): DocsPage {
  const path = `/${groupAddress(form, group.slug)}`;
  const root = pathToRoot(path);
  return buildReferencePage({
    path,
    title: `${group.name} · ${titles[form]}`,
    html: 'reference.html',
    styles: ['operation.css', 'form.css', 'code-block.css', 'search.css'],
    script: groupScript,
    openApi: documentNames[form],
    fill: {
      document: documentNames[form],
      form: String(form),
      root,
      overview: `${root}${overviewPaths[form].slice(1)}`,
      search_index: searchIndexes[form],
      group: group.name,
      description: renderDescription(group.description, root).html,
      contents: markup`${listGroups(form).map((each) => renderContents(form, each, { current: group, root }))}`.html,
      operations: markup`${group.operations.map((operation) => renderOperation(operation, root))}`.html,
    },
  });
}

function renderContents(
  form: ApiForm,
  { slug, name, operations }: ReferenceGroup,
  { current, root }: { current: ReferenceGroup; root: string },
): Markup {
  if (slug !== current.slug)
    return markup`<li><a class="group-link" href="${root}${groupAddress(form, slug)}">${name}</a></li>
`;
  const items = operations.map(
    ({ operationId, method, summary }) =>
      markup`<li><a href="#${operationId}">${renderMethod(method)} ${summary}</a></li>
`,
  );
  return markup`<li><a class="group-link" href="${root}${groupAddress(form, slug)}" aria-current="page">${name}</a>
<ul class="group-operations">${items}</ul></li>
`;
}

/** The script replaces it with the same and more, so the first parts have the same markup. */
function renderOperation(
  { operationId, method, path, summary, description, parameters }: ReferenceOperation,
  root: string,
): Markup {
  const rows = parameters.map(
    ({ name, in: place, required, description: text = '' }) =>
      markup`<tr><th scope="row"><code class="field-name">${name}</code><span class="parameter-type">${place}</span>${required ? markup`<span class="requirement">required</span>` : ''}</th><td>${renderDescription(text, root)}</td></tr>
`,
  );
  return markup`<article id="${operationId}" class="operation" aria-labelledby="${operationId}-title" tabindex="-1">
<header><h2 id="${operationId}-title"><a href="#${operationId}" class="anchor">${summary}</a></h2>
<p class="endpoint">${renderMethod(method)} <code>${path}</code></p>
${renderDescription(description, root)}</header>
${
  rows.length === 0
    ? ''
    : markup`<div class="inputs"><h3>Parameters</h3><table><thead><tr><th scope="col">Name</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>`
}
</article>
`;
}

const renderMethod = (method: string): Markup =>
  markup`<span class="method method-${method}">${method.toUpperCase()}</span>`;

const renderDescription = (text: string, root: string): Markup =>
  markup`${splitParagraphs(text).map((paragraph) => markup`<p>${renderInline(paragraph, root)}</p>`)}`;

const renderInline = (text: string, root: string): Markup =>
  markup`${parseInlineText(text).map((part) => {
    if (typeof part === 'string') return part;
    if ('code' in part) return markup`<code>${part.code}</code>`;
    return markup`<a href="${root}${part.path.slice(1)}">${part.label}</a>`;
  })}`;
