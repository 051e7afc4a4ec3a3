// Responds to requests that no route matches: 405 or a CORS preflight for a known path, a redirect
// for the console's address with a slash, 404 for any other.
import type { Context } from 'hono';
import { Failure } from '../system/failure.ts';
import type { ApiEnv } from './api-env.ts';
import { compareLiteralFirst, matchPath } from './path-template.ts';

const preflightHeaders = 'Authorization, Cache-Control, Content-Encoding, Content-Type, Idempotency-Key, If-None-Match';

/** A path of the route table, with every method that it serves. */
export interface ServedPath {
  template: string;
  methods: Set<string>;
}

/** Sorted in the order in which API Gateway matches them. */
export function collectServedPaths(routes: readonly { method: string; path: string }[]): ServedPath[] {
  const byShape = new Map<string, ServedPath>();
  for (const { method, path } of routes) {
    // Paths that differ only in a parameter's name are the same.
    const shape = path.replaceAll(/\{[^}]*\}/g, '{}');
    const served = byShape.get(shape) ?? { template: path, methods: new Set(['OPTIONS']) };
    for (const each of method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]) served.methods.add(each);
    byShape.set(shape, served);
  }
  return [...byShape.values()].sort((a, b) => compareLiteralFirst(a.template, b.template));
}

/**
 * The path that a request is about, regardless of its method: `/roster/invitations` is not a
 * member, although it matches the path of a member.
 */
export const findServedPath = (paths: readonly ServedPath[], path: string): ServedPath | undefined =>
  paths.find(({ template }) => matchPath(template, path));

export const getPath = (c: Context<ApiEnv>): string => new URL(c.req.url).pathname;

/**
 * People type this address. No template of API Gateway matches it, so it may arrive at any function.
 * The target is a constant path: nothing of the request but its query is in it.
 */
const consoleWithSlash = '/console/';
const consolePath = '/console';

export function handleNotFound(c: Context<ApiEnv>, served: ServedPath | undefined): Response {
  const { method } = c.req;
  if (getPath(c) === consoleWithSlash && (method === 'GET' || method === 'HEAD'))
    return c.redirect(consolePath + new URL(c.req.url).search, 308);
  if (!served) throw new Failure('not_found', `No such endpoint: ${method} ${getPath(c).slice(0, 200)}. See /docs.`);
  const allow = [...served.methods].sort().join(', ');
  c.header('Allow', allow);
  if (method !== 'OPTIONS')
    throw new Failure('method_not_allowed', `${method} is not allowed on this path. Use ${allow}.`);
  return c.body(null, 204, {
    'Access-Control-Allow-Methods': allow,
    'Access-Control-Allow-Headers': preflightHeaders,
    'Access-Control-Max-Age': '86400',
  });
}
