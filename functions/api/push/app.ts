import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import { processPush, recognizePush } from '../../../shared/connections/push/accept-push.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import { assertJsonLimits } from '../../../shared/http/json-limits.ts';
import type { PushRequest, PushResponse } from '../../../shared/providers/kit/push.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

/** Somewhat above the largest payload that providers are known to send. */
const maxJsonShape = { depth: 32, values: 1_000_000, members: 500_000 };
const jsonOpeners = [0x7b, 0x5b];
/** JSON can start with any number of whitespace characters. */
const jsonWhitespace = [0x20, 0x09, 0x0a, 0x0d];

export function pushApi(deps: Deps): Api {
  const api = createApi(deps);

  async function respond(
    c: PushContext,
    { provider, secret }: { provider: CloudProviderId; secret?: string },
  ): Promise<Response> {
    const push = await readPushRequest(c.req, secret, deps.clock.now());
    const recognized = await recognizePush(deps, provider, push);
    const isKnown = 'env' in recognized || recognized.isAuthenticated;
    if (isKnown) c.set('isKnownSender', true);
    if ('response' in recognized) return toResponse(recognized.response);
    assertJsonShape(push.body);
    return toResponse(await processPush(deps, provider, recognized.env, push));
  }

  api.openapi(routes.receivePush, async (c) => asAnyResponse(await respond(c, c.req.valid('param'))));
  api.openapi(routes.receivePushAtSecretPath, async (c) => asAnyResponse(await respond(c, c.req.valid('param'))));
  api.openapi(routes.confirmPushAddress, async (c) => asAnyResponse(await respond(c, c.req.valid('param'))));
  api.openapi(routes.confirmSecretPushAddress, async (c) => asAnyResponse(await respond(c, c.req.valid('param'))));
  return api;
}

/** The part of the Hono context that all four routes share. */
interface PushContext {
  req: IncomingRequest;
  set(name: 'isKnownSender', value: true): void;
}

interface IncomingRequest {
  raw: Request;
  header(): Record<string, string>;
  query(): Record<string, string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

async function readPushRequest(
  request: IncomingRequest,
  pathSecret: string | undefined,
  receivedMs: number,
): Promise<PushRequest> {
  const { method } = request.raw;
  const body = method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array();
  return {
    method: method === 'POST' || method === 'HEAD' ? method : 'GET',
    headers: request.header(),
    query: request.query(),
    pathSecret,
    body,
    receivedMs,
  };
}

/** Checks JSON before it is parsed. Form bodies cannot be nested and need no check. */
function assertJsonShape(body: Uint8Array): void {
  if (jsonOpeners.includes(body.find((byte) => !jsonWhitespace.includes(byte)) ?? 0))
    assertJsonLimits(maxJsonShape, body);
}

const toResponse = ({ status, json = {} }: PushResponse): Response =>
  status === 204
    ? new Response(null, { status })
    : new Response(JSON.stringify(json), { status, headers: { 'Content-Type': 'application/json' } });

/**
 * The cast is safe because Hono sends any response. Each provider expects its own response format.
 */
const asAnyResponse = (response: Response) => response as never;

export const handler = onHttp(pushApi);
