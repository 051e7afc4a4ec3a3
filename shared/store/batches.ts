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
  /** The days that are made anew, as runs of them: whoever takes the work up again makes them all, wherever its records count by then. */
  runs: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
});
/** What working a batch in changes, written before the change itself so that neither its days nor its event can be forgotten. */
export type Changed = z.infer<typeof Changed>;

const BatchRow = z.object({
  sk: z.string(),
  batch: z.string(),
  device: z.string(),
  receivedMs: z.number(),
  timeZone: z.string().nullable(),
  scopes: z.array(z.string()),
  pieces: z.number(),
  /** How many records are in it; unknown for uploads of an older release. */
  records: z.number().optional(),
  changed: Changed.nullable(),
  /** The version of `changed`: a worker that has not read the latest note cannot finish the batch. */
  noted: z.number().default(0),
});
export type BatchRow = z.infer<typeof BatchRow>;

export interface AcceptedUpload {
  user: string;
  batch: string;
  device: string;
  receivedMs: number;
  timeZone: string | null;
  scopes: readonly string[];
  records: number;
  /** Compressed. */
  raw: Uint8Array;
}

const asNoted = '(attribute_not_exists(#noted) OR #noted = :noted)';

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
    owing: ({ user, batch, device, receivedMs, timeZone, scopes, records, raw }: AcceptedUpload): Write => ({
      kind: 'put',
      item: {
        ...keys.batch(user, receivedMs, batch),
        batch,
        device,
        receivedMs,
        timeZone,
        scopes: [...scopes],
        pieces: piecesOf(raw),
        records,
        changed: null,
        noted: 0,
        duePk: dues.ingest,
        dueSk: user,
      },
    }),
    /** Those that arrived first, in that order. */
    async waiting(user: string, atMost: number): Promise<BatchRow[]> {
      const page = await table.query({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: 'B#' },
        limit: atMost,
        consistent: true,
      });
      return page.items.map((item) => BatchRow.parse(item));
    },
    async raw(user: string, row: BatchRow): Promise<Uint8Array> {
      const wanted = Array.from({ length: row.pieces }, (_none, piece) => keys.raw(user, row.batch, piece));
      const items = await table.batchGet(wanted, { consistent: true });
      const pieces = items.map((item) => z.object({ sk: z.string(), v: z.instanceof(Uint8Array) }).parse(item));
      if (pieces.length !== row.pieces) throw new Error(`batch ${row.batch} lacks pieces of its raw data`);
      return Buffer.concat(pieces.sort((a, b) => (a.sk < b.sk ? -1 : 1)).map(({ v }) => v));
    },
    /** Undefined when another worker has finished the batch meanwhile, or noted something itself; else the row as it is then. */
    async noteChanges(user: string, row: BatchRow, changed: Changed): Promise<BatchRow | undefined> {
      try {
        await table.write({
          kind: 'update',
          key: keys.batch(user, row.receivedMs, row.batch),
          update: 'SET #changed = :changed, #noted = :next',
          condition: `attribute_exists(#pk) AND ${asNoted}`,
          values: { changed, noted: row.noted, next: row.noted + 1 },
        });
        return { ...row, changed, noted: row.noted + 1 };
      } catch (error) {
        if (error instanceof ConditionFailed) return undefined;
        throw error;
      }
    },
    /** Refused when another worker has finished one of them, or noted something for it that is not known here. */
    finishing: (user: string, rows: readonly BatchRow[]): Write[] => [
      ...rows.map(
        (row): Write => ({
          kind: 'delete',
          key: keys.batch(user, row.receivedMs, row.batch),
          condition: `attribute_exists(#pk) AND ${asNoted}`,
          values: { noted: row.noted },
        }),
      ),
      // The same upload may have been taken in twice before it was worked in.
      ...[...new Map(rows.map((row) => [row.batch, row])).values()].map(
        (row): Write => ({
          kind: 'put',
          item: { ...keys.doneBatch(user, row.batch), ttl: Math.ceil(row.receivedMs / 1000) + doneKeptSeconds },
        }),
      ),
    ],
  };
}
