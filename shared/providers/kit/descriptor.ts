// What a provider can do and how it is spoken to, as data.
import type { SampleId } from '../../catalog/metrics.ts';
import type { CloudProviderId, DataDelivery, DeviceType, SdkProviderId } from '../../catalog/provider.ts';

/** Where the provider says whose account was linked. */
export type AccountIdSource =
  | { from: 'token_reply'; field: string }
  | { from: 'access_token_claim'; field: string }
  | { from: 'request'; url: string; field: string };

/** A link that needs one more call before the provider serves data. In `body`, `{external_id}` stands for an id of ours for the user, `{account_id}` for the provider's. */
export interface RegistrationConfig {
  method: 'POST';
  url: string;
  body: Readonly<Record<string, string>>;
}

/** How consent is given back. In `url`, `{account_id}` stands for the provider's id of the user; in `fields`, `{token}` for the token that ends, the refresh token where there is one. */
export type RevocationConfig =
  | { by: 'none'; why: string }
  | { by: 'bearer'; method: 'DELETE' | 'GET'; url: string }
  | { by: 'query'; method: 'POST'; url: string; tokenParameter: string }
  | { by: 'form'; method: 'POST'; url: string; clientAuth: ClientAuth; fields: Readonly<Record<string, string>> }
  | { by: 'signed_action'; method: 'POST'; url: string; action: string; nonceUrl: string };

/** Whether the client's id and secret travel in the form body or in a Basic header. */
export type ClientAuth = 'body' | 'basic';

export interface OAuthConfig {
  authorizeUrl: string;
  /** Sent to the authorize URL besides the standard parameters. */
  authorizeParameters: Readonly<Record<string, string>>;
  tokenUrl: string;
  /** Where a refresh goes, if not to the token URL. */
  refreshUrl?: string;
  /** Sent to the token URL besides the standard fields. */
  tokenParameters: Readonly<Record<string, string>>;
  /** `wrapped`: the reply is {status, body}, and only status 0 is a success, whatever HTTP says. */
  tokenResponse: 'standard' | 'wrapped';
  clientAuth: ClientAuth;
  /**
   * Whether the provider takes a PKCE challenge (S256); false where it documents none, since it may
   * refuse what it does not know.
   */
  pkce: boolean;
  scopeSeparator: ' ' | ',';
  refreshTokenRotates: boolean;
  account: AccountIdSource;
  registration?: RegistrationConfig;
  revocation: RevocationConfig;
}

interface BaseDescriptor {
  name: string;
  deviceType: DeviceType;
  /** The daily metrics and sampled scores that its adapter can fill, by what the provider documents. */
  metrics: readonly SampleId[];
  delivery: readonly DataDelivery[];
  /** How far the first sync reaches back. */
  historyDays: number;
  scopes: readonly string[];
}

/** How the vendor is asked, so that nothing is missed and nobody is a nuisance. */
export interface SyncConfig {
  /** Days asked for at once, in the first sync and later: few enough that it takes a few dozen requests and some ten thousand records. */
  windowDays: number;
  /** So many days back are read with every sync: what arrives late or is edited. */
  rereadDays: number;
  /** How often a person's data is asked for where nothing is pushed; more often while it brings data (`poll-pace.ts`). */
  pollIntervalMinutes: number;
  /** A vendor that pushes is asked all the same when nothing came for so long; null: it may not be asked (Garmin). */
  maxSilenceMinutes: number | null;
}

/** At most so many requests in any such stretch of time, all persons of this deployment together, or each. */
export interface ProviderRateLimit {
  requests: number;
  seconds: number;
  per: 'deployment' | 'person';
}

/** When a vendor's word that a token is dead is believed: said so often, with so long between. */
export interface InvalidTokenPolicy {
  minReports: number;
  minMinutesApart: number;
}

/** What a deployment needs besides a client id and secret. */
export interface CredentialSpec {
  name: string;
  required: boolean;
  description: string;
}

export interface PushConfig {
  /** What it sends is not signed, so its address holds a secret. */
  hasSecretPath: boolean;
  /** The data itself is in it. */
  carriesData: boolean;
  /** Its subscription came with a secret that every push is checked by. */
  hasSubscriptionSecret?: true;
  /** The credential that its pushes are verified by: without it they are refused, and data is asked for. */
  credential?: string;
  /** It announces addresses of data that nothing else leads to, so none may be forgotten. */
  sendsCallbackUrls?: true;
}

export interface CloudDescriptor extends BaseDescriptor {
  id: CloudProviderId;
  connection: 'cloud';
  /** The start of every data call. */
  apiUrl: string;
  /** Of what is stored now; `normalizers.ts` has who reads it, and who reads those before. */
  format: number;
  oauth: OAuthConfig;
  sync: SyncConfig;
  rateLimits: readonly ProviderRateLimit[];
  invalidTokenPolicy: InvalidTokenPolicy;
  credentials: readonly CredentialSpec[];
  /** Null where the vendor sends nothing by itself. */
  push: PushConfig | null;
}

export interface SdkDescriptor extends BaseDescriptor {
  id: SdkProviderId;
  connection: 'sdk';
}

export type ProviderDescriptor = CloudDescriptor | SdkDescriptor;

/** What most providers do, to be spread into a descriptor and overridden where one differs. */
export const defaultOAuth = {
  authorizeParameters: {},
  tokenParameters: {},
  tokenResponse: 'standard',
  clientAuth: 'body',
  pkce: false,
  scopeSeparator: ' ',
  refreshTokenRotates: false,
} as const satisfies Partial<OAuthConfig>;
