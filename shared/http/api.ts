// The kit every endpoint group is made of: OpenAPIHono, with admission before each route and the same finish after each answer.
import { OpenAPIHono, type RouteHandler } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../system/deps.ts';
import { admission } from './admission.ts';
import { bodyReading, readLater } from './body.ts';
import { bodyBulkhead } from './body-bulkhead.ts';
import type { CallerKind } from './caller-kind.ts';
import type { CallerOf, Endpoint, NamedRoute } from './endpoint.ts';
import { failed } from './failed.ts';
import { finishing } from './finishing.ts';
import type { Bindings, HandlerEnv, KitBindings, KitEnv } from './kit-env.ts';
import { servedPath } from './path-template.ts';
import { pathOf, type ServedPath, servedPathOf, servedPaths, unserved } from './unserved.ts';
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
  let paths: readonly ServedPath[] = [];
  const inForm1 = new Map<NamedRoute, Endpoint>();

  app.use(finishing(deps));
  app.use(async (c, next) => {
    if (c.env.unreadable) throw c.env.unreadable;
    if (c.env.body) readLater(c.req, c.env.body);
    // Hono chooses by method first, and would take a literal path for a parameter of another one.
    const path = servedPathOf(paths, pathOf(c));
    if (path && !path.methods.has(c.req.method)) return c.notFound();
    await next();
    return undefined;
  });
  app.onError((error, c) => failed(c, error));
  app.notFound((c) => {
    try {
      limitAddress(c);
      return unserved(c, servedPathOf(paths, pathOf(c)));
    } catch (error) {
      return failed(c, error);
    }
  });

  return {
    openapi(endpoint, handler) {
      const { route, form1Of } = endpoint;
      const path = servedPath(route.path);
      if (form1Of && !served.includes(form1Of))
        throw new Error(`${route.operationId} of Form 1 is served after ${form1Of.operationId} of Form 2.`);
      if (form1Of) inForm1.set(form1Of, endpoint);
      else {
        served.push(route);
        paths = servedPaths(served);
        app.on(route.method, path, admitted(endpoint), ofTheirForm(inForm1));
      }
      const body = bodyReading(endpoint, bulkhead);
      const before = [boundedPath, ofItsForm(endpoint), ...(body ? [body] : [])];
      const steps = new OpenAPIHono<KitEnv>({ defaultHook: refuseInvalid });
      steps.openapi({ ...route, path, middleware: before }, ordinary(handler));
      for (const step of steps.routes) app.on(step.method, step.path, onlyOf(endpoint, step.handler));
    },
    async fetch(request, bindings) {
      const env: KitBindings = { ...bindings };
      const answer = await app.fetch(request, env);
      return env.admission ? app.fetch(request, env) : answer;
    },
  };
}

/** From here on the endpoint is the one for the form of whoever was let in. */
const ofTheirForm =
  (inForm1: ReadonlyMap<NamedRoute, Endpoint>): MiddlewareHandler<KitEnv> =>
  async (c, next) => {
    const usual = c.get('endpoint');
    if (usual && c.get('caller')?.form === 1) c.set('endpoint', inForm1.get(usual.route) ?? usual);
    await next();
  };

/** A step of one endpoint, which others with the same path go past. */
const onlyOf =
  (endpoint: Endpoint, step: MiddlewareHandler<KitEnv>): MiddlewareHandler<KitEnv> =>
  (c, next) =>
    c.get('endpoint') === endpoint ? step(c, next) : next();

/** Holds because admission and the validators of the same endpoint have put into the context what its handler is typed by. */
const ordinary = (handler: unknown) => handler as (c: Context<KitEnv>) => Promise<Response>;
