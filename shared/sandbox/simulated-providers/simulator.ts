// What makes the sandbox's vendor look like one of the real ones: its paths, its JSON, its pushes. Consent, tokens and limits are the same for all.
import type { PushKeys } from '../../providers/kit/push.ts';
import type { ProviderResponse } from '../../providers/kit/request-flow.ts';
import type { SimulatedDay } from './simulated-day.ts';

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
export type ItemSource = (resource: string, dates?: { from: string; to: string }) => readonly unknown[];

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

export interface ProviderSimulator {
  /** The answer to a token request; RFC 6749's unless told. */
  renderTokens?(issued: IssuedTokens): ProviderResponse;
  /** How it says that a refresh token, or a code, is not good any more; 400 `invalid_grant` unless told. */
  renderInvalidGrant?(): ProviderResponse;
  /** How it says, at that path, that an access token is not good any more; 401 unless told. */
  renderInvalidAccessToken?(path?: string): ProviderResponse;
  /** Data, account and subscription paths. Undefined: no such path. */
  respond(request: DataRequest, items: ItemSource): ProviderResponse | undefined;
  /** A made-up life in the vendor's items. */
  listItems(resource: string, days: readonly SimulatedDay[], account: string): readonly unknown[];
  /** What it sends by itself when these dates have news; nothing for vendors that send nothing. */
  buildPushes?(account: string, days: readonly SimulatedDay[], keys: PushKeys, nowMs: number): readonly OutgoingPush[];
}

export const jsonProviderResponse = (
  body: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): ProviderResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  text: JSON.stringify(body),
});
