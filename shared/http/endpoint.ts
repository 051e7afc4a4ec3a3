// An endpoint is a route, which the OpenAPI document, API Gateway and people read, and its options,
// which OpenAPI cannot express.
import type { RouteConfig } from '@hono/zod-openapi';
import type * as z from 'zod';
import type { AuditAction } from '../audit/actions.ts';
import type { Failure, FailureCode } from '../system/failure.ts';
import type { Changed } from '../system/role-rights.ts';
import type { CallerKind, EndpointDemands } from './caller-kind.ts';
import type { JsonLimits } from './json-limits.ts';
import type { PlainPage } from './page.ts';
import { htmlType } from './responses.ts';

export interface BodyLimits {
  /** The size as sent. */
  wireBytes: number;
  /** The size after gzip decompression. If undefined, compressed bodies are rejected. */
  decompressedBytes?: number;
  /** Overrides of the default JSON limits. */
  shape?: Partial<JsonLimits>;
}

export interface EndpointOptions<
  Param extends string = string,
  Kinds extends readonly CallerKind[] = readonly CallerKind[],
> extends EndpointDemands {
  /** The kinds of callers that are allowed. An empty list allows everyone, without a credential. */
  callers: Kinds;
  /**
   * The act that the audit trail names, once per request (`shared/http/audit-step.ts`). Every
   * endpoint that is not a GET has to say it; `false` is for what nobody of the account does:
   * requests of phones, providers and people on their own pages. A POST that only reads about its
   * user is `user.looked_at`, as every GET with a `user` is without saying so. An endpoint without
   * callers cannot be recorded by the step: its verb adds the entry to its own transaction.
   */
  audits?: AuditAction | false;
  /**
   * The path parameter with the user's id. Callers that are limited to one user may only pass their
   * own.
   */
  user?: Param;
  /**
   * Served even while the user does not share data, because it neither returns nor accepts health
   * values. All other endpoints about a user reject such requests.
   */
  servesUnshared?: true;
  /** Rejects sandbox keys. */
  liveOnly?: true;
  /** The failure codes beyond those that follow from the request and the callers. */
  failures?: readonly FailureCode[];
  /**
   * For handlers that only read. If this process has cached the caller, the handler runs while the
   * caller is admitted again, so both cost one wait.
   */
  eager?: true;
  /**
   * How long callers may cache a successful response for themselves. By default nothing but public
   * responses is cached.
   */
  maxAgeSeconds?: number;
  /**
   * `true` exempts the endpoint from rate limits, because it is called so often by design.
   * `known_senders` draws every request from the bucket of its address, except for those whose
   * handler has identified the sender (`c.set('isKnownSender', true)`).
   */
  unlimited?: true | 'known_senders';
  /**
   * The document that describes the endpoint, if it is not the one of the API: `console` is
   * `/openapi.console.json`, for what only the console calls. Pages for people are in none
   * (`isDocumented`).
   */
  document?: 'none' | 'console';
  /** For bodies that may be larger than the default (16 kB), or compressed. */
  bodyLimits?: BodyLimits;
  /**
   * The body for the OpenAPI document, if the route's own schema checks less because its records
   * are validated one by one.
   */
  documentedBody?: z.ZodType;
  /**
   * Query parameters for the OpenAPI document, if the route's own schema accepts any text because
   * the handler has a failure of its own for unknown values.
   */
  documentedQuery?: Readonly<Record<string, z.ZodType>>;
  /** For path parameters that may be longer than the default. */
  maxParameterLength?: number;
  /**
   * For endpoints that people open in a browser: renders a failure as a page. Programs get JSON, as
   * everywhere.
   */
  failurePage?: (failure: Failure) => PlainPage;
  /**
   * Query parameters of the other form of the contract, each with the parameter to use here, or
   * with advice if there is none or if its name is not enough.
   */
  otherFormParameters?: Readonly<Record<string, string | { name?: string; advice: string }>>;
  /**
   * For requests that others build, such as pushes from providers. By default, an endpoint rejects
   * query parameters that it does not know, unless it serves pages.
   */
  ignoresUnknownParameters?: true;
}

