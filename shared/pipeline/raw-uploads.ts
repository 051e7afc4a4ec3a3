// Raw data as it came, in pieces that fit an item, for a month. The first piece also says all that is needed to work it in again.
import * as z from 'zod';
import { conditionalWrite } from '../platform/conditional-write.ts';
import { removeKeys } from '../platform/large-items.ts';
import type { Item, Key } from '../platform/ports.ts';
import { keys, userPartition } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import type { UploadCommand } from '../users/command-rows.ts';

const pieceBytes = 380_000;
const rawKeptSeconds = 30 * 24 * 3600;
const firstPiece = '#000';

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

const Piece = z.object({ sk: z.string(), v: z.instanceof(Uint8Array) });
const Listed = z.object({ sk: z.string(), device: z.string().optional(), ttl: z.number().optional() });

export const piecesOf = (raw: Uint8Array): number => Math.max(1, Math.ceil(raw.length / pieceBytes));

const pieceKeys = (user: string, { id, pieces }: Pick<RawUpload, 'id' | 'pieces'>): Key[] =>
  Array.from({ length: pieces }, (_none, piece) => keys.raw(user, id, piece));

export const rawUploads = repository(({ table }) => {
  const listed = (user: string, only: string[]) =>
    table.queryAll({
      where: '#pk = :pk AND begins_with(#sk, :prefix)',
      values: { pk: userPartition(user), prefix: 'R#' },
      consistent: true,
      only,
    });
  /** As far as it is there. */
  async function change(
    user: string,
    upload: Pick<RawUpload, 'id' | 'pieces'>,
    to: { update: string; values?: Item },
  ): Promise<void> {
    for (const key of pieceKeys(user, upload))
      await conditionalWrite(table, { kind: 'update', key, condition: 'attribute_exists(#pk)', ...to });
  }

  return {
    /** Compressed bytes. Its command stands before, so that whatever becomes of the user, somebody knows of these. */
    async put(user: string, { id, ...about }: RawUpload, raw: Uint8Array): Promise<void> {
      const ttl = Math.ceil(about.receivedMs / 1000) + rawKeptSeconds;
      for (let piece = 0; piece < about.pieces; piece++)
        await table.write({
          kind: 'put',
          item: {
            ...keys.raw(user, id, piece),
            v: raw.subarray(piece * pieceBytes, (piece + 1) * pieceBytes),
            ttl,
            ...(piece === 0 ? about : {}),
          },
        });
    },
    /** Undefined while pieces are missing. */
    async bytes(user: string, upload: Pick<RawUpload, 'id' | 'pieces'>): Promise<Uint8Array | undefined> {
      const items = await table.batchGet(pieceKeys(user, upload), { consistent: true });
      const pieces = items.map((item) => Piece.parse(item));
      if (pieces.length !== upload.pieces) return undefined;
      return Buffer.concat(pieces.sort((a, b) => (a.sk < b.sk ? -1 : 1)).map(({ v }) => v));
    },
    async remove(user: string, upload: Pick<RawUpload, 'id' | 'pieces'>): Promise<void> {
      await removeKeys(table, pieceKeys(user, upload));
    },
    /** It is not forgotten after a while. */
    keepForGood: (user: string, upload: Pick<UploadCommand, 'id' | 'pieces'>): Promise<void> =>
      change(user, upload, { update: 'REMOVE #ttl' }),
    keepForAWhile: (user: string, upload: Pick<UploadCommand, 'id' | 'pieces'>, fromMs: number): Promise<void> =>
      change(user, upload, {
        update: 'SET #ttl = :ttl',
        values: { ttl: Math.ceil(fromMs / 1000) + rawKeptSeconds },
      }),
    /** Those of a device that are kept beyond a time, in the order of arrival. */
    async of(user: string, device: string, beyondMs: number): Promise<RawUpload[]> {
      const kept: RawUpload[] = [];
      for await (const item of listed(user, [...Object.keys(RawUpload.shape), 'ttl'])) {
        const { sk, ttl, device: brought } = Listed.parse(item);
        // What is kept for good was set aside, and is tried again by itself.
        if (!sk.endsWith(firstPiece) || ttl === undefined || ttl * 1000 < beyondMs) continue;
        if (brought === device) kept.push(rawUpload(item));
      }
      return kept.sort((a, b) => a.receivedMs - b.receivedMs || (a.id < b.id ? -1 : 1));
    },
    /** Those of a device that is gone, set aside or not. */
    async removeAll(user: string, device: string): Promise<void> {
      const gone: Key[] = [];
      for await (const item of listed(user, Object.keys(RawUpload.shape)))
        if (item['device'] === device) gone.push(...pieceKeys(user, rawUpload(item)));
      await removeKeys(table, gone);
    },
    /** In the order of their names; what is gone is left out. */
    async named(user: string, ids: readonly string[]): Promise<RawUpload[]> {
      const items = await table.batchGet(
        ids.map((id) => keys.raw(user, id, 0)),
        { consistent: true },
      );
      const found = new Map(items.map(rawUpload).map((each) => [each.id, each]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
  };
});

function rawUpload(item: Item): RawUpload {
  const { sk, ...about } = RawUpload.parse(item);
  return { ...about, id: sk.split('#')[1] ?? '' };
}
