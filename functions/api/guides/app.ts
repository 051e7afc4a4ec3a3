import { type Api, createApi } from '../../../shared/http/api.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import { toHtmlResponse } from '../docs-kit/docs-page.ts';
import { renderChangelogPage } from './changelog-page.ts';
import { renderDataProtectionPage } from './data-protection-page.ts';
import { renderDemoPage } from './demo-page.ts';
import { renderErasurePage } from './erasure-page.ts';
import { renderErrorsPage } from './errors-page.ts';
import { renderProviderPage } from './provider-page.ts';
import { renderProvidersPage } from './providers-page.ts';
import { renderQuickstartPage } from './quickstart-page.ts';
import * as routes from './routes.ts';
import { renderScoresPage } from './scores-page.ts';
import { renderSecurityPage } from './security-page.ts';
import { renderWebhooksPage } from './webhooks-page.ts';

export function guidesApi(deps: Deps): Api {
  const api = createApi(deps);

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

  return api;
}

export const handler = onHttp(guidesApi);
