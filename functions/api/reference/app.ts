import { type Api, createApi } from '../../../shared/http/api.ts';
import { type Endpoint, isDocumented, isForConsole } from '../../../shared/http/endpoint.ts';
import { acceptsHtml } from '../../../shared/http/error-handler.ts';
import { buildOpenApiDocument, type DocumentInfo } from '../../../shared/http/openapi.ts';
import { respondWithJson } from '../../../shared/http/respond-with-json.ts';
import { htmlType } from '../../../shared/http/responses.ts';
import { JsonText } from '../../../shared/platform/json-text.ts';
import { isLoopbackHost } from '../../../shared/platform/loopback.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import { renderChangelogPage } from './changelog-page.ts';
import { consoleContract, consoleTags, contract, form1Contract, form1Tags, sentWebhooks, tags } from './contract.ts';
import { renderDataProtectionPage } from './data-protection-page.ts';
import { renderDemoPage } from './demo-page.ts';
import type { DocsPage } from './docs-page.ts';
import { renderErasurePage } from './erasure-page.ts';
import { renderErrorsPage } from './errors-page.ts';
import { renderHomePage } from './home-page.ts';
import { renderProviderPage } from './provider-page.ts';
import { renderProvidersPage } from './providers-page.ts';
import { renderQuickstartPage } from './quickstart-page.ts';
import { renderForm1ReferencePage, renderReferencePage } from './reference-page.ts';
import * as routes from './routes.ts';
import { renderScoresPage } from './scores-page.ts';
import { renderSecurityPage } from './security-page.ts';
import { buildServiceIndex } from './service-index.ts';
import { renderWebhooksPage } from './webhooks-page.ts';

const version = '1.0.0';
const lead = 'Connect wearables and read back one value per metric, per day, per user.';
const days = 'Days are calendar days in the user’s time zone.';
const errors =
  'A query parameter that a call does not take is a 400 `invalid_request` that names the nearest one; names that begin with `_` or `utm_` are ignored, and the calls of phones ignore every unknown name. [Errors](/docs/errors) explains every error code.';
const description = `${lead} Missing is \`null\`, never \`0\`. ${days} ${errors}`;
const form1Description =
  'This is Form 1, for accounts that were created with it: `npm run -s daybook -- accounts create --name "An older client" --form 1`. ' +
  `${lead} ${days} ` +
  'Responses are rows in a `data` envelope, and ranges are `start_date` and `end_date`. The values are the same as in Form 2. ' +
  'Daily metrics and the score history have no row where there is no value; everywhere else, a missing value is `null`, never `0`. ' +
  'Daily metrics also accept score ids, which have rows only if you name them. ' +
  'Users and workouts are returned in numbered pages (`page`, `per_page`), earliest first, with the exact `meta.total`. Items added while you page appear at the ' +
  'end; when an item is deleted, those after it move up by one place. ' +
  `The roster, invitations, events and webhook deliveries are the same in both forms and are paged by \`cursor\`. ${errors}`;

const consoleDescription =
  'The calls of the console’s own pages, for colleagues who are signed in. They may change at any time; programs use the API instead.';

export function referenceApi(deps: Deps): Api {
  const api = createApi(deps);
  const documentAt = cacheByOrigin(contract, { description, tags });
  const form1DocumentAt = cacheByOrigin(form1Contract, {
    title: 'Daybook, Form 1',
    description: form1Description,
    tags: form1Tags,
  });

  const consoleDocumentAt = cacheByOrigin(
    consoleContract,
    { title: 'Daybook, console', description: consoleDescription, tags: consoleTags, webhooks: {} },
    isForConsole,
  );

  api.openapi(routes.home, async (c) => {
    c.header('Vary', 'Accept');
    if (!acceptsHtml(c)) return c.json(buildServiceIndex(c.env.origin, version), 200);
    return c.html(...toHtmlResponse(renderHomePage({ hasMailbox: hasMailbox(deps, c.env.origin) })));
  });

  api.openapi(routes.openApi, async (c) => respondWithJson(c, documentAt(c.env.origin), 200));
  api.openapi(routes.form1OpenApi, async (c) => respondWithJson(c, form1DocumentAt(c.env.origin), 200));

  api.openapi(routes.consoleOpenApi, async (c) => respondWithJson(c, consoleDocumentAt(c.env.origin), 200));

  api.openapi(routes.docs, async (c) => c.html(...toHtmlResponse(renderReferencePage())));
  api.openapi(routes.form1Docs, async (c) => c.html(...toHtmlResponse(renderForm1ReferencePage())));
  api.openapi(routes.providersDocs, async (c) => c.html(...toHtmlResponse(renderProvidersPage())));
  api.openapi(routes.providerDocs, async (c) =>
    c.html(...toHtmlResponse(renderProviderPage(c.req.valid('param').provider, c.env.origin))),
  );
  api.openapi(routes.scoresDocs, async (c) => c.html(...toHtmlResponse(renderScoresPage())));
  api.openapi(routes.webhookDocs, async (c) => c.html(...toHtmlResponse(renderWebhooksPage(c.env.origin))));
  api.openapi(routes.errorsDocs, async (c) => c.html(...toHtmlResponse(renderErrorsPage())));
  api.openapi(routes.erasureDocs, async (c) => c.html(...toHtmlResponse(renderErasurePage())));
  api.openapi(routes.securityDocs, async (c) => c.html(...toHtmlResponse(renderSecurityPage())));
  api.openapi(routes.dataProtectionDocs, async (c) => c.html(...toHtmlResponse(renderDataProtectionPage())));
  api.openapi(routes.quickstartDocs, async (c) => c.html(...toHtmlResponse(renderQuickstartPage(c.env.origin))));
  api.openapi(routes.changelogDocs, async (c) => c.html(...toHtmlResponse(renderChangelogPage())));
  api.openapi(routes.demo, async (c) => c.html(...toHtmlResponse(renderDemoPage())));

  api.openapi(routes.health, async (c) => c.json({ status: 'ok' as const, version, node: process.version }, 200));

  return api;
}

/** A local host serves its mailbox to browsers on the same machine only. */
const hasMailbox = ({ deployment: { kind, mailSender } }: Deps, origin: string): boolean =>
  kind === 'local' && mailSender !== undefined && isLoopbackHost(new URL(origin).hostname);

/** Caches one document per origin that the service is reached at. */
function cacheByOrigin(
  endpoints: readonly Endpoint[],
  details: Omit<DocumentInfo, 'version' | 'serverUrl'>,
  isIncluded: (endpoint: Endpoint) => boolean = isDocumented,
) {
  const cache = new Map<string, JsonText<Record<string, unknown>>>();
  return (serverUrl: string): JsonText<Record<string, unknown>> => {
    const info = { version, serverUrl, webhooks: sentWebhooks, ...details };
    const document =
      cache.get(serverUrl) ?? new JsonText(JSON.stringify(buildOpenApiDocument(endpoints, info, isIncluded)));
    cache.set(serverUrl, document);
    return document;
  };
}

const toHtmlResponse = ({ html, contentSecurityPolicy }: DocsPage) =>
  [html, 200, { 'Content-Type': htmlType, 'Content-Security-Policy': contentSecurityPolicy }] as const;

export const handler = onHttp(referenceApi);
