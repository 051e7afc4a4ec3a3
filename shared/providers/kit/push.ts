// How a provider's pushes are verified, read and answered.
import type { ProviderPage } from './provider-pages.ts';
import type { ProviderCredentials } from './request-flow.ts';

export interface PushRequest {
  method: 'GET' | 'HEAD' | 'POST';
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /**
   * The last segment of the path, for providers that do not sign pushes; undefined if there is
   * none.
   */
  pathSecret: string | undefined;
  body: Uint8Array;
  receivedMs: number;
}

export interface PushKeys {
  credentials: ProviderCredentials;
  /** Our secret for the last segment of the path, shared only with the provider. */
  pathSecret: string;
  /** Our token that the provider presents when it verifies that the URL is ours. */
  verificationToken: string;
  /**
   * The secret that the provider returned when the subscription was created (Polar's signing key).
   */
  subscriptionSecret: string | undefined;
}

export type PushNotification =
  /** The data itself, reduced to this account. */
  | { account: string; what: 'data'; page: ProviderPage }
  /** These local days have to be read again. */
  | { account: string; what: 'days'; from: string; to: string }
  /** An object was created or changed; `FetchAdapter.locate` finds its days. */
  | { account: string; what: 'object'; resource: string; id: string }
  /** A session was deleted; the days it was on are read again. */
  | { account: string; what: 'deleted'; kind: 'sleep' | 'workouts'; id: string }
  /** The provider reports that the user revoked the consent; trying the token confirms it. */
  | { account: string; what: 'ended' };

export interface PushContent {
  notifications: readonly PushNotification[];
  /** Identifies the message, if the provider sends such an id. A repeated message is ignored. */
  messageId?: string;
}

export interface PushResponse {
  status: number;
  json?: unknown;
}

/** Lambda accepts an event of 6 MB, in which each quote of the body takes two bytes. */
export const maxPushBytes = 4_500_000;
/** A notification without data has a few hundred bytes. */
export const defaultMaxPushBytes = 64_000;

export interface PushAdapter {
  /**
   * The largest body that is accepted, for providers that send more than notifications;
   * `defaultMaxPushBytes` by default.
   */
  maxBytes?: number;
  /**
   * Answers requests that a provider sends without authenticating itself. The response reveals
   * nothing, so anyone may receive it. Undefined if the request is not such a probe.
   */
  answerProbe?(request: PushRequest): PushResponse | undefined;
  /**
   * Undefined if the request is not a handshake. As in `isGenuine`, nothing is parsed before the
   * secret was verified.
   */
  answerHandshake?(request: PushRequest, keys: PushKeys): PushResponse | undefined;
  /**
   * False if the push is not from the provider, or too old. Compares in constant time, using
   * headers, path and raw bytes. The body of a stranger is never parsed, unless a secret that only
   * the provider knows was verified before.
   */
  isGenuine(request: PushRequest, keys: PushKeys): boolean;
  /** Called only for genuine pushes. Undefined if the content is not recognized. */
  read(request: PushRequest): PushContent | undefined;
  acceptedResponse: PushResponse;
}
