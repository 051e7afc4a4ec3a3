// The SDK's credentials are derived, not stored: a token is its claims and a keyed hash over
// exactly that text. The same claims give the same token again, and a forged token is refused
// before anything is read.
import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Deps } from '../system/deps.ts';
import type { SdkCredentials } from './sdk-session.ts';
import type { SdkSessionRow } from './sdk-session-rows.ts';

export const clientTokenLifetimeMs = 10 * 60 * 1000;
const accessTokenLifetimeMs = 24 * 3600 * 1000;
export const refreshTokenLifetimeMs = 60 * 24 * 3600 * 1000;

const prefixes = { client: 'ct_', access: 'sdk_at_', refresh: 'sdk_rt_' } as const;
type TokenKind = keyof typeof prefixes;

/** `nonceOrSeq` is the nonce of a client token, or the number of a credential pair. */
const Claims = z.tuple([z.string(), z.string(), z.union([z.string(), z.int()]), z.int()]);
export interface SdkTokenClaims {
  user: string;
  session: string;
  nonceOrSeq: string | number;
  expiresMs: number;
}

type KeyringDeps = Pick<Deps, 'keyring'>;

export function makeSdkToken(deps: KeyringDeps, kind: TokenKind, claims: SdkTokenClaims): string {
  const { user, session, nonceOrSeq, expiresMs } = claims;
  const payload = Buffer.from(JSON.stringify([user, session, nonceOrSeq, expiresMs])).toString('base64url');
  return `${prefixes[kind]}${payload}.${signPayload(deps, kind, payload)}`;
}

/**
 * Returns undefined unless this is, to the last character, a token of this kind that this
 * deployment issued.
 */
export function readSdkToken(deps: KeyringDeps, kind: TokenKind, token: string): SdkTokenClaims | undefined {
  const [payload = '', signature = '', ...rest] = token.slice(prefixes[kind].length).split('.');
  if (!token.startsWith(prefixes[kind]) || rest.length > 0) return undefined;
  const expected = Buffer.from(signPayload(deps, kind, payload));
  const received = Buffer.from(signature);
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) return undefined;
  const [user, session, nonceOrSeq, expiresMs] = Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  return { user, session, nonceOrSeq, expiresMs };
}

export const isAccessToken = (token: string): boolean => token.startsWith(prefixes.access);

const signPayload = (deps: KeyringDeps, kind: TokenKind, payload: string): string =>
  deps.keyring.hash(`sdk-${kind}-token`, payload);

/** Builds the newest pair of a session. It is the same on every call. */
export function buildCredentials(deps: KeyringDeps, row: SdkSessionRow): SdkCredentials {
  const issued = { user: row.user, session: row.id, nonceOrSeq: row.refreshSeq };
  const accessExpiresMs = row.rotatedMs + accessTokenLifetimeMs;
  const refreshExpiresMs = row.rotatedMs + refreshTokenLifetimeMs;
  return {
    session_id: row.id,
    user_id: row.user,
    access_token: makeSdkToken(deps, 'access', { ...issued, expiresMs: accessExpiresMs }),
    access_expires_at: formatTimestamp(accessExpiresMs),
    refresh_token: makeSdkToken(deps, 'refresh', { ...issued, expiresMs: refreshExpiresMs }),
    refresh_expires_at: formatTimestamp(refreshExpiresMs),
  };
}
