// Raw data as it came, in pieces that fit an item, for a month. The first piece also says all that is needed to work it in again.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import { deleteKeys } from '../platform/large-items.ts';
import type { Item, Key } from '../platform/ports.ts';
import { keys, userPartition } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import type { UploadCommand } from '../users/command-rows.ts';

const chunkBytes = 380_000;
const rawRetentionSeconds = 30 * 24 * 3600;
const firstChunkSuffix = '#000';

const RawUpload = z.object({
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
/** What is known of an upload beside its bytes. */
export type RawUpload = Omit<z.infer<typeof RawUpload>, 'sk'> & { id: string };

const RawChunk = z.object({ sk: z.string(), v: z.instanceof(Uint8Array) });
const ListedUpload = z.object({ sk: z.string(), device: z.string().optional(), ttl: z.number().optional() });

export const countRawChunks = (raw: Uint8Array): number => Math.max(1, Math.ceil(raw.length / chunkBytes));

const rawChunkKeys = (user: string, { id, pieces }: Pick<RawUpload, 'id' | 'pieces'>): Key[] =>
  Array.from({ length: pieces }, (_none, chunk) => keys.rawChunk(user, id, chunk));

export const rawUploadRows = repository(({ table }) => {
  const queryRaw = (user: string, only: string[]) =>
    table.queryAll({
      where: '#pk = :pk AND begins_with(#sk, :prefix)',
      values: { pk: userPartition(user), prefix: 'R#' },
      consistent: true,
      only,
    });
  /** As far as it is there. */
  async function updateChunks(
    user: string,
    upload: Pick<RawUpload, 'id' | 'pieces'>,
    to: { update: string; values?: Item },
  ): Promise<void> {
    for (const key of rawChunkKeys(user, upload))
      await writeConditionally(table, { kind: 'update', key, condition: 'attribute_exists(#pk)', ...to });
  }

  return {
    /** Compressed bytes. Its command stands before, so that whatever becomes of the user, somebody knows of these. */
    async put(user: string, { id, ...metadata }: RawUpload, raw: Uint8Array): Promise<void> {
      const ttl = Math.ceil(metadata.receivedMs / 1000) + rawRetentionSeconds;
      for (let chunk = 0; chunk < metadata.pieces; chunk++)
        await table.write({
          kind: 'put',
          item: {
            ...keys.rawChunk(user, id, chunk),
            v: raw.subarray(chunk * chunkBytes, (chunk + 1) * chunkBytes),
            ttl,
            ...(chunk === 0 ? metadata : {}),
          },
        });
    },
    /** Undefined while pieces are missing. */
    async readBytes(user: string, upload: Pick<RawUpload, 'id' | 'pieces'>): Promise<Uint8Array | undefined> {
      const items = await table.batchGet(rawChunkKeys(user, upload), { consistent: true });
      const pieces = items.map((item) => RawChunk.parse(item));
      if (pieces.length !== upload.pieces) return undefined;
      return Buffer.concat(pieces.sort((a, b) => (a.sk < b.sk ? -1 : 1)).map(({ v }) => v));
    },
    async remove(user: string, upload: Pick<RawUpload, 'id' | 'pieces'>): Promise<void> {
      await deleteKeys(table, rawChunkKeys(user, upload));
    },
    /** It is not forgotten after a while. */
    retainIndefinitely: (user: string, upload: Pick<UploadCommand, 'id' | 'pieces'>): Promise<void> =>
      updateChunks(user, upload, { update: 'REMOVE #ttl' }),
    restoreRetention: (user: string, upload: Pick<UploadCommand, 'id' | 'pieces'>, fromMs: number): Promise<void> =>
      updateChunks(user, upload, {
        update: 'SET #ttl = :ttl',
        values: { ttl: Math.ceil(fromMs / 1000) + rawRetentionSeconds },
      }),
    /** Those of a device that are kept beyond a time, in the order of arrival. */
    async listByDevice(user: string, device: string, beyondMs: number): Promise<RawUpload[]> {
      const uploads: RawUpload[] = [];
      for await (const item of queryRaw(user, [...Object.keys(RawUpload.shape), 'ttl'])) {
        const { sk, ttl, device: uploadDevice } = ListedUpload.parse(item);
        // What is kept for good was set aside, and is tried again by itself.
        if (!sk.endsWith(firstChunkSuffix) || ttl === undefined || ttl * 1000 < beyondMs) continue;
        if (uploadDevice === device) uploads.push(parseRawUpload(item));
      }
      return uploads.sort((a, b) => a.receivedMs - b.receivedMs || (a.id < b.id ? -1 : 1));
    },
    /** Those of a device that is gone, set aside or not. */
    async removeByDevice(user: string, device: string): Promise<void> {
      const removedKeys: Key[] = [];
      for await (const item of queryRaw(user, Object.keys(RawUpload.shape)))
        if (item['device'] === device) removedKeys.push(...rawChunkKeys(user, parseRawUpload(item)));
      await deleteKeys(table, removedKeys);
    },
    /** In the order of their names; what is gone is left out. */
    async findByIds(user: string, ids: readonly string[]): Promise<RawUpload[]> {
      const items = await table.batchGet(
        ids.map((id) => keys.rawChunk(user, id, 0)),
        { consistent: true },
      );
      const uploadsById = new Map(items.map(parseRawUpload).map((each) => [each.id, each]));
      return ids.flatMap((id) => uploadsById.get(id) ?? []);
    },
  };
});

function parseRawUpload(item: Item): RawUpload {
  const { sk, ...metadata } = RawUpload.parse(item);
  return { ...metadata, id: sk.split('#')[1] ?? '' };
}
