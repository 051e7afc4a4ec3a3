import { completeConnection, openLink, previewConnection } from '../../../shared/connections/connect/complete.ts';
import { openConnectLink } from '../../../shared/connections/connect/connect-link.ts';
import { newNonce } from '../../../shared/connections/connect/connect-state.ts';
import { type Api, newApi } from '../../../shared/http/api.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import { appUrl } from './app-url.ts';
import { browserCookie, browserIn } from './browser.ts';
import { choose } from './choose.ts';
import { confirmPage } from './confirm-page.ts';
import { linkProblemPage } from './link-problem-page.ts';
import { noticeOf, pageWithNotice } from './notice.ts';
import { linkStatus, outcomePage, problemStatus, unfinishedPage } from './outcome-page.ts';
import { linkedDevices, pickerPage } from './picker-page.ts';
import * as routes from './routes.ts';
import { isPrefetch, isSpeculative } from './speculative.ts';

export function connectApi(deps: Deps): Api {
  const api = newApi(deps);

  api.openapi(routes.openConnectPage, async (c) => {
    c.header('Cache-Control', 'no-store');
    const { origin } = c.env;
    // One nonce for all links that are open in this browser.
    const browser = browserIn(c.req.header('cookie'), origin) ?? newNonce(deps);
    const isPreview = isSpeculative(c.req.raw);
    const opened = await openLink(deps, c.req.valid('param').state, { browser, isPreview });
    if ('authorizeUrl' in opened) {
      c.header('Set-Cookie', browserCookie(browser, origin));
      return c.redirect(opened.authorizeUrl, 302);
    }
    const { html, headers } = outcomePage(opened);
    return c.html(html, linkStatus(opened.problem), headers);
  });

  api.openapi(routes.completeConnectPage, async (c) => {
    c.header('Cache-Control', 'no-store');
    const browser = browserIn(c.req.header('cookie'), c.env.origin);
    const callback = { provider: c.req.valid('param').provider, query: c.req.query(), browser };
    const { outcome, isPending } = isSpeculative(c.req.raw)
      ? await previewConnection(deps, callback)
      : { outcome: await completeConnection(deps, callback), isPending: false };
    const { problem, provider, returnTo } = outcome;
    if (isPending && (problem === undefined || isPrefetch(c.req.raw))) {
      const { html, headers } = unfinishedPage(outcome);
      // A browser uses what it loaded in advance only if that went well: it asks again when the
      // person comes.
      return c.html(html, isPrefetch(c.req.raw) ? 425 : 200, headers);
    }
    if (returnTo !== undefined) return c.redirect(pageWithNotice(returnTo, problem ?? 'connected', provider), 302);
    const app = appUrl(outcome);
    if (app !== undefined) return c.redirect(app, 302);
    const { html, headers } = outcomePage(outcome);
    return c.html(html, problem === undefined ? 200 : problemStatus[problem], headers);
  });

  api.openapi(routes.showConnectLink, async (c) => {
    const person = await openConnectLink(deps, c.req.valid('param').token);
    if (typeof person === 'string') {
      const { html, headers } = linkProblemPage(person);
      return c.html(html, problemStatus[person], headers);
    }
    const { disconnect, notice, provider } = c.req.valid('query');
    const leaving = linkedDevices(person).find(({ id }) => id === disconnect);
    const time = { nowMs: deps.clock.now(), zone: person.user.timezone };
    const { html, headers } = leaving ? confirmPage(leaving) : pickerPage(person, time, noticeOf({ notice, provider }));
    return c.html(html, 200, headers);
  });

  api.openapi(routes.chooseOnConnectLink, async (c) => {
    c.header('Cache-Control', 'no-store');
    const { token } = c.req.valid('param');
    const person = await openConnectLink(deps, token);
    if (typeof person === 'string') {
      const { html, headers } = linkProblemPage(person);
      return c.html(html, problemStatus[person], headers);
    }
    const form = new URLSearchParams(await c.req.text());
    return c.redirect(await choose(deps, person, { origin: c.env.origin, token }, form), 303);
  });

  return api;
}

export const handler = onHttp(connectApi);
