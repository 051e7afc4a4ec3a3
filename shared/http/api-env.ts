// What stands in the context of every request, as Hono calls it: bindings come from outside, variables are set on the way.
import type { AdmittedCaller, Bucket } from '../system/admission.ts';
import type { Failure } from '../system/failure.ts';
import type { KnownCaller } from './caller-kind.ts';
import type { Endpoint } from './endpoint.ts';

export interface Bindings {
  requestId: string;
  /** Where the caller reached us, without a trailing slash. */
  origin: string;
  /** Where the caller is. */
  address: string;
  /**
   * The body, where the request was made without one: it is unpacked for whoever reads it, and for
   * nobody who is refused before.
   */
  body?: () => Uint8Array<ArrayBuffer>;
  /** What arrived is no request at all, and why: it is answered with this. */
  parseFailure?: Failure;
}

/** With what one go at answering leaves for the next. */
export interface ApiBindings extends Bindings {
  startedMs?: number;
  /** Turned out otherwise than was supposed, so that the request is answered once more, with this. */
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
  };
}

/** The context of a handler, whose caller is known by then. */
export interface HandlerEnv<Caller> {
  Bindings: Bindings;
  Variables: { caller: Caller; isKnownSender?: true };
}
