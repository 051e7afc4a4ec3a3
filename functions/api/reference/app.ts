import type { Deps } from '../../../shared/domain/deps.ts';
import { type Api, newApi, reply } from '../../../shared/http/api.ts';
import { openApiDocument } from '../../../shared/http/openapi.ts';
import { contract, tags } from '../contract.ts';
import { demoPage } from './demo-page.ts';
import type { DocsPage } from './document.ts';
import { erasurePage } from './erasure-page.ts';
import { docsPage } from './page.ts';
import * as routes from './routes.ts';
import { scoresPage } from './scores-page.ts';
import { webhooksPage } from './webhooks-page.ts';

const version = '1.0.0';
const description =
  'Connect wearables, read back one value per metric, per day, per person. ' +
  'Missing is `null`, never `0`. Days are calendar days in the user’s time zone.';

export function referenceApi(deps: Deps): Api {
  const api = newApi(deps);
  const documents = new Map<string, Record<string, unknown>>();

  api.serve(routes.openApi, async ({ facts: { origin } }) => {
    const known = documents.get(origin);
    const document = known ?? openApiDocument(contract, { version, serverUrl: origin, description, tags });
    if (!known) documents.set(origin, document);
    return reply(200, document);
  });

  api.serve(routes.docs, async () => show(docsPage()));
  api.serve(routes.scoresDocs, async () => show(scoresPage()));
  api.serve(routes.webhookDocs, async () => show(webhooksPage()));
  api.serve(routes.erasureDocs, async () => show(erasurePage()));
  api.serve(routes.demo, async () => show(demoPage()));

  api.serve(routes.health, async () => reply(200, { status: 'ok' as const, version, node: process.version }));

  return api;
}

const show = ({ html, contentSecurityPolicy }: DocsPage) =>
  reply(200, html, { 'Content-Security-Policy': contentSecurityPolicy });
