// What the HTTP layer needs to know about a kind of caller. Each kind is a file next to this one,
// and a route names the kinds that may call it.
import type { HonoRequest } from 'hono';
import type { AdmittedCaller } from '../system/admission.ts';
import type { Actor, ApiForm, ColleagueRole, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import type { Failure, FailureCode } from '../system/failure.ts';
import type { Changed, Revealed } from '../system/role-rights.ts';

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
  /** Called with the status of the response. Must not write to the table. */
  noteStatus?(status: number): void;
}

/** A request as a kind of caller sees it. */
export type CallerRequest = HonoRequest;

export type Recognize<C extends KnownCaller = KnownCaller> = (
  request: HonoRequest,
) => Promise<Credential<C> | undefined>;

/** What an endpoint demands of its callers. */
export interface EndpointDemands {
  /** What the response reveals. A colleague's role must permit this and `changes`. */
  reveals: Revealed;
  /**
   * What the request changes or hands out, which also decides whether a colleague needs a recent
   * sign-in. Every endpoint that is not a GET has to say it.
   */
  changes?: Changed;
  /** The roles of colleagues that may call the endpoint besides those that follow from the above. */
  alsoForRoles?: readonly ColleagueRole[];
}

export interface CallerKind<C extends KnownCaller = KnownCaller> {
  /** The name in logs, and of the security scheme in the OpenAPI document. */
  name: C['kind'];
  securityScheme: { type: 'http' | 'apiKey'; description: string; [more: string]: string };
  /** The failures that a route may return because it accepts this kind. */
  failures: readonly FailureCode[];
  /** Those that it may return, besides, because of what it demands of this kind. */
  listDemandFailures?(endpoint: EndpointDemands): readonly FailureCode[];
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
   * Accepted beside the kinds that customers use, and not documented to them. An endpoint for such
   * kinds alone is documented with them.
   */
  isInternal?: true;
  /** The `Cache-Control` of every response to such a caller, if it is not the endpoint's. */
  cacheControl?: string;
  /** Why this caller may not call the endpoint. Asked with every admission, never from a cache. */
  findRefusal?(caller: C, endpoint: EndpointDemands): Failure | undefined;
  /**
   * Called once per function. The recognizer returns undefined if the request has no genuine
   * credential of this kind.
   */
  createRecognizer(deps: Deps): Recognize<C>;
}

/** The kind that admitted a caller of an endpoint. */
export const findCallerKind = (
  callers: readonly CallerKind[] | undefined,
  caller: KnownCaller | undefined,
): CallerKind | undefined => callers?.find(({ name }) => name === caller?.kind);

/** The kinds that the OpenAPI document names: internal ones only where there are no others. */
export function listDocumentedKinds(callers: readonly CallerKind[]): readonly CallerKind[] {
  const documented = callers.filter(({ isInternal }) => !isInternal);
  return documented.length > 0 ? documented : callers;
}
