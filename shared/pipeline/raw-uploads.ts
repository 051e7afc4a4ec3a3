// Stores raw uploads for 30 days, in chunks that fit an item. The first chunk also holds the
// metadata needed to ingest the upload again.
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
  chunks: z.number(),
});
/** The metadata of an upload, without its bytes. */
export type RawUpload = Omit<z.infer<typeof RawUpload>, 'sk'> & { id: string };

const RawChunk = z.object({ sk: z.string(), v: z.instanceof(Uint8Array) });
const ListedUpload = z.object({ sk: z.string(), device: z.string().optional(), ttl: z.number().optional() });

export const countRawChunks = (raw: Uint8Array): number => Math.max(1, Math.ceil(raw.length / chunkBytes));

const rawChunkKeys = (user: string, { id, chunks }: Pick<RawUpload, 'id' | 'chunks'>): Key[] =>
  Array.from({ length: chunks }, (_none, chunk) => keys.rawChunk(user, id, chunk));

export const rawUploadRows = repository(({ table }) => {
  const queryRaw = (user: string, only: string[]) =>
    table.queryAll({
      where: '#pk = :pk AND begins_with(#sk, :prefix)',
      values: { pk: userPartition(user), prefix: 'R#' },
      consistent: true,
      only,
    });
  /** Updates only the chunks that exist. */
  async function updateChunks(
    user: string,
    upload: Pick<RawUpload, 'id' | 'chunks'>,
    to: { update: string; values?: Item },
  ): Promise<void> {
    for (const key of rawChunkKeys(user, upload))
      await writeConditionally(table, { kind: 'update', key, condition: 'attribute_exists(#pk)', ...to });
  }

  return {
    /**
     * `raw` is compressed. The command is written first, so that these chunks can still be found if
     * the user is deleted.
     */
    async put(user: string, { id, ...metadata }: RawUpload, raw: Uint8Array): Promise<void> {
      const ttl = Math.ceil(metadata.receivedMs / 1000) + rawRetentionSeconds;
      for (let chunk = 0; chunk < metadata.chunks; chunk++)
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
    /** Returns undefined while chunks are missing. */
    async readBytes(user: string, upload: Pick<RawUpload, 'id' | 'chunks'>): Promise<Uint8Array | undefined> {
      const items = await table.batchGet(rawChunkKeys(user, upload), { consistent: true });
      const chunks = items.map((item) => RawChunk.parse(item));
      if (chunks.length !== upload.chunks) return undefined;
      return Buffer.concat(chunks.sort((a, b) => (a.sk < b.sk ? -1 : 1)).map(({ v }) => v));
    },
    async remove(user: string, upload: Pick<RawUpload, 'id' | 'chunks'>): Promise<void> {
      await deleteKeys(table, rawChunkKeys(user, upload));
    },
    /** Removes the expiry. */
    retainIndefinitely: (user: string, upload: Pick<UploadCommand, 'id' | 'chunks'>): Promise<void> =>
      updateChunks(user, upload, { update: 'REMOVE #ttl' }),
    restoreRetention: (user: string, upload: Pick<UploadCommand, 'id' | 'chunks'>, fromMs: number): Promise<void> =>
      updateChunks(user, upload, {
        update: 'SET #ttl = :ttl',
        values: { ttl: Math.ceil(fromMs / 1000) + rawRetentionSeconds },
      }),
    /** Lists a device's uploads that do not expire before `beyondMs`, in the order of arrival. */
    async listByDevice(user: string, device: string, beyondMs: number): Promise<RawUpload[]> {
      const uploads: RawUpload[] = [];
      for await (const item of queryRaw(user, [...Object.keys(RawUpload.shape), 'ttl'])) {
        const { sk, ttl, device: uploadDevice } = ListedUpload.parse(item);
        // Uploads without an expiry are quarantined, and are retried separately.
        if (!sk.endsWith(firstChunkSuffix) || ttl === undefined || ttl * 1000 < beyondMs) continue;
        if (uploadDevice === device) uploads.push(parseRawUpload(item));
      }
      return uploads.sort((a, b) => a.receivedMs - b.receivedMs || (a.id < b.id ? -1 : 1));
    },
    /** Deletes the uploads of a removed device, quarantined or not. */
    async removeByDevice(user: string, device: string): Promise<void> {
      const removedKeys: Key[] = [];
      for await (const item of queryRaw(user, Object.keys(RawUpload.shape)))
        if (item['device'] === device) removedKeys.push(...rawChunkKeys(user, parseRawUpload(item)));
      await deleteKeys(table, removedKeys);
    },
    /** Returns the uploads in the order of their ids; ids that no longer exist are omitted. */
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
