import { createAccountNameReader } from '../../../shared/accounts/account-names.ts';
import {
  completeConnection,
  previewConnection,
  startAuthorization,
} from '../../../shared/connections/connect/complete-connection.ts';
import { openConnectLink } from '../../../shared/connections/connect/connect-link.ts';
import { newNonce } from '../../../shared/connections/connect/connect-state.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import { describeRequest } from '../../../shared/http/shorten-to-network.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import { buildAppUrl } from './app-url.ts';
import { buildBrowserCookie, readBrowserNonce } from './browser-cookie.ts';
import { renderConfirmPage } from './confirm-page.ts';
import { handleChoice } from './handle-choice.ts';
import { renderLinkProblemPage } from './link-problem-page.ts';
import { buildNoticeUrl, renderNotice } from './notice.ts';
import { problemStatus, renderOutcomePage, renderUnfinishedPage, toLinkStatus } from './outcome-page.ts';
import { listLinkedDevices, renderPickerPage } from './picker-page.ts';
import * as routes from './routes.ts';
import { isPrefetch, isSpeculative } from './speculative-request.ts';

export function connectApi(deps: Deps): Api {
  const api = createApi(deps);
  const readAccountName = createAccountNameReader(deps);

  api.openapi(routes.openConnectPage, async (c) => {
    c.header('Cache-Control', 'no-store');
    const { origin } = c.env;
    // All links open in this browser share one nonce.
    const browser = readBrowserNonce(c.req.header('cookie'), origin) ?? newNonce(deps);
    const isPreview = isSpeculative(c.req.raw);
    const opened = await startAuthorization(deps, c.req.valid('param').state, { browser, isPreview });
    if ('authorizeUrl' in opened) {
      c.header('Set-Cookie', buildBrowserCookie(browser, origin));
      return c.redirect(opened.authorizeUrl, 302);
    }
    const { html, headers } = renderOutcomePage(opened);
    return c.html(html, toLinkStatus(opened.problem), headers);
  });

  api.openapi(routes.completeConnectPage, async (c) => {
    c.header('Cache-Control', 'no-store');
    const browser = readBrowserNonce(c.req.header('cookie'), c.env.origin);
    const callback = { provider: c.req.valid('param').provider, query: c.req.query(), browser };
    const { outcome, isPending } = isSpeculative(c.req.raw)
      ? await previewConnection(deps, callback)
      : { outcome: await completeConnection(deps, callback), isPending: false };
    const { problem, provider, returnTo } = outcome;
    if (isPending && (problem === undefined || isPrefetch(c.req.raw))) {
      const { html, headers } = renderUnfinishedPage(outcome);
      // Browsers discard a prefetched response that is not successful and request the page again
      // when the user opens it.
      return c.html(html, isPrefetch(c.req.raw) ? 425 : 200, headers);
    }
    if (returnTo !== undefined) return c.redirect(buildNoticeUrl(returnTo, problem ?? 'connected', provider), 302);
    const appRedirectUrl = buildAppUrl(outcome);
    if (appRedirectUrl !== undefined) return c.redirect(appRedirectUrl, 302);
    const { html, headers } = renderOutcomePage(outcome);
    return c.html(html, problem === undefined ? 200 : problemStatus[problem], headers);
  });

  api.openapi(routes.showConnectLink, async (c) => {
    const linkedUser = await openConnectLink(deps, c.req.valid('param').token);
    if (typeof linkedUser === 'string') {
      const { html, headers } = renderLinkProblemPage(linkedUser);
      return c.html(html, problemStatus[linkedUser], headers);
    }
    const { disconnect, notice, provider } = c.req.valid('query');
    const deviceToDisconnect = listLinkedDevices(linkedUser).find(({ id }) => id === disconnect);
    const time = { nowMs: deps.clock.now(), zone: linkedUser.user.timezone };
    const { html, headers } = deviceToDisconnect
      ? renderConfirmPage(deviceToDisconnect)
      : renderPickerPage(
          linkedUser,
          time,
          renderNotice({ notice, provider }),
          await readAccountName(linkedUser.user.account),
        );
    return c.html(html, 200, headers);
  });

  api.openapi(routes.chooseOnConnectLink, async (c) => {
    c.header('Cache-Control', 'no-store');
    const { token } = c.req.valid('param');
    const linkedUser = await openConnectLink(deps, token);
    if (typeof linkedUser === 'string') {
      const { html, headers } = renderLinkProblemPage(linkedUser);
      return c.html(html, problemStatus[linkedUser], headers);
    }
    const form = new URLSearchParams(await c.req.text());
    const link = { origin: c.env.origin, token, request: describeRequest(c.env) };
    return c.redirect(await handleChoice(deps, linkedUser, link, form), 303);
  });

  return api;
}

export const handler = onHttp(connectApi);
