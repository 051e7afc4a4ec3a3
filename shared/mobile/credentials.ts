// The SDK's credentials are derived, not stored: what they say, and a keyed hash over exactly that text.
// The same numbers give the same token again, and a forged one is refused before anything is read.
import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { timestamp } from '../platform/time/time.ts';
import type { Deps } from '../system/deps.ts';
import type { SdkCredentials } from './sdk-session.ts';
import type { SdkSessionRow } from './sdk-session-rows.ts';

export const clientTokenLifeMs = 10 * 60 * 1000;
const accessLifeMs = 24 * 3600 * 1000;
export const refreshLifeMs = 60 * 24 * 3600 * 1000;

const prefixes = { client: 'ct_', access: 'sdk_at_', refresh: 'sdk_rt_' } as const;
type TokenKind = keyof typeof prefixes;

/** `mark` is a client token's nonce, or the number of the pair. */
const Claims = z.tuple([z.string(), z.string(), z.union([z.string(), z.int()]), z.int()]);
export interface SdkTokenClaims {
  user: string;
  session: string;
  mark: string | number;
  expiresMs: number;
}

type WithKeyring = Pick<Deps, 'keyring'>;

export function makeSdkToken(deps: WithKeyring, kind: TokenKind, claims: SdkTokenClaims): string {
  const { user, session, mark, expiresMs } = claims;
  const said = Buffer.from(JSON.stringify([user, session, mark, expiresMs])).toString('base64url');
  return `${prefixes[kind]}${said}.${proof(deps, kind, said)}`;
}

/** Undefined unless it is, to the last character, a token of this kind that we made. */
export function readSdkToken(deps: WithKeyring, kind: TokenKind, token: string): SdkTokenClaims | undefined {
  const [said = '', proven = '', ...rest] = token.slice(prefixes[kind].length).split('.');
  if (!token.startsWith(prefixes[kind]) || rest.length > 0) return undefined;
  const expected = Buffer.from(proof(deps, kind, said));
  const given = Buffer.from(proven);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const [user, session, mark, expiresMs] = Claims.parse(JSON.parse(Buffer.from(said, 'base64url').toString()));
  return { user, session, mark, expiresMs };
}

export const isAccessToken = (token: string): boolean => token.startsWith(prefixes.access);

const proof = (deps: WithKeyring, kind: TokenKind, said: string): string =>
  deps.keyring.hash(`sdk-${kind}-token`, said);

/** The newest pair of a session: the same for everybody who may have it. */
export function credentialsOf(deps: WithKeyring, row: SdkSessionRow): SdkCredentials {
  const issued = { user: row.user, session: row.id, mark: row.refreshSeq };
  const accessExpiresMs = row.rotatedMs + accessLifeMs;
  const refreshExpiresMs = row.rotatedMs + refreshLifeMs;
  return {
    session_id: row.id,
    user_id: row.user,
    access_token: makeSdkToken(deps, 'access', { ...issued, expiresMs: accessExpiresMs }),
    access_expires_at: timestamp(accessExpiresMs),
    refresh_token: makeSdkToken(deps, 'refresh', { ...issued, expiresMs: refreshExpiresMs }),
    refresh_expires_at: timestamp(refreshExpiresMs),
  };
}
