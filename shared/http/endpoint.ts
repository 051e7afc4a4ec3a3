// An endpoint is a route, which the OpenAPI document, API Gateway and people read, and its terms, which say what OpenAPI has no words for.
import type { RouteConfig } from '@hono/zod-openapi';
import type * as z from 'zod';
import type { Failure, FailureCode } from '../system/failure.ts';
import type { CallerKind } from './caller-kind.ts';
import type { JsonLimits } from './json-limits.ts';
import type { PlainPage } from './page.ts';

export interface BodyLimits {
  /** As it is sent. */
  wireBytes: number;
  /** After unpacking gzip; without it the body is taken only as it is. */
  decompressedBytes?: number;
  /** Where JSON may be larger than usual in other ways. */
  shape?: Partial<JsonLimits>;
}

export interface EndpointOptions<
  Param extends string = string,
  Kinds extends readonly CallerKind[] = readonly CallerKind[],
> {
  /** Who may call it; an empty list means anybody, without a credential. */
  callers: Kinds;
  /** The path parameter that names the user it is about: callers that are confined to one user may only name theirs. */
  user?: Param;
  /**
   * Served also while the person shares nothing, since it tells no health value and takes none in.
   * All others about a user refuse it then.
   */
  servesUnshared?: true;
  /** A key of the sandbox is refused. */
  liveOnly?: true;
  /** The codes it may fail with, beyond those that follow from its request and its callers. */
  failures?: readonly FailureCode[];
  /** For handlers that only read: that of a caller seen before starts while the caller is admitted again, so both cost one wait. */
  eager?: true;
  /**
   * Asked so often by design that nobody is limited in it; or nobody but a stranger:
   * `known_senders` takes every request from the bucket of its address but those whose handler has
   * said that it knows the sender (`c.set('isKnownSender', true)`).
   */
  unlimited?: true | 'known_senders';
  /**
   * For what is no part of the contract, though it is served: the OpenAPI document leaves it out.
   */
  undocumented?: true;
  /** Where a body may be larger than usual (16 kB), or packed. */
  bodyLimits?: BodyLimits;
  /** The body in the OpenAPI document, where the route's checks less because its parts are judged one by one. */
  documentedBody?: z.ZodType;
  /** Where path parameters may be longer than usual. */
  maxParameterLength?: number;
  /** Where people come with their browsers: how a failure is told to them. Programs are told in JSON as everywhere. */
  failurePage?: (failure: Failure) => PlainPage;
  /** Query parameters of the other form of the contract, and the one to use here, or what to do where there is none. */
  otherFormParameters?: Readonly<Record<string, string | { advice: string }>>;
}

/** Every operation has a name, by which clients, cursors and tests know it. */
export type NamedRoute = RouteConfig & { operationId: string };

export interface Endpoint<
  Route extends NamedRoute = NamedRoute,
  Kinds extends readonly CallerKind[] = readonly CallerKind[],
> extends EndpointOptions<string, Kinds> {
  route: Route;
  /** The route of Form 2 in whose place it answers accounts on Form 1. */
  form2Route?: NamedRoute;
}

/** The names of a route's path parameters. */
type PathParameterOf<Route extends NamedRoute> = Route extends { request: { params: z.ZodObject<infer Shape> } }
  ? keyof Shape & string
  : never;

/** Who a handler may find asking. */
export type CallerOf<Kinds extends readonly CallerKind[]> = Kinds extends readonly []
  ? undefined
  : Kinds[number] extends CallerKind<infer C>
    ? C
    : never;

export function defineEndpoint<Route extends NamedRoute, const Kinds extends readonly CallerKind[]>(
  route: Route,
  options: EndpointOptions<PathParameterOf<Route>, Kinds>,
): Endpoint<Route, Kinds> {
  // Its handler may run for a caller who is then refused, and twice for one who is served another form.
  if (options.eager && route.method !== 'get')
    throw new Error(`${route.operationId} cannot be eager: only a GET does nothing but read.`);
  return { ...options, route };
}

/** How accounts on Form 1 are answered in the place of another endpoint: by a route of its own, on terms that are otherwise the same. */
export function defineForm1Endpoint<Route extends NamedRoute, const Kinds extends readonly CallerKind[]>(
  form2Endpoint: Endpoint<NamedRoute, Kinds>,
  route: Route,
  options: Pick<EndpointOptions, 'otherFormParameters' | 'failures'> = {},
): Endpoint<Route, Kinds> {
  if (toRouteShape(route) !== toRouteShape(form2Endpoint.route))
    throw new Error(
      `${route.operationId} of Form 1 must have the method and the path of ${form2Endpoint.route.operationId}.`,
    );
  const { otherFormParameters: _form2Parameters, user, ...inherited } = form2Endpoint;
  const userParameter =
    user === undefined ? undefined : listPathParameters(route)[listPathParameters(form2Endpoint.route).indexOf(user)];
  return {
    ...inherited,
    ...(userParameter === undefined ? {} : { user: userParameter }),
    ...options,
    route,
    form2Route: form2Endpoint.route,
  };
}

/** The names in the path, in their order. */
const listPathParameters = ({ path }: NamedRoute): string[] =>
  [...path.matchAll(/\{(\w+)/g)].map(([, name = '']) => name);

/** However the path's parameters are called. */
const toRouteShape = ({ method, path }: NamedRoute): string => `${method} ${path.replace(/\{\w+/g, '{')}`;
