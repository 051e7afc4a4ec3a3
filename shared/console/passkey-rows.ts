// Rows of passkeys, and of challenges that no passkey has answered yet.
import * as z from 'zod';
import type { Delete, Put, Write } from '../platform/ports.ts';
import { consoleKeys } from '../system/console-keys.ts';
import { repository } from '../system/store.ts';

/** The algorithms and sizes of public keys vary; the library that verified them reads them again. */
export const PasskeyRow = z.object({
  id: z.string(),
  hash: z.string(),
  account: z.string(),
  colleague: z.string(),
  credentialId: z.string(),
  /** In base64url, as COSE. */
  publicKey: z.string(),
  /** Increases with every use, unless the authenticator does not count: then it stays 0. */
  counter: z.number(),
  /** Where it was created. It is of no use elsewhere. */
  origin: z.string(),
  name: z.string().nullable(),
  createdMs: z.number(),
  lastUsedMs: z.number().nullable(),
});
export type PasskeyRow = z.infer<typeof PasskeyRow>;

export const ChallengeRow = z.object({
  hash: z.string(),
  /** The colleague who registers a passkey; null for someone who signs in. */
  colleague: z.string().nullable(),
  expiresMs: z.number(),
});
export type ChallengeRow = z.infer<typeof ChallengeRow>;

export const passkeyRows = repository(({ table }) => {
  return {
    async find(hash: string): Promise<PasskeyRow | undefined> {
      const item = await table.get(consoleKeys.passkey(hash), { consistent: true });
      return item && PasskeyRow.parse(item);
    },
    async listByHash(hashes: readonly string[]): Promise<PasskeyRow[]> {
      const items = await table.batchGet(hashes.map(consoleKeys.passkey), { consistent: true });
      return items.map((item) => PasskeyRow.parse(item));
    },
    /** Fails if the credential is registered already. */
    buildInsert: (row: PasskeyRow): Write => ({
      kind: 'put',
      item: { ...consoleKeys.passkey(row.hash), ...row },
      condition: 'attribute_not_exists(#pk)',
    }),
    /** Fails if the passkey was removed, or has counted a use, since it was read. */
    buildUse: ({ hash, counter: read }: PasskeyRow, counter: number, nowMs: number): Write => ({
      kind: 'update',
      key: consoleKeys.passkey(hash),
      update: 'SET #counter = :counter, #lastUsedMs = :now',
      condition: '#counter = :read',
      values: { counter, now: nowMs, read },
    }),
    buildDelete: (hash: string): Write => ({ kind: 'delete', key: consoleKeys.passkey(hash) }),
    buildInsertChallenge: (row: ChallengeRow): Put => ({
      kind: 'put',
      item: { ...consoleKeys.passkeyChallenge(row.hash), ...row, ttl: Math.ceil(row.expiresMs / 1000) },
      condition: 'attribute_not_exists(#pk)',
    }),
    /** Returns the challenge, or undefined if it was answered already. */
    buildUseChallenge: (hash: string): Delete => ({
      kind: 'delete',
      key: consoleKeys.passkeyChallenge(hash),
    }),
  };
});
