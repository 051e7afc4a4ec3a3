// The kit every endpoint group is made of: it admits, parses, answers and logs, so that handlers only say what happens.
import { type Context, Hono } from 'hono';
import type * as z from 'zod';
import {
  type Admitted,
  authenticator,
  type Bucket,
  type Credential,
  RateLimited,
} from '../domain/access/authenticate.ts';
import type { Deps } from '../domain/deps.ts';
import type { Caller } from '../model/account.ts';
import { Failure } from '../model/failure.ts';
import { JsonText } from '../model/json-text.ts';
import { addressLimit } from './address-limit.ts';
import { type Draft, encoded, forBrowsers, limitHeaders, revalidated } from './answer.ts';
import { credentialIn, mustBeAllowed, mustBePaid } from './authorize.ts';
import { bodyTurns } from './body-turns.ts';
import { asFailure, failureDraft } from './failure-answer.ts';
import { asIncoming, asOutgoing, asRequest, asResponse, type Incoming, type Outgoing } from './message.ts';
import { parseHeaders, parseParams, parseQuery, withBody } from './parse.ts';
import type { Route } from './route.ts';

export interface RequestFacts {
  requestId: string;
  /** Where the caller reached us, without a trailing slash. */
  origin: string;
  /** Where the caller is. */
  address: string;
}

type Parsed<R, Name extends string> = R extends Record<Name, z.ZodType<infer T>> ? T : undefined;
type CallerFor<R extends Route> = R['callers'] extends readonly []
  ? undefined
  : Extract<Caller, { kind: R['callers'][number] }>;

export interface Asked<R extends Route> {
  caller: CallerFor<R>;
  params: Parsed<R, 'params'>;
  query: Parsed<R, 'query'>;
  headers: Parsed<R, 'headers'>;
  body: Parsed<R, 'body'>;
  facts: RequestFacts;
}

type AnswerBody<A> = A extends { schema: z.ZodType<unknown, infer T> }
  ? T | JsonText<T>
  : A extends { contentType: string }
    ? string
    : undefined;
export type Answered<R extends Route> = {
  [Status in keyof R['answers'] & number]: {
    status: Status;
    body: AnswerBody<R['answers'][Status]>;
    headers?: Record<string, string>;
  };
}[keyof R['answers'] & number];

/** Keeps the status literal, so that the answer is checked against what the route documents for it. */
export const reply = <const S extends number, B = undefined>(
  status: S,
  body?: B,
  headers: Record<string, string> = {},
) => ({
  status,
  body: answered(body),
  headers,
});
/** Holds because a missing body has the type undefined. */
const answered = <B>(body: B | undefined): B => body as B;

type Variables = { facts: RequestFacts; startedMs: number; route?: Route; bucket?: Bucket; caller?: Caller };
export interface Bindings {
  facts: RequestFacts;
  /** What arrived is no request at all, and why: it is answered with this. */
  unreadable?: Failure;
}
export type Env = { Variables: Variables; Bindings: Bindings };

export interface Api {
  answer(incoming: Incoming, bindings: Bindings): Promise<Outgoing>;
  serve<R extends Route>(route: R, handler: (asked: Asked<R>) => Promise<Answered<R>>, options?: ServeOptions): void;
}
export interface ServeOptions {
  /** For handlers that only read: one of a caller seen before starts while the caller is admitted again, so both cost one wait. */
  eager?: boolean;
}

export function newApi(deps: Deps): Api {
  const app = new Hono<Env>();
  const auth = authenticator(deps);
  const limit = addressLimit(deps.clock);
  const turns = bodyTurns();
  const served: Route[] = [];

  app.use(async (c, next) => {
    c.set('facts', c.env.facts);
    c.set('startedMs', performance.now());
    if (c.env.unreadable) throw c.env.unreadable;
    await next();
  });
  app.onError((error, c) => failed(deps, c, error));
  app.notFound((c) => {
    c.set('bucket', limit(c.get('facts').address));
    return unserved(deps, c, served);
  });

  return {
    async answer(incoming, bindings) {
      // The router would answer HEAD with a response of its own; a GET without its body is the same.
      const isHead = incoming.method === 'HEAD';
      const request = asRequest(isHead ? { ...incoming, method: 'GET' } : incoming);
      const outgoing = asOutgoing(await app.fetch(request, bindings));
      return isHead ? { ...outgoing, body: undefined } : outgoing;
    },
    serve(route, handler, { eager = false } = {}) {
      served.push(route);
      app.on(route.method.toUpperCase(), honoPath(route.path), async (c) => {
        c.set('route', route);
        const answer = async (caller: Caller | undefined) => {
          const asked = {
            caller,
            params: parseParams(route, c.req.param()),
            query: parseQuery(route, new URL(c.req.url).searchParams, caller?.form),
            headers: parseHeaders(route, asIncoming(c.req.raw).headers),
            facts: c.get('facts'),
          };
          return withBody(route, asIncoming(c.req.raw), turns, (body) => handler(fittingRoute({ ...asked, body })));
        };
        return respond(deps, c, draftOf(route, await whenAdmitted(route, c, eager, answer)));
      });
    },
  };

  async function whenAdmitted<T>(
    route: Route,
    c: Context<Env>,
    eager: boolean,
    answer: (caller: Caller | undefined) => Promise<T>,
  ): Promise<T> {
    if (route.callers.length === 0) {
      if (!route.unlimited) c.set('bucket', limit(c.get('facts').address));
      return answer(undefined);
    }
    const credential = await credentialOf(c);
    mustBeAllowed(route, credential, c.req.param());
    const likely = eager ? auth.lastSeen(credential) : undefined;
    if (!likely) return answer((await admit(route, c, credential)).caller);
    const [admitted, answered] = await Promise.allSettled([admit(route, c, credential), answer(likely)]);
    if (admitted.status === 'rejected') throw admitted.reason;
    if (admitted.value.caller.form !== likely.form) return answer(admitted.value.caller);
    if (answered.status === 'rejected') throw answered.reason;
    return answered.value;
  }

  /** Whoever has none, or one that is not ours, draws on the bucket of their address. */
  async function credentialOf(c: Context<Env>): Promise<Credential> {
    try {
      return await credentialIn(auth, c.req.header('authorization'));
    } catch (error) {
      if (error instanceof Failure) c.set('bucket', limit(c.get('facts').address));
      throw error;
    }
  }

  async function admit(route: Route, c: Context<Env>, credential: Credential): Promise<Admitted> {
    const admitted = await auth.admit(credential);
    c.set('bucket', admitted.bucket);
    c.set('caller', admitted.caller);
    mustBePaid(route, admitted);
    return admitted;
  }
}