/** Every operation has a name, which clients, cursors and tests use. */
export type NamedRoute = RouteConfig & { operationId: string };

export interface Endpoint<
  Route extends NamedRoute = NamedRoute,
  Kinds extends readonly CallerKind[] = readonly CallerKind[],
> extends EndpointOptions<string, Kinds> {
  route: Route;
  /** The Form 2 route that this endpoint replaces for accounts on Form 1. */
  form2Route?: NamedRoute;
}

/**
 * Whether a program may call the endpoint. A page is for people, also where it only redirects,
 * unless programs get JSON at the same address.
 */
export const isDocumented = ({ document, failurePage, route }: Endpoint): boolean =>
  document === undefined && !failurePage && (!servesPages(route) || servesJson(route));

/** Whether the pages of the console call the endpoint, and nobody else. */
export const isForConsole = ({ document }: Endpoint): boolean => document === 'console';

export const servesPages = (route: NamedRoute): boolean => serves(route, htmlType);
const servesJson = (route: NamedRoute): boolean => serves(route, 'application/json');

const serves = ({ responses }: NamedRoute, type: string): boolean =>
  Object.values(responses).some((response) => 'content' in response && type in (response.content ?? {}));

type PathParameterOf<Route extends NamedRoute> = Route extends { request: { params: z.ZodObject<infer Shape> } }
  ? keyof Shape & string
  : never;

/** The type of a handler's caller. */
export type CallerOf<Kinds extends readonly CallerKind[]> = Kinds extends readonly []
  ? undefined
  : Kinds[number] extends CallerKind<infer C>
    ? C
    : never;

/** Only what may change something has to say which act that is, and what it changes or hands out. */
type ActOptions<Route extends NamedRoute> = Route['method'] extends 'get'
  ? { audits?: never; changes?: never }
  : { audits: AuditAction | false; changes: Changed };

export function defineEndpoint<Route extends NamedRoute, const Kinds extends readonly CallerKind[]>(
  route: Route,
  options: EndpointOptions<PathParameterOf<Route>, Kinds> & ActOptions<Route>,
): Endpoint<Route, Kinds> {
  if ((options.reveals === 'nothing') !== (options.callers.length === 0))
    throw new Error(
      `${route.operationId} must reveal \`nothing\` if it has no callers, and say what it reveals if it has some.`,
    );
  // An eager handler may run for a caller that is then rejected, and twice for a caller on the
  // other form.
  if (options.eager && route.method !== 'get')
    throw new Error(`${route.operationId} cannot be eager: only GET handlers have no side effects.`);
  return { ...options, route };
}

/**
 * Defines what replaces an endpoint for accounts on Form 1: a route of its own, with otherwise the
 * same options.
 */
export function defineForm1Endpoint<Route extends NamedRoute, const Kinds extends readonly CallerKind[]>(
  form2Endpoint: Endpoint<NamedRoute, Kinds>,
  route: Route,
  options: Pick<EndpointOptions, 'otherFormParameters' | 'failures'> = {},
): Endpoint<Route, Kinds> {
  if (toRouteShape(route) !== toRouteShape(form2Endpoint.route))
    throw new Error(
      `${route.operationId} of Form 1 must have the same method and path as ${form2Endpoint.route.operationId}.`,
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

/** The parameter names, in path order. */
const listPathParameters = ({ path }: NamedRoute): string[] =>
  [...path.matchAll(/\{(\w+)/g)].map(([, name = '']) => name);

/** The method and path, regardless of parameter names. */
const toRouteShape = ({ method, path }: NamedRoute): string => `${method} ${path.replace(/\{\w+/g, '{')}`;
