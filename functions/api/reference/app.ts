import { type Api, newApi } from '../../../shared/http/api.ts';
import type { Endpoint } from '../../../shared/http/endpoint.ts';
import { jsonAnswer } from '../../../shared/http/json-answer.ts';
import { type DocumentFacts, openApiDocument } from '../../../shared/http/openapi.ts';
import { htmlType } from '../../../shared/http/responses.ts';
import { JsonText } from '../../../shared/platform/json-text.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import { contract, form1Contract, form1Tags, tags } from './contract.ts';
import { demoPage } from './demo-page.ts';
import type { DocsPage } from './document.ts';
import { erasurePage } from './erasure-page.ts';
import { docsPage, form1DocsPage } from './page.ts';
import { providerPage } from './provider-page.ts';
import { providersPage } from './providers-page.ts';
import * as routes from './routes.ts';
import { scoresPage } from './scores-page.ts';
import { webhooksPage } from './webhooks-page.ts';

const version = '1.0.0';
const lead = 'Connect wearables, read back one value per metric, per day, per person.';
const days = 'Days are calendar days in the user’s time zone.';
const description = `${lead} Missing is \`null\`, never \`0\`. ${days}`;
const form1Description =
  'This is Form 1, for accounts that were created with it: `npm run -s daybook -- accounts create --name "An older client" --form 1`. ' +
  `${lead} ${days} ` +
  'Answers are rows in a `data` envelope, and ranges are `start_date` and `end_date`. The values are those of Form 2. ' +
  'Daily metrics and the history of scores have no row where there is no value; in every other place missing is `null`, never `0`. ' +
  'The daily read also takes score ids, which have rows only where they are named. ' +
  'Users and workouts come in numbered pages (`page`, `per_page`), earliest first, with the exact `meta.total`: what is added while you page comes at the ' +
  'end, and when something is deleted, what follows it moves up by one place. ' +
  'The roster, invitations, events and webhook deliveries are the same in both forms and are paged by `cursor`.';

export function referenceApi(deps: Deps): Api {
  const api = newApi(deps);
  const documentAt = keptByOrigin(contract, { description, tags });
  const form1DocumentAt = keptByOrigin(form1Contract, {
    title: 'Daybook, Form 1',
    description: form1Description,
    tags: form1Tags,
  });

  api.openapi(routes.openApi, async (c) => jsonAnswer(c, documentAt(c.env.origin), 200));
  api.openapi(routes.form1OpenApi, async (c) => jsonAnswer(c, form1DocumentAt(c.env.origin), 200));

  api.openapi(routes.docs, async (c) => c.html(...shown(docsPage())));
  api.openapi(routes.form1Docs, async (c) => c.html(...shown(form1DocsPage())));
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

/** Each document is made once for every address the service is reached at. */
function keptByOrigin(endpoints: readonly Endpoint[], about: Omit<DocumentFacts, 'version' | 'serverUrl'>) {
  const kept = new Map<string, JsonText<Record<string, unknown>>>();
  return (serverUrl: string): JsonText<Record<string, unknown>> => {
    const facts = { version, serverUrl, ...about };
    const document = kept.get(serverUrl) ?? new JsonText(JSON.stringify(openApiDocument(endpoints, facts)));
    kept.set(serverUrl, document);
    return document;
  };
}

const shown = ({ html, contentSecurityPolicy }: DocsPage) =>
  [html, 200, { 'Content-Type': htmlType, 'Content-Security-Policy': contentSecurityPolicy }] as const;

export const handler = onHttp(referenceApi);
