// The context of every request in Hono's terms: bindings come from outside, variables are set along
// the way.
import type { AdmittedCaller, Bucket } from '../system/admission.ts';
import type { Failure } from '../system/failure.ts';
import type { KnownCaller } from './caller-kind.ts';
import type { Endpoint } from './endpoint.ts';

export interface Bindings {
  requestId: string;
  /** The URL at which the caller reached the service, without a trailing slash. */
  origin: string;
  /** The caller's IP address. */
  address: string;
  /**
   * The body, for requests constructed without one. It is decoded only when it is read, so never
   * for a request that is rejected earlier.
   */
  body?: () => Uint8Array<ArrayBuffer>;
  /** Why the event could not become a `Request`. This failure is the response. */
  parseFailure?: Failure;
}

/** Bindings, with the state that one attempt at a response leaves for the next. */
export interface ApiBindings extends Bindings {
  startedMs?: number;
  /** Called with the status of the response. */
  noteStatus?(status: number): void;
  /** The admission that contradicted the cached caller. The request is answered again with it. */
  settledAdmission?: PromiseSettledResult<AdmittedCaller<KnownCaller>>;
}

export interface ApiEnv {
  Bindings: ApiBindings;
  Variables: {
    endpoint?: Endpoint;
    bucket?: Bucket;
    caller?: KnownCaller;
    failure?: Failure;
    isKnownSender?: true;
    actedOn?: readonly string[];
  };
}

/** The context of a handler, for which the caller is known. */
export interface HandlerEnv<Caller> {
  Bindings: Bindings;
  Variables: {
    caller: Caller;
    isKnownSender?: true;
    /** The ids of what the handler has created, for the audit trail. The path has all others. */
    actedOn?: readonly string[];
  };
}
