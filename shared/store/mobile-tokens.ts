// Single-use tokens that open the Mobile SDK: kept hashed, gone soon after they expire.
import type { Table } from '../engine/ports.ts';
import type { Environment } from '../model/account.ts';
import { keys } from './keys.ts';

export interface MobileTokenRow {
  hash: string;
  account: string;
  env: Environment;
  user: string;
  scopes: string[];
  expiresMs: number;
}

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
  };
}
