import type { Deps } from '../../../shared/domain/deps.ts';
import { type Api, newApi } from '../../../shared/http/api.ts';
import { jsonAnswer } from '../../../shared/http/json-answer.ts';
import { openApiDocument } from '../../../shared/http/openapi.ts';
import { htmlType } from '../../../shared/http/responses.ts';
import { JsonText } from '../../../shared/model/json-text.ts';
import { contract, tags } from '../contract.ts';
import { demoPage } from './demo-page.ts';
import type { DocsPage } from './document.ts';
import { erasurePage } from './erasure-page.ts';
import { docsPage } from './page.ts';
import { providerPage } from './provider-page.ts';
import { providersPage } from './providers-page.ts';
import * as routes from './routes.ts';
import { scoresPage } from './scores-page.ts';
import { webhooksPage } from './webhooks-page.ts';

const version = '1.0.0';
const description =
  'Connect wearables, read back one value per metric, per day, per person. ' +
  'Missing is `null`, never `0`. Days are calendar days in the user’s time zone.';

export function referenceApi(deps: Deps): Api {
  const api = newApi(deps);
  const documents = new Map<string, JsonText<Record<string, unknown>>>();

  api.openapi(routes.openApi, async (c) => {
    const { origin } = c.env;
    const document = documents.get(origin) ?? documentFor(origin);
    documents.set(origin, document);
    return jsonAnswer(c, document, 200);
  });

  api.openapi(routes.docs, async (c) => c.html(...shown(docsPage())));
  api.openapi(routes.providersDocs, async (c) => c.html(...shown(providersPage())));
  api.openapi(routes.providerDocs, async (c) =>
    c.html(...shown(providerPage(c.req.valid('param').provider, c.env.origin))),
  );
  api.openapi(routes.scoresDocs, async (c) => c.html(...shown(scoresPage())));
  api.openapi(routes.webhookDocs, async (c) => c.html(...shown(webhooksPage())));
  api.openapi(routes.erasureDocs, async (c) => c.html(...shown(erasurePage())));
  api.openapi(routes.demo, async (c) => c.html(...shown(demoPage())));

  api.openapi(routes.health, async (c) => c.json({ status: 'ok' as const, version, node: process.version }, 200));

  return api;
}

const documentFor = (serverUrl: string): JsonText<Record<string, unknown>> =>
  new JsonText(JSON.stringify(openApiDocument(contract, { version, serverUrl, description, tags })));

const shown = ({ html, contentSecurityPolicy }: DocsPage) =>
  [html, 200, { 'Content-Type': htmlType, 'Content-Security-Policy': contentSecurityPolicy }] as const;
