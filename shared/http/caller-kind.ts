// What the kit has to know of a kind of caller. A kind is one file beside this one; a route names those that may call it.
import type { HonoRequest } from 'hono';
import type { AdmittedCaller } from '../system/admission.ts';
import type { ApiForm, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import type { FailureCode } from '../system/failure.ts';

/** A caller as the kit sees it: what it is logged by, and what a route may ask of it. */
export interface KnownCaller {
  kind: string;
  account?: string;
  env?: Environment;
  form?: ApiForm;
}

/** Something a request shows that is really of its kind; nothing was read from the table for it, or as good as nothing. */
export interface Credential<C extends KnownCaller = KnownCaller> {
  /** The only user it may ask about, where there is one. */
  userId?: string;
  /** One table call: who it is now, if they may come in now. */
  admit(): Promise<AdmittedCaller<C>>;
  /** Who it stood for when this process last admitted it; missing where only admitting it can tell. */
  findCachedCaller?(): C | undefined;
}

export type Recognize<C extends KnownCaller = KnownCaller> = (
  request: HonoRequest,
) => Promise<Credential<C> | undefined>;

export interface CallerKind<C extends KnownCaller = KnownCaller> {
  /** In logs, and of the security scheme in the OpenAPI document. */
  name: C['kind'];
  securityScheme: { type: 'http' | 'apiKey'; description: string; [more: string]: string };
  /** What a route may answer because it takes this kind. */
  failures: readonly FailureCode[];
  /** Whether a request carries what this kind is known by, good or not; where it carries none, `missingMessage` says what to send. */
  isPresent(request: HonoRequest): boolean;
  /** For whoever shows no credential on a route for this kind. */
  missingMessage: string;
  /** For whoever shows one that is not recognized there. */
  unknownMessage: string;
  /** For callers of this kind on routes that are not for them. */
  wrongEndpointMessage?: string;
  /** For callers of this kind that are confined to one user and name another. */
  otherUserMessage?: string;
  /** Kinds whose holders are told so on routes for this one, instead of being taken for strangers. */
  alsoRecognizes?: readonly CallerKind[];
  /** Once for each function; undefined means that the request shows nothing that is really of this kind. */
  createRecognizer(deps: Deps): Recognize<C>;
}