/** Holds because every part of it was parsed with the route's own schemas. */
const fittingRoute = <R extends Route>(asked: unknown): Asked<R> => asked as Asked<R>;

const honoPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

function draftOf(route: Route, answered: { status: number; body: unknown; headers?: Record<string, string> }): Draft {
  const { status, body, headers } = answered;
  const contentType = route.answers[status]?.contentType;
  return {
    status,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': contentType ?? 'application/json' }),
      // What anybody may read may be kept, and asked for again by its tag; health data is kept nowhere on its way.
      'Cache-Control': route.method === 'get' && route.callers.length === 0 ? 'no-cache' : 'no-store',
      ...headers,
    },
    body: bodyText(body, contentType),
  };
}

function bodyText(body: unknown, contentType: string | undefined): string | undefined {
  if (body === undefined) return undefined;
  if (body instanceof JsonText) return body.text;
  return typeof body === 'string' && contentType ? body : JSON.stringify(body);
}

function respond(deps: Deps, c: Context<Env>, draft: Draft, failure?: Failure): Response {
  const request = asIncoming(c.req.raw);
  const fresh = request.method === 'GET' ? revalidated(draft, request.headers.get('if-none-match')) : draft;
  const { status, headers, bytes } = encoded(fresh, request.headers.get('accept-encoding'));
  const { requestId } = c.get('facts');
  const caller = c.get('caller');
  deps.log(status >= 500 ? 'error' : 'info', 'request', {
    request_id: requestId,
    method: request.method,
    route: c.get('route')?.path ?? null,
    status,
    ms: Math.round(performance.now() - c.get('startedMs')),
    ...(failure ? { code: failure.code } : {}),
    ...(caller ? { account: caller.account, env: caller.env, caller: caller.kind } : {}),
    ...(failure && status >= 500 ? { cause: failure.cause } : {}),
  });
  return asResponse({
    status,
    headers: { ...headers, ...limitHeaders(c.get('bucket')), ...forBrowsers, 'X-Request-Id': requestId },
    body: bytes,
  });
}

function failed(deps: Deps, c: Context<Env>, error: unknown): Response {
  const failure = asFailure(error);
  if (failure instanceof RateLimited) c.set('bucket', failure.bucket);
  return respond(deps, c, failureDraft(failure), failure);
}

/** A path of ours with another method is 405, or a browser's preflight; any other path is 404. */
function unserved(deps: Deps, c: Context<Env>, served: Route[]): Response {
  const path = new URL(c.req.url).pathname;
  const methods = served.filter((route) => matches(route.path, path)).map((route) => route.method.toUpperCase());
  if (methods.length === 0)
    return failed(
      deps,
      c,
      new Failure('not_found', `There is no ${c.req.method} ${path.slice(0, 200)} here: see /docs.`),
    );
  const allow = [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort().join(', ');
  if (c.req.method === 'OPTIONS')
    return respond(deps, c, {
      status: 204,
      headers: {
        Allow: allow,
        'Access-Control-Allow-Methods': allow,
        'Access-Control-Allow-Headers': 'Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-None-Match',
        'Access-Control-Max-Age': '86400',
      },
      body: undefined,
    });
  const failure = new Failure('method_not_allowed', `${c.req.method} is not possible here: use ${allow}.`);
  const draft = failureDraft(failure);
  return respond(deps, c, { ...draft, headers: { ...draft.headers, Allow: allow } }, failure);
}

function matches(template: string, path: string): boolean {
  const wanted = template.split('/');
  const given = path.split('/');
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith('{') ? given[i] !== '' : part === given[i]))
  );
}
