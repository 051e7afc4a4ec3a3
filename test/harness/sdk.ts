// The calls of the Mobile SDK, one by one: installations, sessions, credentials and uploads.
import { randomUUID } from 'node:crypto';
import type { SdkBootstrap, SdkCredentials, SdkSessionRequest } from '../../shared/mobile/sdk-session.ts';
import type { Told } from './ask.ts';
import type { System } from './system.ts';

/** Anything that can be called over HTTP. */
type Caller = Pick<System, 'call'>;

export const installation = (more: Partial<SdkSessionRequest> = {}): SdkSessionRequest => ({
  app_id: 'com.example.health',
  installation_id: randomUUID(),
  platform: 'ios',
  provider: 'apple_health',
  ...more,
});

export const askForSession = (
  system: Caller,
  token: string,
  userId: string,
  body: unknown = installation(),
  key: string = randomUUID(),
): Promise<Told> =>
  system.call('POST', `/v1/users/${userId}/sdk-sessions`, { token, body, headers: { 'idempotency-key': key } });

export async function openSession(
  system: Caller,
  token: string,
  userId: string,
  body: SdkSessionRequest = installation(),
): Promise<SdkBootstrap> {
  return good(await askForSession(system, token, userId, body)).body;
}

export const exchange = (system: Caller, clientToken: string, more: object = {}): Promise<Told> =>
  system.call('POST', '/v1/sdk/sessions/exchange', { body: { client_token: clientToken, ...more } });

export const refresh = (system: Caller, refreshToken: string): Promise<Told> =>
  system.call('POST', '/v1/sdk/sessions/refresh', { body: { refresh_token: refreshToken } });

/** The credentials of a phone that has taken up its session. */
export async function credentialsOf(
  system: Caller,
  token: string,
  userId: string,
  more: Partial<SdkSessionRequest> = {},
): Promise<SdkCredentials> {
  const { client_token } = await openSession(system, token, userId, installation(more));
  return good(await exchange(system, client_token)).body;
}

/** Those of a phone that was let in with a mobile token. */
export async function credentialsWithScopes(
  system: Caller,
  token: string,
  userId: string,
  scopes?: string[],
): Promise<SdkCredentials> {
  const told = await system.call('POST', '/v1/auth/mobile-token', { token, body: { user_id: userId, scopes } });
  return good(await exchange(system, good(told).body.token)).body;
}

export const uploadOf = (lists: object = {}): object => ({
  time_zone: 'Europe/Berlin',
  device: { name: 'My watch', model: 'Watch7,5', type: 'wrist' },
  ...lists,
});

export const upload = (system: Caller, accessToken: string, body: object): Promise<Told> =>
  system.call('POST', '/v1/sdk/data', { token: accessToken, body });

function good(told: Told): Told {
  if (told.status >= 300) throw new Error(`expected success, got ${told.status}: ${told.text}`);
  return told;
}
