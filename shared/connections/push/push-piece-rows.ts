// Pieces of pushes that tell of many people, until a worker has found out whom: they stand outside of everybody's partition, and not for long.
import * as z from 'zod';
import { cloudProviderIds } from '../../catalog/provider.ts';
import { Environment } from '../../system/caller.ts';
import { due } from '../../system/due.ts';
import { keys } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';

const PushPieceRow = z.object({
  provider: z.enum(cloudProviderIds),
  env: Environment,
  /** Compressed. */
  people: z.instanceof(Uint8Array),
});
export type PushPieceRow = z.infer<typeof PushPieceRow>;

/** A message that is under way is not sent again. */
const graceMs = 60_000;
/** Nobody is to find anybody's data here after a week, whatever happens to the workers. */
const keptSeconds = 7 * 86_400;

export const pushPieceRows = repository(({ table }) => ({
  async put(piece: string, row: PushPieceRow, nowMs: number): Promise<void> {
    const ttl = Math.ceil(nowMs / 1000) + keptSeconds;
    await table.write({
      kind: 'put',
      item: { ...keys.pushPiece(piece), ...row, ttl, ...due('sync', piece, nowMs + graceMs) },
    });
  },
  async of(piece: string): Promise<PushPieceRow | undefined> {
    const item = await table.get(keys.pushPiece(piece), { consistent: true });
    return item && PushPieceRow.parse(item);
  },
  async remove(piece: string): Promise<void> {
    await table.write({ kind: 'delete', key: keys.pushPiece(piece) });
  },
}));
