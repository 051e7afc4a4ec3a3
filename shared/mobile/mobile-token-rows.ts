// Single-use tokens that open the Mobile SDK, stored as hashes and removed soon after they expire.
import * as z from 'zod';
import { StoredScopes } from '../catalog/mobile-scopes.ts';
import type { Write } from '../platform/ports.ts';
import { Environment } from '../system/caller.ts';
import { keys } from '../system/keys.ts';
import { Maker } from '../system/maker.ts';
import { repository } from '../system/store.ts';

const MobileTokenItem = z.object({
  account: z.string(),
  env: Environment,
  user: z.string(),
  scopes: StoredScopes,
  expiresMs: z.number(),
  /** The user's sharing epoch when the token was issued. */
  sharingEpoch: z.number(),
  maker: Maker.nullable(),
});
export type MobileTokenRow = z.infer<typeof MobileTokenItem> & { hash: string };

const retentionAfterExpirySeconds = 24 * 3600;

export const mobileTokenRows = repository(({ table }) => {
  return {
    buildInsert({ hash, ...row }: MobileTokenRow): Write[] {
      const ttl = Math.ceil(row.expiresMs / 1000) + retentionAfterExpirySeconds;
      return [
        { kind: 'put', item: { ...keys.mobileToken(hash), ...row, ttl }, condition: 'attribute_not_exists(#pk)' },
        { kind: 'put', item: { ...keys.mobileTokenPointer(row.user, hash), ttl } },
      ];
    },
    async findByHash(hash: string): Promise<MobileTokenRow | undefined> {
      const item = await table.get(keys.mobileToken(hash), { consistent: true });
      return item && { hash, ...MobileTokenItem.parse(item) };
    },
    /**
     * Fails when the token was redeemed before: of any number of transactions with one token,
     * exactly one succeeds.
     */
    buildRedeem: ({ hash, user }: Pick<MobileTokenRow, 'hash' | 'user'>): Write[] => [
      { kind: 'delete', key: keys.mobileToken(hash), condition: 'attribute_exists(#pk)' },
      { kind: 'delete', key: keys.mobileTokenPointer(user, hash) },
    ],
  };
});
