// Pieces of pushes that tell of many people, until a worker has found out whom: they stand outside of everybody's partition, and not for long.
import * as z from 'zod';
import { cloudProviderIds } from '../../catalog/provider.ts';
import { Environment } from '../../system/caller.ts';
import { keys } from '../../system/keys.ts';
import { pendingIndexKeys } from '../../system/pending-kinds.ts';
import { repository } from '../../system/store.ts';

const PushChunkRow = z.object({
  provider: z.enum(cloudProviderIds),
  env: Environment,
  /** Compressed. */
  people: z.instanceof(Uint8Array),
});
export type PushChunkRow = z.infer<typeof PushChunkRow>;

/** A message that is under way is not sent again. */
const graceMs = 60_000;
/** Nobody is to find anybody's data here after a week, whatever happens to the workers. */
const retentionSeconds = 7 * 86_400;

export const pushChunkRows = repository(({ table }) => ({
  async put(chunk: string, row: PushChunkRow, nowMs: number): Promise<void> {
    const ttl = Math.ceil(nowMs / 1000) + retentionSeconds;
    await table.write({
      kind: 'put',
      item: { ...keys.pushChunk(chunk), ...row, ttl, ...pendingIndexKeys('sync', chunk, nowMs + graceMs) },
    });
  },
  async find(chunk: string): Promise<PushChunkRow | undefined> {
    const item = await table.get(keys.pushChunk(chunk), { consistent: true });
    return item && PushChunkRow.parse(item);
  },
  async remove(chunk: string): Promise<void> {
    await table.write({ kind: 'delete', key: keys.pushChunk(chunk) });
  },
}));
