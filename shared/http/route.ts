// A route is data: API Gateway, the OpenAPI document, the all-routes tests and people read the same one.
import type * as z from 'zod';
import type { FailureCode } from '../model/failure.ts';
import type { JsonLimits } from './json-shape.ts';

export type CallerKind = 'api_key' | 'user_token' | 'sdk_session';
export type Method = 'get' | 'post' | 'patch' | 'delete';

export interface Answer {
  description: string;
  /** The JSON body; none means an empty answer. */
  schema?: z.ZodType;
  /** For the few answers that are not JSON. */
  contentType?: string;
  example?: unknown;
}

export interface BodyLimits {
  /** As it is sent. */
  wireBytes: number;
  /** After unpacking gzip. */
  unpackedBytes: number;
  /** Where it may be larger than usual in other ways. */
  shape?: Partial<JsonLimits>;
}

export interface Route {
  method: Method;
  /** With parameters in braces, as API Gateway and OpenAPI write them. */
  path: string;
  operationId: string;
  tag: string;
  summary: string;
  description: string;
  /** Who may call it; an empty list means anybody, without a token. */
  callers: readonly CallerKind[];
  /** Asked so often by design that nobody is limited in it. */
  unlimited?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  headers?: z.ZodObject;
  body?: z.ZodType;
  /** The body in the OpenAPI document, where `body` checks less because its parts are judged one by one. */
  documentedBody?: z.ZodType;
  /** Where a body may be larger than usual, or packed. */
  bodyLimits?: BodyLimits;
  /** Query parameters of the other form of the contract, and the one to use here. */
  otherForm?: Readonly<Record<string, string>>;
  /** Likewise for accounts that are served Form 1, where the route tells the two apart. */
  otherFormOfForm1?: Readonly<Record<string, string>>;
  answers: Readonly<Record<number, Answer>>;
  /** The codes it may fail with, beyond those every route has. */
  failures: readonly FailureCode[];
}

/** Keeps a route's exact types, so that its handler is checked against them. */
export const route = <const R extends Route>(definition: R): R => definition;
