import type { Deps } from '../../../shared/domain/deps.ts';
import { acceptPush } from '../../../shared/domain/sync/accept-push.ts';
import { type Api, newApi } from '../../../shared/http/api.ts';
import { mustBeWithin } from '../../../shared/http/json-shape.ts';
import type { CloudProviderId } from '../../../shared/model/provider.ts';
import type { PushAnswer, PushRequest } from '../../../shared/providers/push.ts';
import * as routes from './routes.ts';

/** The largest that vendors are known to send, and some. */
const shape = { depth: 32, values: 1_000_000, members: 500_000 };
const brackets = [0x7b, 0x5b];
/** JSON may begin with any number of them. */
const blanks = [0x20, 0x09, 0x0a, 0x0d];

export function pushApi(deps: Deps): Api {
  const api = newApi(deps);

  async function answered(
    request: Incoming,
    { provider, secret }: { provider: CloudProviderId; secret?: string },
  ): Promise<Response> {
    const push = await pushRequest(request, secret, deps.clock.now());
    return sent(await acceptPush(deps, provider, push));
  }

  api.openapi(routes.receivePush, async (c) => asItIs(await answered(c.req, c.req.valid('param'))));
  api.openapi(routes.receivePushAtSecretPath, async (c) => asItIs(await answered(c.req, c.req.valid('param'))));
  api.openapi(routes.confirmPushAddress, async (c) => asItIs(await answered(c.req, c.req.valid('param'))));
  api.openapi(routes.confirmSecretPushAddress, async (c) => asItIs(await answered(c.req, c.req.valid('param'))));
  return api;
}

interface Incoming {
  raw: Request;
  header(): Record<string, string>;
  query(): Record<string, string>;
  arrayBuffer(): Promise<ArrayBuffer>;
}

async function pushRequest(
  request: Incoming,
  pathSecret: string | undefined,
  receivedMs: number,
): Promise<PushRequest> {
  const { method } = request.raw;
  const body = method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array();
  // Signatures are over the bytes; whoever reads them parses JSON.
  if (brackets.includes(body.find((byte) => !blanks.includes(byte)) ?? 0)) mustBeWithin(shape, body);
  return {
    method: method === 'POST' || method === 'HEAD' ? method : 'GET',
    headers: request.header(),
    query: request.query(),
    pathSecret,
    body,
    receivedMs,
  };
}

const sent = ({ status, json = {} }: PushAnswer): Response =>
  status === 204
    ? new Response(null, { status })
    : new Response(JSON.stringify(json), { status, headers: { 'Content-Type': 'application/json' } });

/** Holds because Hono sends any response: each vendor wants to be answered in its own way. */
const asItIs = (response: Response) => response as never;
