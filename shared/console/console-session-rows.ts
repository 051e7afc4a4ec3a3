// Rows of sessions: one conditional write on one item covers authentication, expiry and the rate
// limit. The role and the epoch are copies of the colleague's, which change in the same transaction.
import * as z from 'zod';
import type { Write } from '../platform/ports.ts';
import { createRowBuckets } from '../platform/rate-bucket.ts';
import { consoleRateLimit as policy } from '../platform/rate-limit.ts';
import { ColleagueRole } from '../system/caller.ts';
import { consoleKeys } from '../system/console-keys.ts';
import { repository } from '../system/store.ts';
import { SignInMethod } from './sign-in-method.ts';

export const ConsoleSessionRow = z.object({
  id: z.string(),
  hash: z.string(),
  account: z.string(),
  colleague: z.string(),
  /** The address with which the colleague signed in, for the audit trail. */
  email: z.string(),
  role: ColleagueRole,
  makerEpoch: z.number(),
  method: SignInMethod,
  /** When the colleague signed in, which is when the session began. */
  createdMs: z.number(),
  expiresMs: z.number(),
  fullAtMs: z.number(),
});
export type ConsoleSessionRow = z.infer<typeof ConsoleSessionRow>;

export type ConsoleSessionAdmission =
  | { outcome: 'admitted' | 'limited'; session: ConsoleSessionRow; nowMs: number }
  | { outcome: 'unknown' | 'expired' };

export const consoleSessionRows = repository(({ table, clock }) => {
  const buckets = createRowBuckets({ table, clock, row: ConsoleSessionRow });

  return {
    /** The expiry is checked here, because the table deletes expired rows late. */
    async admit(hash: string): Promise<ConsoleSessionAdmission> {
      const { outcome, row, nowMs } = await buckets.draw(clock.now(), {
        key: consoleKeys.consoleSession(hash),
        policy,
        condition: '#expiresMs > :now',
        values: {},
        matches: (found, nowMs) => found.expiresMs > nowMs,
      });
      if (outcome !== 'refused') return { outcome, session: row, nowMs };
      return { outcome: row ? 'expired' : 'unknown' };
    },
    /** The account of a session, which never changes, if this process has admitted the session. */
    findKnownAccount: (hash: string): string | undefined => buckets.lastSeen(consoleKeys.consoleSession(hash))?.account,
    async listByHash(hashes: readonly string[]): Promise<ConsoleSessionRow[]> {
      const items = await table.batchGet(hashes.map(consoleKeys.consoleSession), { consistent: true });
      return items.map((item) => ConsoleSessionRow.parse(item));
    },
    buildInsert: (row: ConsoleSessionRow): Write => ({
      kind: 'put',
      item: { ...consoleKeys.consoleSession(row.hash), ...row, ttl: Math.ceil(row.expiresMs / 1000) },
      condition: 'attribute_not_exists(#pk)',
    }),
    /** Fails if the table has deleted the session since; the caller then reads again. */
    buildChangeRole: (hash: string, { role, makerEpoch }: Pick<ConsoleSessionRow, 'role' | 'makerEpoch'>): Write => ({
      kind: 'update',
      key: consoleKeys.consoleSession(hash),
      update: 'SET #role = :role, #makerEpoch = :makerEpoch',
      condition: 'attribute_exists(#pk)',
      values: { role, makerEpoch },
    }),
    buildDelete: (hash: string): Write => ({ kind: 'delete', key: consoleKeys.consoleSession(hash) }),
  };
});
