// Refuses a body that nobody reads: ignoring `{"from_date": …}` would do something other than what
// the caller asked for.
import type { MiddlewareHandler } from 'hono';
import { Failure } from '../system/failure.ts';
import type { ApiEnv } from './api-env.ts';
import type { Endpoint } from './endpoint.ts';
import { rejectsUnknownParameters } from './unknown-parameters.ts';

/** Longer than any empty object that a client sends with every POST. */
const maxEmptyBytes = 16;
const emptyPattern = /^\s*(?:\{\s*\})?\s*$/;

/** A POST that declares no body. Other methods give a body no meaning. */
export const refusesBody = (endpoint: Endpoint): boolean =>
  endpoint.route.method === 'post' && !endpoint.route.request?.body && rejectsUnknownParameters(endpoint);

export function refuseUnreadBody(endpoint: Endpoint): MiddlewareHandler<ApiEnv>[] {
  if (!refusesBody(endpoint)) return [];
  return [
    async (c, next) => {
      const bytes = new Uint8Array(await c.req.arrayBuffer());
      if (bytes.byteLength > maxEmptyBytes || !emptyPattern.test(new TextDecoder().decode(bytes)))
        throw new Failure('invalid_body', 'This call takes no body. Send it without one.');
      await next();
    },
  ];
}
