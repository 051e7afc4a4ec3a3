// The calls of the Mobile SDK: installations, sessions, credentials and uploads.
import { randomUUID } from 'node:crypto';
import type { SdkBootstrap, SdkCredentials, SdkSessionRequest } from '../../shared/mobile/sdk-session.ts';
import type { ApiResponse } from './send-request.ts';
import type { System } from './system.ts';

/** Any service that can be called over HTTP. */
type ApiCaller = Pick<System, 'call'>;

export const installation = (more: Partial<SdkSessionRequest> = {}): SdkSessionRequest => ({
  app_id: 'com.example.health',
  installation_id: randomUUID(),
  platform: 'ios',
  provider: 'apple_health',
  ...more,
});

export const requestSession = (
  system: ApiCaller,
  token: string,
  userId: string,
  body: unknown = installation(),
  key: string = randomUUID(),
): Promise<ApiResponse> =>
  system.call('POST', `/v1/users/${userId}/sdk-sessions`, { token, body, headers: { 'idempotency-key': key } });

export async function openSession(
  system: ApiCaller,
  token: string,
  userId: string,
  body: SdkSessionRequest = installation(),
): Promise<SdkBootstrap> {
  return expectSuccess(await requestSession(system, token, userId, body)).body;
}

export const exchange = (system: ApiCaller, clientToken: string, more: object = {}): Promise<ApiResponse> =>
  system.call('POST', '/v1/sdk/sessions/exchange', { body: { client_token: clientToken, ...more } });

export const refresh = (system: ApiCaller, refreshToken: string): Promise<ApiResponse> =>
  system.call('POST', '/v1/sdk/sessions/refresh', { body: { refresh_token: refreshToken } });

/** The credentials of a phone that has claimed its session. */
export async function createCredentials(
  system: ApiCaller,
  token: string,
  userId: string,
  more: Partial<SdkSessionRequest> = {},
): Promise<SdkCredentials> {
  const { client_token } = await openSession(system, token, userId, installation(more));
  return expectSuccess(await exchange(system, client_token)).body;
}

/** The credentials of a phone that was admitted with a mobile token. */
export async function createScopedCredentials(
  system: ApiCaller,
  token: string,
  userId: string,
  scopes?: string[],
): Promise<SdkCredentials> {
  const response = await system.call('POST', '/v1/auth/mobile-token', { token, body: { user_id: userId, scopes } });
  return expectSuccess(await exchange(system, expectSuccess(response).body.token)).body;
}

export const makeUpload = (lists: object = {}): object => ({
  time_zone: 'Europe/Berlin',
  device: { name: 'My watch', model: 'Watch7,5', type: 'wrist' },
  ...lists,
});

export const upload = (system: ApiCaller, accessToken: string, body: object): Promise<ApiResponse> =>
  system.call('POST', '/v1/sdk/data', { token: accessToken, body });

function expectSuccess(response: ApiResponse): ApiResponse {
  if (response.status >= 300) throw new Error(`expected success, got ${response.status}: ${response.text}`);
  return response;
}
