// What the HTTP layer needs to know about a kind of caller. Each kind is a file next to this one,
// and a route names the kinds that may call it.
import type { HonoRequest } from 'hono';
import type { AdmittedCaller } from '../system/admission.ts';
import type { Actor, ApiForm, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import type { FailureCode } from '../system/failure.ts';

/** A caller as the HTTP layer sees it: the fields for the log, and those that a route may check. */
export interface KnownCaller {
  kind: string;
  account?: string;
  env?: Environment;
  form?: ApiForm;
  /** Set for callers whose acts the audit trail records. */
  actor?: Actor;
}

/**
 * A genuine credential of its kind, found in a request with at most a cheap read from the table.
 */
export interface Credential<C extends KnownCaller = KnownCaller> {
  /** The only user that the caller may access, if there is one. */
  userId?: string;
  /** Admits the caller as of now, with one table call. */
  admit(): Promise<AdmittedCaller<C>>;
  /**
   * Returns the caller as of the last admission by this process. Missing if only admission can
   * tell.
   */
  findCachedCaller?(): C | undefined;
}

export type Recognize<C extends KnownCaller = KnownCaller> = (
  request: HonoRequest,
) => Promise<Credential<C> | undefined>;

export interface CallerKind<C extends KnownCaller = KnownCaller> {
  /** The name in logs, and of the security scheme in the OpenAPI document. */
  name: C['kind'];
  securityScheme: { type: 'http' | 'apiKey'; description: string; [more: string]: string };
  /** The failures that a route may return because it accepts this kind. */
  failures: readonly FailureCode[];
  /**
   * Whether the request carries a credential of this kind, valid or not. If it carries none,
   * `missingMessage` says what to send.
   */
  isPresent(request: HonoRequest): boolean;
  /** For requests without a credential on a route for this kind. */
  missingMessage: string;
  /** For requests with a credential that is not recognized there. */
  unknownMessage: string;
  /** For callers of this kind on routes that do not accept it. */
  wrongEndpointMessage?: string;
  /** For callers of this kind that are limited to one user and name another. */
  otherUserMessage?: string;
  /**
   * Other kinds that are recognized on routes for this one, so that their callers get
   * `wrongEndpointMessage` instead of an unknown-token failure.
   */
  alsoRecognizes?: readonly CallerKind[];
  /**
   * Called once per function. The recognizer returns undefined if the request has no genuine
   * credential of this kind.
   */
  createRecognizer(deps: Deps): Recognize<C>;
}
