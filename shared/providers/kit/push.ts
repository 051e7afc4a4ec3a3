// What a vendor sends by itself: how it is known to be from the vendor, what it says, and how it wants to be answered.
import type { ProviderPage } from './provider-pages.ts';
import type { ProviderCredentials } from './request-flow.ts';

export interface PushRequest {
  method: 'GET' | 'HEAD' | 'POST';
  /** In lower case. */
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The last part of the path, for vendors that sign nothing; undefined where there is none. */
  pathSecret: string | undefined;
  body: Uint8Array;
  receivedMs: number;
}

export interface PushKeys {
  credentials: ProviderCredentials;
  /** Ours, and known to the vendor only: for the last part of the path. */
  pathSecret: string;
  /** Ours: what a vendor shows when it asks whether the address is ours. */
  verificationToken: string;
  /** What the vendor gave us when the subscription was made (Polar's signing key). */
  subscriptionSecret: string | undefined;
}

export type PushNotification =
  /** The data itself, cut down to this account. */
  | { account: string; what: 'data'; page: ProviderPage }
  /** These local days are to be read again. */
  | { account: string; what: 'days'; from: string; to: string }
  /** An object was made or changed; which days it is on is asked for (`FetchRules.locate`). */
  | { account: string; what: 'object'; resource: string; id: string }
  /** A session is gone: the days it stood on are read again. */
  | { account: string; what: 'deleted'; kind: 'sleep' | 'workouts'; id: string }
  /** The person has ended the consent at the vendor, it says; the token is tried before it is believed. */
  | { account: string; what: 'ended' };

export interface PushContent {
  notifications: readonly PushNotification[];
  /** What tells this message from every other, where the vendor has such a thing: a repeat is ignored. */
  messageId?: string;
}

export interface PushResponse {
  status: number;
  json?: unknown;
}

/** Lambda takes an event of 6 MB, in which the quotes of a body count twice. */
export const maxPushBytes = 4_500_000;
/** An announcement that carries no data has a few hundred bytes. */
export const defaultMaxPushBytes = 64_000;

export interface PushAdapter {
  /**
   * The longest body that is looked at, where the provider sends more than announcements;
   * `defaultMaxPushBytes` unless told.
   */
  maxBytes?: number;
  /**
   * For what a provider asks without showing who it is: an answer that says nothing, and is given
   * to anybody. Undefined: nothing of that kind.
   */
  answerProbe?(request: PushRequest): PushResponse | undefined;
  /**
   * Undefined: not a question we answer. As in `isGenuine`, nothing is parsed before the secret was
   * right.
   */
  answerHandshake?(request: PushRequest, keys: PushKeys): PushResponse | undefined;
  /**
   * False: it is not from the vendor, or too old. Compares in constant time, from headers, path and
   * raw bytes: a stranger's body is never parsed, unless something that only the provider knows was
   * right before.
   */
  isGenuine(request: PushRequest, keys: PushKeys): boolean;
  /** Only what is genuine is read. Undefined: nothing that we know how to read. */
  read(request: PushRequest): PushContent | undefined;
  acceptedResponse: PushResponse;
}
