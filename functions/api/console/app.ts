import { type Api, createApi } from '../../../shared/http/api.ts';
import { htmlType } from '../../../shared/http/responses.ts';
import { isLoopbackHost } from '../../../shared/platform/loopback.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { Failure } from '../../../shared/system/failure.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';
import { buildConsolePolicy, readConsoleDocument, readWebAsset } from './web-files.ts';

export function consoleApi(deps: Deps): Api {
  const api = createApi(deps);

  const pageFor = (origin: string) =>
    [
      readConsoleDocument(),
      200,
      {
        'Content-Type': htmlType,
        'Content-Security-Policy': buildConsolePolicy(origin),
        'Cross-Origin-Opener-Policy': 'same-origin',
      },
    ] as const;

  api.openapi(routes.consoleHome, async (c) => {
    const target = redirectTarget(c.env.origin, c.req.header('host'), c.req.url);
    return target === undefined ? c.html(...pageFor(c.env.origin)) : c.redirect(target, 307);
  });

  api.openapi(routes.consoleAsset, async (c) => {
    const file = readWebAsset(c.req.valid('param').file);
    if (!file) throw new Failure('not_found', 'This file belongs to another version of the console. Reload the page.');
    return c.body(file.bytes, 200, {
      'Content-Type': file.contentType,
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
  });

  // It matches every path below /console, and Hono takes the first match: it stays the last.
  api.openapi(routes.consolePage, async (c) => {
    const { page } = c.req.valid('param');
    if (/^(api|assets)(\/|$)/.test(page)) throw new Failure('not_found', 'No such endpoint. See /docs.');
    const target = redirectTarget(c.env.origin, c.req.header('host'), c.req.url);
    return target === undefined ? c.html(...pageFor(c.env.origin)) : c.redirect(target, 307);
  });

  return api;
}

/**
 * A laptop has several names, and cookies and passkeys belong to one of them. `requestUrl` is below
 * the origin already.
 */
function redirectTarget(origin: string, host: string | undefined, requestUrl: string): string | undefined {
  const home = new URL(origin);
  if (host === undefined || host === home.host || !isLoopbackHost(home.hostname)) return undefined;
  const requested = URL.parse(`http://${host}`);
  return requested && isLoopbackHost(requested.hostname) && requested.port === home.port ? requestUrl : undefined;
}

export const handler = onHttp(consoleApi);
