// Uploads on their way in: the raw bytes first, then the row that owes their working in. What has that row is never lost.
import * as z from 'zod';
import { ConditionFailed, type Table, type Write } from '../engine/ports.ts';
import { dues, keys, userPartition } from './keys.ts';

const pieceBytes = 380_000;
const rawKeptSeconds = 30 * 24 * 3600;
const doneKeptSeconds = 30 * 24 * 3600;

const Changed = z.object({
  metrics: z.array(z.string()),
  sleep: z.boolean(),
  workouts: z.boolean(),
  from: z.string().nullable(),
  to: z.string().nullable(),
});
/** What working a batch in has changed, written before the change itself so that its event can never be forgotten. */
export type Changed = z.infer<typeof Changed>;

const BatchRow = z.object({
  sk: z.string(),
  batch: z.string(),
  device: z.string(),
  receivedMs: z.number(),
  timeZone: z.string().nullable(),
  scopes: z.array(z.string()),
  pieces: z.number(),
  changed: Changed.nullable(),
});
export type BatchRow = z.infer<typeof BatchRow>;

export interface AcceptedUpload {
  user: string;
  batch: string;
  device: string;
  receivedMs: number;
  timeZone: string | null;
  scopes: readonly string[];
  /** Compressed. */
  raw: Uint8Array;
}

const piecesOf = (raw: Uint8Array): number => Math.max(1, Math.ceil(raw.length / pieceBytes));

export function batchRows(table: Table) {
  return {
    /** Whether these very bytes are already here, waiting or worked in. */
    async seen(user: string, batch: string): Promise<boolean> {
      return (await table.get(keys.doneBatch(user, batch), { consistent: true })) !== undefined;
    },
    /** Nothing is owed for it yet: what is not followed by `owing` is forgotten after a while. */
    async keepRaw({ user, batch, receivedMs, raw }: AcceptedUpload): Promise<void> {
      const ttl = Math.ceil(receivedMs / 1000) + rawKeptSeconds;
      for (let piece = 0; piece < piecesOf(raw); piece++)
        await table.write({
          kind: 'put',
          item: { ...keys.raw(user, batch, piece), v: raw.subarray(piece * pieceBytes, (piece + 1) * pieceBytes), ttl },
        });
    },
    /** From here on its working in is owed. */
    owing: ({ user, batch, device, receivedMs, timeZone, scopes, raw }: AcceptedUpload): Write => ({
      kind: 'put',
      item: {
        ...keys.batch(user, receivedMs, batch),
        batch,
        device,
        receivedMs,
        timeZone,
        scopes: [...scopes],
        pieces: piecesOf(raw),
        changed: null,
        duePk: dues.ingest,
        dueSk: user,
      },
    }),
    /** The one that arrived first. */
    async oldest(user: string): Promise<BatchRow | undefined> {
      const page = await table.query({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: 'B#' },
        limit: 1,
        consistent: true,
      });
      const [item] = page.items;
      return item && BatchRow.parse(item);
    },
    async raw(user: string, row: BatchRow): Promise<Uint8Array> {
      const wanted = Array.from({ length: row.pieces }, (_none, piece) => keys.raw(user, row.batch, piece));
      const items = await table.batchGet(wanted, { consistent: true });
      const pieces = items.map((item) => z.object({ sk: z.string(), v: z.instanceof(Uint8Array) }).parse(item));
      if (pieces.length !== row.pieces) throw new Error(`batch ${row.batch} lacks pieces of its raw data`);
      return Buffer.concat(pieces.sort((a, b) => (a.sk < b.sk ? -1 : 1)).map(({ v }) => v));
    },
    /** False when another worker has finished the batch meanwhile. */
    async noteChanges(user: string, row: BatchRow, changed: Changed): Promise<boolean> {
      try {
        await table.write({
          kind: 'update',
          key: keys.batch(user, row.receivedMs, row.batch),
          update: 'SET #changed = :changed',
          condition: 'attribute_exists(#pk)',
          values: { changed },
        });
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed) return false;
        throw error;
      }
    },
    finishing: (user: string, row: BatchRow): Write[] => [
      {
        kind: 'delete',
        key: keys.batch(user, row.receivedMs, row.batch),
        condition: 'attribute_exists(#pk)',
      },
      {
        kind: 'put',
        item: { ...keys.doneBatch(user, row.batch), ttl: Math.ceil(row.receivedMs / 1000) + doneKeptSeconds },
      },
    ],
  };
}
