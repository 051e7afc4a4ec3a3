// Single-use tokens that open the Mobile SDK: kept hashed, gone soon after they expire.
import * as z from 'zod';
import type { Table, Write } from '../engine/ports.ts';
import { Environment } from '../model/account.ts';
import { MobileScope } from '../model/token.ts';
import { keys } from './keys.ts';

const Stored = z.object({
  account: z.string(),
  env: Environment,
  user: z.string(),
  scopes: z.array(MobileScope),
  expiresMs: z.number(),
});
export type MobileTokenRow = z.infer<typeof Stored> & { hash: string };

const keptAfterExpirySeconds = 24 * 3600;

export function mobileTokenRows(table: Table) {
  return {
    async insert(row: MobileTokenRow): Promise<void> {
      await table.write({
        kind: 'put',
        item: {
          ...keys.mobileToken(row.hash),
          account: row.account,
          env: row.env,
          user: row.user,
          scopes: row.scopes,
          expiresMs: row.expiresMs,
          ttl: Math.ceil(row.expiresMs / 1000) + keptAfterExpirySeconds,
        },
        condition: 'attribute_not_exists(#pk)',
      });
    },
    async byHash(hash: string): Promise<MobileTokenRow | undefined> {
      const item = await table.get(keys.mobileToken(hash), { consistent: true });
      return item && { hash, ...Stored.parse(item) };
    },
    /** Refused when the token was redeemed before: of any number of transactions with it, one goes through. */
    redeeming: (hash: string): Write => ({
      kind: 'delete',
      key: keys.mobileToken(hash),
      condition: 'attribute_exists(#pk)',
    }),
  };
}
