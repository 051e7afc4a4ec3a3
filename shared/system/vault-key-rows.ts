// Rows of the data key that seals tokens on a given day. The key is wrapped by KMS, so a row alone
// decrypts nothing. Each sealed text contains its wrapped key, so a row is needed only on its own
// day and then expires.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { SharedDataKeys } from '../platform/ports.ts';
import { keys } from './keys.ts';
import { repository } from './store.ts';

const WrappedKey = z.object({ wrapped: z.string() });
const retentionSeconds = 2 * 86_400;

/** The data keys under one KMS key. */
export const vaultKeyRows = repository(({ table }) => ({
  forKmsKey: (keyId: string): SharedDataKeys => ({
    async find(day) {
      const item = await table.get(keys.vaultKey(keyId, day));
      return item && WrappedKey.parse(item).wrapped;
    },
    async putIfAbsent(day, wrapped) {
      const ttl = Date.parse(day) / 1_000 + retentionSeconds;
      const { applied, item } = await writeConditionally(table, {
        kind: 'put',
        item: { ...keys.vaultKey(keyId, day), wrapped, ttl },
        condition: 'attribute_not_exists(#pk)',
      });
      return applied ? wrapped : WrappedKey.parse(item).wrapped;
    },
  }),
}));
