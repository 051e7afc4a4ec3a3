// The base of every endpoint group: OpenAPIHono, with admission before each route and the same
// steps after each response.
import { OpenAPIHono, type RouteHandler } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { Deps } from '../system/deps.ts';
import type { Failure } from '../system/failure.ts';
import { logRequest } from './access-log.ts';
import { createAdmission } from './admission.ts';
import type { ApiBindings, ApiEnv, Bindings, HandlerEnv } from './api-env.ts';
import { createAuditSteps } from './audit-step.ts';
import { createBodyReader, setLazyBody } from './body.ts';
import { createBodyBulkhead } from './body-bulkhead.ts';
import type { CallerKind, KnownCaller } from './caller-kind.ts';
import { compressResponse } from './compression.ts';
import type { CallerOf, Endpoint, NamedRoute } from './endpoint.ts';
import { handleError } from './error-handler.ts';
import { tagResponse } from './etag.ts';
import { collectServedPaths, findServedPath, getPath, handleNotFound, type ServedPath } from './not-found.ts';
import { toHonoPath } from './path-template.ts';
import { setResponseHeaders } from './response-headers.ts';
import { limitResponseSize } from './response-limit.ts';
import { rejectUnknownParameters } from './unknown-parameters.ts';
import { refuseUnreadBody } from './unread-body.ts';
import { limitPathParameters, refuseInvalid } from './validation.ts';

export interface Api {
  /**
   * Serves an endpoint with an ordinary Hono handler, typed by the route and by its allowed
   * callers. `afterFailure` runs when an admitted caller gets a failure, before it is sent.
   */
  openapi<Route extends NamedRoute, const Kinds extends readonly CallerKind[]>(
    endpoint: Endpoint<Route, Kinds>,
    handler: RouteHandler<Route, HandlerEnv<CallerOf<Kinds>>>,
    afterFailure?: (caller: CallerOf<Kinds>, failure: Failure) => Promise<void>,
  ): void;
  fetch(request: Request, bindings: Bindings): Promise<Response>;
}

export function createApi(deps: Deps): Api {
  const app = new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid });
  const { limitAddress, middleware: admit } = createAdmission(deps);
  const { recordActs, recordLooks } = createAuditSteps(deps);
  const bulkhead = createBodyBulkhead();
  const servedRoutes: NamedRoute[] = [];
  let paths: readonly ServedPath[] = [];
  const form1Endpoints = new Map<NamedRoute, Endpoint>();

  // Every response, including failures, passes through these from the last to the first.
  app.use(logRequest(deps), setResponseHeaders, limitResponseSize, compressResponse, tagResponse);
  app.use(async (c, next) => {
    if (c.env.parseFailure) throw c.env.parseFailure;
    if (c.env.body) setLazyBody(c.req, c.env.body);
    // Hono matches the method first, and would match a literal path as a parameter of another
    // route.
    const path = findServedPath(paths, getPath(c));
    if (path && !path.methods.has(c.req.method)) return c.notFound();
    await next();
    return undefined;
  });
  app.onError((error, c) => handleError(c, error));
  app.notFound((c) => {
    try {
      limitAddress(c);
      return handleNotFound(c, findServedPath(paths, getPath(c)));
    } catch (error) {
      return handleError(c, error);
    }
  });

  return {
    openapi(endpoint, handler, afterFailure) {
      const { route, form2Route } = endpoint;
      const path = toHonoPath(route.path);
      if (form2Route && !servedRoutes.includes(form2Route))
        throw new Error(`${route.operationId} of Form 1 must be registered after ${form2Route.operationId} of Form 2.`);
      if (form2Route) form1Endpoints.set(form2Route, endpoint);
      else {
        servedRoutes.push(route);
        paths = collectServedPaths(servedRoutes);
        app.on(route.method, path, recordLooks(endpoint), admit(endpoint), selectForm(form1Endpoints));
      }
      const body = createBodyReader(endpoint, bulkhead);
      const middlewares = [
        ...(afterFailure ? [observeFailure(asFailureObserver(afterFailure))] : []),
        limitPathParameters,
        ...rejectUnknownParameters(endpoint),
        ...refuseUnreadBody(endpoint),
        ...(body ? [body] : []),
      ];
      const endpointApp = new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid });
      endpointApp.openapi({ ...route, path, middleware: middlewares }, recordActs(endpoint, asHandler(handler)));
      for (const step of endpointApp.routes) app.on(step.method, step.path, onlyFor(endpoint, step.handler));
    },
    async fetch(request, bindings) {
      const env: ApiBindings = { ...bindings };
      const response = await app.fetch(request, env);
      return env.settledAdmission ? app.fetch(request, env) : response;
    },
  };
}

/** From here on, the endpoint is the one for the caller's form of the contract. */
const selectForm =
  (form1Endpoints: ReadonlyMap<NamedRoute, Endpoint>): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    const form2Endpoint = c.get('endpoint');
    if (form2Endpoint && c.get('caller')?.form === 1)
      c.set('endpoint', form1Endpoints.get(form2Endpoint.route) ?? form2Endpoint);
    await next();
  };

/** A step of one endpoint that other endpoints on the same path skip. */
const onlyFor =
  (endpoint: Endpoint, step: MiddlewareHandler<ApiEnv>): MiddlewareHandler<ApiEnv> =>
  (c, next) =>
    c.get('endpoint') === endpoint ? step(c, next) : next();

type FailureObserver = (caller: KnownCaller | undefined, failure: Failure) => Promise<void>;

const observeFailure =
  (observe: FailureObserver): MiddlewareHandler<ApiEnv> =>
  async (c, next) => {
    await next();
    const failure = c.get('failure');
    if (failure) await observe(c.get('caller'), failure);
  };

/**
 * The cast is safe because admission and the validators of the same endpoint have set everything
 * that the handler's type requires.
 */
const asHandler = (handler: unknown) => handler as (c: Context<ApiEnv>) => Promise<Response>;

/** The cast is safe because the caller is of the endpoint's kinds: admission has set it. */
const asFailureObserver = (observe: unknown) => observe as FailureObserver;
