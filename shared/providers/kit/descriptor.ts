// What a provider supports and how requests to it are made, as data.
import type { SampleId } from '../../catalog/metrics.ts';
import type { CloudProviderId, DataDelivery, DeviceType, SdkProviderId } from '../../catalog/provider.ts';

/** Where the provider reports which account was linked. */
export type AccountIdSource =
  | { from: 'token_reply'; field: string }
  | { from: 'access_token_claim'; field: string }
  | { from: 'request'; url: string; field: string };

/**
 * An additional request that some providers require before they serve data. In `body`,
 * `{external_id}` is replaced by our id of the user and `{account_id}` by the provider's.
 */
export interface RegistrationConfig {
  method: 'POST';
  url: string;
  body: Readonly<Record<string, string>>;
}

/**
 * How consent is revoked. In `url`, `{account_id}` is replaced by the provider's id of the user; in
 * `fields`, `{token}` is replaced by the token to revoke, which is the refresh token if there is
 * one.
 */
export type RevocationConfig =
  | { by: 'none'; why: string }
  | { by: 'bearer'; method: 'DELETE' | 'GET'; url: string }
  | { by: 'query'; method: 'POST'; url: string; tokenParameter: string }
  | { by: 'form'; method: 'POST'; url: string; clientAuth: ClientAuth; fields: Readonly<Record<string, string>> }
  | { by: 'signed_action'; method: 'POST'; url: string; action: string; nonceUrl: string };

/** Whether the client id and secret are sent in the form body or in a Basic header. */
export type ClientAuth = 'body' | 'basic';

export interface OAuthConfig {
  authorizeUrl: string;
  /** Sent to the authorize URL in addition to the standard parameters. */
  authorizeParameters: Readonly<Record<string, string>>;
  tokenUrl: string;
  /** The URL for refreshes, if it is not the token URL. */
  refreshUrl?: string;
  /** Sent to the token URL in addition to the standard fields. */
  tokenParameters: Readonly<Record<string, string>>;
  /**
   * `wrapped`: the response is {status, body}, and only status 0 means success, regardless of the
   * HTTP status.
   */
  tokenResponse: 'standard' | 'wrapped';
  clientAuth: ClientAuth;
  /**
   * Whether the provider supports a PKCE challenge (S256). False if it documents none, since it may
   * reject unknown parameters. The sandbox always uses PKCE.
   */
  pkce: boolean;
  scopeSeparator: ' ' | ',';
  /**
   * Whether a refresh invalidates the refresh token. Only the simulated provider reads it: a token
   * that the provider returns is always kept.
   */
  refreshTokenRotates: boolean;
  account: AccountIdSource;
  registration?: RegistrationConfig;
  revocation: RevocationConfig;
}

interface BaseDescriptor {
  name: string;
  /** The brand of its devices, if people look for that instead of the name. */
  deviceBrand?: string;
  deviceType: DeviceType;
  /**
   * The daily metrics and sampled scores that its adapter can fill, according to the provider's
   * documentation.
   */
  metrics: readonly SampleId[];
  delivery: readonly DataDelivery[];
  /** How far back the first sync reaches. */
  historyDays: number;
  scopes: readonly string[];
}

/** How the provider is polled, so that no data is missed and its API is not overloaded. */
export interface SyncConfig {
  /**
   * The days per request window, in the first sync and later. Few enough that a window takes a few
   * dozen requests and about ten thousand records.
   */
  windowDays: number;
  /** Every sync reads this many past days again, for data that arrives late or is edited. */
  rereadDays: number;
  /**
   * How often a user's data is polled if nothing is pushed. Polls are more frequent while they
   * bring data (`poll-interval.ts`).
   */
  pollIntervalMinutes: number;
  /**
   * A provider that pushes is polled after this many minutes without a push at the latest; null if
   * it must not be polled (Garmin).
   */
  maxSilenceMinutes: number | null;
  /**
   * How many requests a poll of an average person takes, as the simulated provider counts them. It
   * says how many people a limit serves; the requests themselves are counted one by one.
   */
  requestsPerPoll: number;
}

/**
 * At most `requests` requests in any `seconds` seconds, for the whole deployment or for each user.
 */
export interface ProviderRateLimit {
  requests: number;
  seconds: number;
  per: 'deployment' | 'person';
}

/** When a report that a token is invalid is accepted: after this many reports, this far apart. */
export interface InvalidTokenPolicy {
  minReports: number;
  minMinutesApart: number;
}

/** A setting that a deployment needs in addition to a client id and secret. */
export interface CredentialSpec {
  name: string;
  required: boolean;
  description: string;
}

export interface PushConfig {
  /** Pushes are not signed, so their URL contains a secret. */
  hasSecretPath: boolean;
  /** Pushes contain the data itself. */
  carriesData: boolean;
  /** The subscription has a secret that every push is verified with. */
  hasSubscriptionSecret?: true;
  /**
   * The credential that pushes are verified with. Without it, pushes are rejected and data is
   * polled.
   */
  credential?: string;
  /** Pushes announce URLs of data that cannot be found in any other way, so none may be lost. */
  sendsCallbackUrls?: true;
}

export interface CloudDescriptor extends BaseDescriptor {
  id: CloudProviderId;
  connection: 'cloud';
  /** The base URL of every data request. */
  apiUrl: string;
  /**
   * The format version of data that is stored now. `cloud-normalizers.ts` maps it and earlier
   * versions to normalizers.
   */
  format: number;
  oauth: OAuthConfig;
  sync: SyncConfig;
  rateLimits: readonly ProviderRateLimit[];
  invalidTokenPolicy: InvalidTokenPolicy;
  credentials: readonly CredentialSpec[];
  /** Null if the provider does not push. */
  push: PushConfig | null;
}

export interface SdkDescriptor extends BaseDescriptor {
  id: SdkProviderId;
  connection: 'sdk';
}

export type ProviderDescriptor = CloudDescriptor | SdkDescriptor;

/** The settings of most providers. A descriptor spreads them and overrides what differs. */
export const defaultOAuth = {
  authorizeParameters: {},
  tokenParameters: {},
  tokenResponse: 'standard',
  clientAuth: 'body',
  pkce: false,
  scopeSeparator: ' ',
  refreshTokenRotates: false,
} as const satisfies Partial<OAuthConfig>;
