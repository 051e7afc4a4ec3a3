// What the first piece of raw data says beside its bytes: all that is needed to owe it again while it is kept.
import * as z from 'zod';
import type { Item, Key } from '../engine/ports.ts';
import { conditionalWrite } from './conditional-write.ts';
import { keys, userPartition } from './keys.ts';
import { removeKeys } from './large-items.ts';
import { repository } from './store.ts';

const KeptUpload = z.object({
  sk: z.string(),
  device: z.string(),
  receivedMs: z.number(),
  source: z.string(),
  format: z.number(),
  timeZone: z.string().nullable(),
  scopes: z.array(z.string()),
  records: z.number(),
  from: z.string(),
  to: z.string(),
  pieces: z.number(),
});
export type KeptUpload = Omit<z.infer<typeof KeptUpload>, 'sk'> & { batch: string };

const Listed = z.object({ sk: z.string(), device: z.string().optional(), ttl: z.number().optional() });
const firstPiece = '#000';

export const keptUploads = repository(({ table }) => ({
  /** It counts as having arrived later than when it was kept. */
  async arrived(user: string, batch: string, receivedMs: number): Promise<void> {
    await conditionalWrite(table, {
      kind: 'update',
      key: keys.raw(user, batch, 0),
      update: 'SET #receivedMs = :at',
      condition: 'attribute_exists(#pk)',
      values: { at: receivedMs },
    });
  },
  /** Those of a device that are kept beyond a time, in the order of arrival. */
  async of(user: string, device: string, beyondMs: number): Promise<KeptUpload[]> {
    const kept: KeptUpload[] = [];
    const found = table.queryAll({
      where: '#pk = :pk AND begins_with(#sk, :prefix)',
      values: { pk: userPartition(user), prefix: 'R#' },
      consistent: true,
      only: [...Object.keys(KeptUpload.shape), 'ttl'],
    });
    for await (const item of found) {
      const { sk, ttl, device: brought } = Listed.parse(item);
      // What is kept for good was set aside, and is tried again by itself.
      if (!sk.endsWith(firstPiece) || ttl === undefined || ttl * 1000 < beyondMs) continue;
      if (brought === device) kept.push(keptUpload(item));
    }
    return kept.sort((a, b) => a.receivedMs - b.receivedMs || (a.batch < b.batch ? -1 : 1));
  },
  /** Those of a device that is gone, set aside or not. */
  async removeAll(user: string, device: string): Promise<void> {
    const gone: Key[] = [];
    const found = table.queryAll({
      where: '#pk = :pk AND begins_with(#sk, :prefix)',
      values: { pk: userPartition(user), prefix: 'R#' },
      consistent: true,
      only: Object.keys(KeptUpload.shape),
    });
    for await (const item of found) {
      if (item['device'] !== device) continue;
      const { batch, pieces } = keptUpload(item);
      for (let piece = 0; piece < pieces; piece++) gone.push(keys.raw(user, batch, piece));
    }
    await removeKeys(table, gone);
  },
  /** In the order of their names; what is gone is left out. */
  async named(user: string, batches: readonly string[]): Promise<KeptUpload[]> {
    const items = await table.batchGet(
      batches.map((batch) => keys.raw(user, batch, 0)),
      { consistent: true },
    );
    const found = new Map(items.map(keptUpload).map((each) => [each.batch, each]));
    return batches.flatMap((batch) => found.get(batch) ?? []);
  },
}));

function keptUpload(item: Item): KeptUpload {
  const { sk, ...about } = KeptUpload.parse(item);
  return { ...about, batch: sk.split('#')[1] ?? '' };
}
