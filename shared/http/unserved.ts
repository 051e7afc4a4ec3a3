// Answers what no route of a function takes: a known path with another method is 405, or a browser's preflight; any other path is 404.
import type { Context } from 'hono';
import { Failure } from '../model/failure.ts';
import type { KitEnv } from './kit-env.ts';
import { matchPath } from './path-template.ts';

const preflightHeaders = 'Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-None-Match';

export function unserved(c: Context<KitEnv>, served: readonly { method: string; path: string }[]): Response {
  const path = new URL(c.req.url).pathname;
  const methods = served.filter((route) => matchPath(route.path, path)).map(({ method }) => method.toUpperCase());
  if (methods.length === 0)
    throw new Failure('not_found', `No such endpoint: ${c.req.method} ${path.slice(0, 200)}. See /docs.`);
  const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort().join(', ');
  c.header('Allow', allow);
  if (c.req.method !== 'OPTIONS')
    throw new Failure('method_not_allowed', `${c.req.method} is not allowed on this path. Use ${allow}.`);
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': preflightHeaders,
    'Access-Control-Max-Age': '86400',
  });
}
