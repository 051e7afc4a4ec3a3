// What a vendor sends by itself: how it is known to be from the vendor, what it says, and how it wants to be answered.
import type { VendorPage } from './pages.ts';
import type { ProviderCredentials } from './vendor.ts';

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

export type PushNote =
  /** The data itself, cut down to this account. */
  | { account: string; what: 'data'; page: VendorPage }
  /** These local days are to be read again. */
  | { account: string; what: 'days'; from: string; to: string }
  /** An object was made or changed; which days it is on is asked for (`FetchRules.locate`). */
  | { account: string; what: 'object'; resource: string; id: string }
  /** A session is gone: the days it stood on are read again. */
  | { account: string; what: 'deleted'; kind: 'sleep' | 'workouts'; id: string }
  /** The person has ended the consent at the vendor, it says; the token is tried before it is believed. */
  | { account: string; what: 'ended' };

export interface PushContent {
  notes: readonly PushNote[];
  /** What tells this message from every other, where the vendor has such a thing: a repeat is ignored. */
  name?: string;
}

export interface PushAnswer {
  status: number;
  json?: unknown;
}

export interface PushRules {
  /** Undefined: not a question we answer. */
  handshake?(request: PushRequest, keys: PushKeys): PushAnswer | undefined;
  /** False: it is not from the vendor, or too old. Compares in constant time. */
  isGenuine(request: PushRequest, keys: PushKeys): boolean;
  /** Only what is genuine is read. Undefined: nothing that we know how to read. */
  read(request: PushRequest): PushContent | undefined;
  accepted: PushAnswer;
}
