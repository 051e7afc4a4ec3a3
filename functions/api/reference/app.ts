import { type Api, createApi } from '../../../shared/http/api.ts';
import { acceptsHtml } from '../../../shared/http/error-handler.ts';
import { respondWithJson } from '../../../shared/http/respond-with-json.ts';
import { JsonText } from '../../../shared/platform/json-text.ts';
import { isLoopbackHost } from '../../../shared/platform/loopback.ts';
import type { ApiForm } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { onHttp } from '../../runtime/on-http.ts';
import { type DocsPage, toHtmlResponse } from '../docs-kit/docs-page.ts';
import { buildApiDocument, buildConsoleDocument, version } from './api-documents.ts';
import { renderHomePage } from './home-page.ts';
import { findGroupPage, renderOverviewPage } from './reference-page.ts';
import * as routes from './routes.ts';
import { buildSearchIndex, type SearchIndex } from './search-index.ts';
import { buildServiceIndex } from './service-index.ts';

export function referenceApi(deps: Deps): Api {
  const api = createApi(deps);
  const documentAt = cacheByOrigin(getDocumentTemplate);
  const form1DocumentAt = cacheByOrigin(getForm1DocumentTemplate);
  const consoleDocumentAt = cacheByOrigin(getConsoleDocumentTemplate);

  api.openapi(routes.home, async (c) => {
    c.header('Vary', 'Accept');
    if (!acceptsHtml(c)) return c.json(buildServiceIndex(c.env.origin, version), 200);
    return c.html(...toHtmlResponse(renderHomePage({ hasMailbox: hasMailbox(deps, c.env.origin) })));
  });

  api.openapi(routes.openApi, async (c) => respondWithJson(c, documentAt(c.env.origin), 200));
  api.openapi(routes.form1OpenApi, async (c) => respondWithJson(c, form1DocumentAt(c.env.origin), 200));

  api.openapi(routes.consoleOpenApi, async (c) => respondWithJson(c, consoleDocumentAt(c.env.origin), 200));

  api.openapi(routes.docs, async (c) => c.html(...toHtmlResponse(renderOverviewPage(2))));
  api.openapi(routes.form1Docs, async (c) => c.html(...toHtmlResponse(renderOverviewPage(1))));
  api.openapi(routes.groupDocs, async (c) => c.html(...toHtmlResponse(getGroupPage(2, c.req.valid('param').group))));
  api.openapi(routes.form1GroupDocs, async (c) =>
    c.html(...toHtmlResponse(getGroupPage(1, c.req.valid('param').group))),
  );
  api.openapi(routes.searchIndex, async (c) => respondWithJson(c, getSearchIndexText(2), 200));
  api.openapi(routes.form1SearchIndex, async (c) => respondWithJson(c, getSearchIndexText(1), 200));
  api.openapi(routes.health, async (c) => c.json({ status: 'ok' as const, version, node: process.version }, 200));

  return api;
}

/** A local host serves its mailbox to browsers on the same machine only. */
const hasMailbox = ({ deployment: { kind, mailSender } }: Deps, origin: string): boolean =>
  kind === 'local' && mailSender !== undefined && isLoopbackHost(new URL(origin).hostname);

/** Stands in a template where the document has the origin that the service is reached at. */
const originPlaceholder = 'https://origin.invalid';

/** Building a document takes hundreds of milliseconds, so each is built once, for every origin. */
function createTemplate(build: (origin: string) => object): () => string {
  let template: string | undefined;
  return () => {
    template ??= JSON.stringify(build(originPlaceholder));
    return template;
  };
}

const getDocumentTemplate = createTemplate((origin) => buildApiDocument(2, origin));
const getForm1DocumentTemplate = createTemplate((origin) => buildApiDocument(1, origin));
const getConsoleDocumentTemplate = createTemplate(buildConsoleDocument);

/** Caches one document per origin that the service is reached at. */
function cacheByOrigin(getTemplate: () => string) {
  const cache = new Map<string, JsonText<Record<string, unknown>>>();
  return (origin: string): JsonText<Record<string, unknown>> => {
    const document = cache.get(origin) ?? new JsonText(fillOrigin(getTemplate(), origin));
    cache.set(origin, document);
    return document;
  };
}

function fillOrigin(template: string, origin: string): string {
  const escaped = JSON.stringify(origin).slice(1, -1);
  return template.replaceAll(originPlaceholder, () => escaped);
}

const searchIndexTexts = new Map<ApiForm, JsonText<SearchIndex>>();

function getSearchIndexText(form: ApiForm): JsonText<SearchIndex> {
  const text = searchIndexTexts.get(form) ?? new JsonText<SearchIndex>(JSON.stringify(buildSearchIndex(form)));
  searchIndexTexts.set(form, text);
  return text;
}

function getGroupPage(form: ApiForm, slug: string): DocsPage {
  const page = findGroupPage(form, slug);
  if (!page) throw new Failure('not_found', 'The reference has no such group. See /docs.');
  return page;
}

export const handler = onHttp(referenceApi);
