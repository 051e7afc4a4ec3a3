// A person's consent as a vendor grants it: tokens, when they run out, and whose account it is.
import type { ProviderCredentials, ProviderRequest, ProviderResponse, RequestFlow } from './request-flow.ts';

export interface Grant {
  accessToken: string;
  /** Null where the vendor gives none: when the access token has run out, the person connects again. */
  refreshToken: string | null;
  /** Null where the vendor does not say. */
  expiresMs: number | null;
  /** What the person has allowed; null where the vendor does not say. */
  scopes: readonly string[] | null;
}

/** Of a vendor's name for an account: it stands in keys. */
export const maxAccountLength = 256;

/** Whose account was linked, as the vendor's pushes name it. */
export interface LinkedGrant extends Grant {
  account: string;
}

export interface ConsentRequest {
  credentials: ProviderCredentials;
  redirectUri: string;
  /** Ours; it comes back with the code. */
  state: string;
  /** The PKCE challenge (S256); undefined where the provider takes none. */
  challenge: string | undefined;
}

export interface CodeExchange {
  credentials: ProviderCredentials;
  redirectUri: string;
  code: string;
  /** PKCE's; undefined where the provider was shown no challenge. */
  verifier: string | undefined;
  /** An id of ours that some vendors want when a person is registered. */
  externalId: string;
  nowMs: number;
  /** What came back to the callback besides the code: Strava says there what was allowed. */
  query: Readonly<Record<string, string>>;
}

export interface GrantContext {
  credentials: ProviderCredentials;
  grant: Grant;
  account: string;
  nowMs: number;
}

/** The vendor refused: why, and in the message what to tell the person; nothing of theirs is in it. */
export class GrantRefused extends Error {
  readonly reason: 'scopes_missing' | 'code_refused' | 'not_configured';
  constructor(reason: GrantRefused['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The vendor's answer to a refresh, judged: `dead` says that this very token will never work again; `ours` that our own credentials are refused; `unclear` everything else. */
export type RefreshOutcome = Grant | 'dead' | 'ours' | 'unclear';

export interface RefreshAdapter {
  buildRequest(context: GrantContext): ProviderRequest;
  interpret(response: ProviderResponse, context: GrantContext): RefreshOutcome;
  /** Whose tokens a good answer holds, as `LinkedGrant` names them, where the vendor says so. */
  readAccount?(response: ProviderResponse): string | undefined;
}

export interface GrantAdapter {
  buildAuthorizeUrl(consent: ConsentRequest): string;
  /** From the code to a grant and whose it is; these requests carry no token unless the talk puts it into the headers itself. Throws `GrantRefused`. */
  exchange(requested: CodeExchange): RequestFlow<LinkedGrant>;
  /** Null: nothing to refresh. */
  refresh: RefreshAdapter | null;
  /** A second opinion where `dead` alone proves nothing (COROS has a bind state): false keeps the connection. */
  confirmTokenInvalid?(context: GrantContext): RequestFlow<boolean>;
  /** Ends the consent at the vendor. Succeeds too where it had ended before. Throws `Unexpected` when it is to be tried again. */
  revoke(context: GrantContext): RequestFlow<void>;
  /** How a data request shows whose it is; a bearer header unless told. */
  authorizeRequest?(request: ProviderRequest, context: GrantContext): ProviderRequest;
  /** For vendors that answer a data request with 200 and say in the body how it went. Undefined: as the HTTP status says. */
  classifyResponse?(response: ProviderResponse): ResponseClass | undefined;
}

/** As 401, 429 and 5xx say it elsewhere: the access token ran out, they were asked too often, or they are away for now. */
export type ResponseClass = 'expired' | 'too_many' | 'away';
