// Chunks of pushes that concern many users, stored until a worker has looked up the users. They are
// outside every user's partition and short-lived.
import * as z from 'zod';
import { cloudProviderIds } from '../../catalog/provider.ts';
import { Environment } from '../../system/caller.ts';
import { keys } from '../../system/keys.ts';
import { pendingIndexKeys } from '../../system/pending-kinds.ts';
import { repository } from '../../system/store.ts';

const PushChunkRow = z.object({
  provider: z.enum(cloudProviderIds),
  env: Environment,
  /** The accounts and their notifications, compressed. */
  accounts: z.instanceof(Uint8Array),
});
export type PushChunkRow = z.infer<typeof PushChunkRow>;

/** Gives the first message time to arrive before the sweep sends another. */
const graceMs = 60_000;
/** After a week, no user's data is left here, even if no worker runs. */
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
