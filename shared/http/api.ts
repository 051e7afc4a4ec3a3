// The kit every endpoint group is made of: OpenAPIHono, with admission before each route and the same finish after each answer.
import { OpenAPIHono, type RouteHandler } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { RateLimited } from '../domain/access/admission.ts';
import type { Deps } from '../domain/deps.ts';
import { admission } from './admission.ts';
import { bodyReading } from './body.ts';
import { bodyBulkhead } from './body-bulkhead.ts';
import type { CallerKind } from './callers/caller-kind.ts';
import type { CallerOf, Endpoint, NamedRoute } from './endpoint.ts';
import { asFailure, failureAnswer } from './failure-answer.ts';
import { finishing } from './finishing.ts';
import type { Bindings, HandlerEnv, KitBindings, KitEnv } from './kit-env.ts';
import { servedPath } from './path-template.ts';
import { unserved } from './unserved.ts';
import { boundedPath, ofItsForm, refuseInvalid } from './validation.ts';

export interface Api {
  /** Serves an endpoint with an ordinary handler of Hono's, which is typed by the route and by who may call it. */
  openapi<Route extends NamedRoute, const Kinds extends readonly CallerKind[]>(
    endpoint: Endpoint<Route, Kinds>,
    handler: RouteHandler<Route, HandlerEnv<CallerOf<Kinds>>>,
  ): void;
  fetch(request: Request, bindings: Bindings): Promise<Response>;
}

export function newApi(deps: Deps): Api {
  const app = new OpenAPIHono<KitEnv>({ defaultHook: refuseInvalid });
  const { limitAddress, middleware: admitted } = admission(deps);
  const bulkhead = bodyBulkhead();
  const served: NamedRoute[] = [];

  app.use(finishing(deps));
  app.use(async (c, next) => {
    if (c.env.unreadable) throw c.env.unreadable;
    await next();
  });
  app.onError((error, c) => failed(c, error));
  app.notFound((c) => {
    try {
      limitAddress(c);
      return unserved(c, served);
    } catch (error) {
      return failed(c, error);
    }
  });

  return {
    openapi(endpoint, handler) {
      served.push(endpoint.route);
      const body = bodyReading(endpoint, bulkhead);
      const before = [admitted(endpoint), boundedPath, ofItsForm(endpoint), ...(body ? [body] : [])];
      const path = servedPath(endpoint.route.path);
      app.openapi({ ...endpoint.route, path, middleware: before }, ordinary(handler));
    },
    async fetch(request, bindings) {
      const env: KitBindings = { ...bindings };
      const answer = await app.fetch(request, env);
      return env.admission ? app.fetch(request, env) : answer;
    },
  };
}

/** Holds because admission and the validators of the same endpoint have put into the context what its handler is typed by. */
const ordinary = (handler: unknown) => handler as (c: Context<KitEnv>) => Promise<Response>;

function failed(c: Context<KitEnv>, error: unknown): Response {
  const failure = asFailure(error);
  if (failure instanceof RateLimited) c.set('bucket', failure.bucket);
  c.set('failure', failure);
  const { status, headers, body } = failureAnswer(failure);
  const page = asksForPage(c) ? c.get('endpoint')?.failurePage?.(failure) : undefined;
  return page ? c.html(page.html, status, { ...headers, ...page.headers }) : c.json(body, status, headers);
}

/** As every browser does. */
const asksForPage = (c: Context<KitEnv>): boolean => c.req.header('accept')?.includes('text/html') ?? false;
