// What makes the sandbox's vendor look like one of the real ones: its paths, its JSON, its pushes. Consent, tokens and limits are the same for all.
import type { PushKeys } from '../../providers/kit/push.ts';
import type { VendorReply } from '../../providers/kit/vendor.ts';
import type { LifeDay } from './life.ts';

/** A request with a person's token, which is good; the token itself is left out. */
export interface DataRequest {
  method: string;
  /** As at the real vendor. */
  host: string;
  path: string;
  query: Readonly<Record<string, string>>;
  /** Of a form. */
  form: Readonly<Record<string, string>>;
  json: unknown;
  account: string;
  nowMs: number;
}

/** The items of a resource in the vendor's own shape: of a made-up life, or written down by a test. Those that touch the given local dates, or all. */
export type ItemsOf = (resource: string, dates?: { from: string; to: string }) => readonly unknown[];

export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  expiresInSeconds: number;
  account: string;
  scopes: readonly string[];
  /** False for a refresh. */
  isFirst: boolean;
}

export interface OutgoingPush {
  headers: Readonly<Record<string, string>>;
  body: string;
  /** With the path's secret, where the vendor signs nothing. */
  secretPath: boolean;
}

export interface VendorShapes {
  /** The answer to a token request; RFC 6749's unless told. */
  tokens?(issued: IssuedTokens): VendorReply;
  /** How it says that a refresh token, or a code, is not good any more; 400 `invalid_grant` unless told. */
  deadToken?(): VendorReply;
  /** How it says, at that path, that an access token is not good any more; 401 unless told. */
  badToken?(path?: string): VendorReply;
  /** Data, account and subscription paths. Undefined: no such path. */
  answer(request: DataRequest, items: ItemsOf): VendorReply | undefined;
  /** A made-up life in the vendor's items. */
  items(resource: string, days: readonly LifeDay[], account: string): readonly unknown[];
  /** What it sends by itself when these dates have news; nothing for vendors that send nothing. */
  pushes?(account: string, days: readonly LifeDay[], keys: PushKeys, nowMs: number): readonly OutgoingPush[];
}

export const vendorJson = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): VendorReply => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: JSON.stringify(body),
});
