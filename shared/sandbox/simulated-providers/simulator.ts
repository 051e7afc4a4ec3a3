// What makes the simulated provider look like a real one: its paths, its JSON and its pushes.
// Consent, tokens and rate limits are the same for all.
import type { PushKeys } from '../../providers/kit/push.ts';
import type { ProviderResponse } from '../../providers/kit/request-flow.ts';
import type { SimulatedDay } from './simulated-day.ts';

/** A request with a user's valid token; the token itself is left out. */
export interface DataRequest {
  method: string;
  /** The host of the real provider. */
  host: string;
  path: string;
  query: Readonly<Record<string, string>>;
  /** The fields of a form body. */
  form: Readonly<Record<string, string>>;
  json: unknown;
  account: string;
  nowMs: number;
}

/**
 * The items of a resource in the provider's own format, from simulated days or written by a test.
 * Returns those that overlap the local dates, or all if none are passed.
 */
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
  /** The URL contains the path secret, for providers that do not sign pushes. */
  secretPath: boolean;
}

export interface ProviderSimulator {
  /** The response to a token request; by default that of RFC 6749. */
  renderTokens?(issued: IssuedTokens): ProviderResponse;
  /**
   * The response to a refresh token or a code that is no longer valid; by default 400
   * `invalid_grant`.
   */
  renderInvalidGrant?(): ProviderResponse;
  /** The response to an access token that is no longer valid, at that path; by default 401. */
  renderInvalidAccessToken?(path?: string): ProviderResponse;
  /** Serves data, account and subscription paths. Undefined if the path does not exist. */
  respond(request: DataRequest, items: ItemSource): ProviderResponse | undefined;
  /** Renders simulated days as the provider's items. */
  listItems(resource: string, days: readonly SimulatedDay[], account: string): readonly unknown[];
  /** The pushes when these dates have new data; omitted for providers that do not push. */
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
