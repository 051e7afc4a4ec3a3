// The data key that tokens are sealed with on a day, as KMS wrapped it: it opens nothing by itself. Each sealed text carries
// the wrapped key that opens it, so a row is only needed on its own day, and goes by itself.
import * as z from 'zod';
import { conditionalWrite } from '../platform/conditional-write.ts';
import type { SharedDataKeys } from '../platform/ports.ts';
import { keys } from './keys.ts';
import { repository } from './store.ts';

const WrappedKey = z.object({ wrapped: z.string() });
const keptSeconds = 2 * 86_400;

/** Those under one key of KMS. */
export const vaultKeyRows = repository(({ table }) => ({
  under: (keyId: string): SharedDataKeys => ({
    async find(day) {
      const item = await table.get(keys.vaultKey(keyId, day));
      return item && WrappedKey.parse(item).wrapped;
    },
    async offer(day, wrapped) {
      const ttl = Date.parse(day) / 1_000 + keptSeconds;
      const { held, item } = await conditionalWrite(table, {
        kind: 'put',
        item: { ...keys.vaultKey(keyId, day), wrapped, ttl },
        condition: 'attribute_not_exists(#pk)',
      });
      return held ? wrapped : WrappedKey.parse(item).wrapped;
    },
  }),
}));
