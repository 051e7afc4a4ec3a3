import type { CloudProviderId } from '../../../shared/catalog/provider.ts';
import { recognizePush, takePush } from '../../../shared/connections/push/accept-push.ts';
import { type Api, newApi } from '../../../shared/http/api.ts';
import { mustBeWithin } from '../../../shared/http/json-shape.ts';
import type { PushAnswer, PushRequest } from '../../../shared/providers/kit/push.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

/** The largest that vendors are known to send, and some. */
const shape = { depth: 32, values: 1_000_000, members: 500_000 };
const brackets = [0x7b, 0x5b];
/** JSON may begin with any number of them. */
const blanks = [0x20, 0x09, 0x0a, 0x0d];

export function pushApi(deps: Deps): Api {
  const api = newApi(deps);

  async function answered(
    c: Asked,
    { provider, secret }: { provider: CloudProviderId; secret?: string },
  ): Promise<Response> {
    const push = await pushRequest(c.req, secret, deps.clock.now());
    const found = await recognizePush(deps, provider, push);
    const isKnown = 'env' in found || found.isProven;
    if (isKnown) c.set('isKnownSender', true);
    if ('answer' in found) return sent(found.answer);
    mustHaveShape(push.body);
    return sent(await takePush(deps, provider, found.env, push));
  }

  api.openapi(routes.receivePush, async (c) => asItIs(await answered(c, c.req.valid('param'))));
  api.openapi(routes.receivePushAtSecretPath, async (c) => asItIs(await answered(c, c.req.valid('param'))));
  api.openapi(routes.confirmPushAddress, async (c) => asItIs(await answered(c, c.req.valid('param'))));
  api.openapi(routes.confirmSecretPushAddress, async (c) => asItIs(await answered(c, c.req.valid('param'))));
  return api;
}

/** As much of a context as all four routes have. */
interface Asked {
  req: Incoming;
  set(name: 'isKnownSender', value: true): void;
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
  return {
    method: method === 'POST' || method === 'HEAD' ? method : 'GET',
    headers: request.header(),
    query: request.query(),
    pathSecret,
    body,
    receivedMs,
  };
}

/** Before JSON is parsed; what is a form is not nested. */
function mustHaveShape(body: Uint8Array): void {
  if (brackets.includes(body.find((byte) => !blanks.includes(byte)) ?? 0)) mustBeWithin(shape, body);
}

const sent = ({ status, json = {} }: PushAnswer): Response =>
  status === 204
    ? new Response(null, { status })
    : new Response(JSON.stringify(json), { status, headers: { 'Content-Type': 'application/json' } });

/** Holds because Hono sends any response: each vendor wants to be answered in its own way. */
const asItIs = (response: Response) => response as never;

export const handler = onHttp(pushApi);
