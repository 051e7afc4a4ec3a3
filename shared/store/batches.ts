// Uploads on their way in: the raw bytes first, then the row that owes their working in. What has that row is never lost.
import * as z from 'zod';
import type { Item, Key, Write } from '../engine/ports.ts';
import { conditionalWrite } from './conditional-write.ts';
import { due } from './due.ts';
import { instant, keys, lists, userPartition } from './keys.ts';
import { removeKeys } from './large-items.ts';
import { repository } from './store.ts';

const pieceBytes = 380_000;
const rawKeptSeconds = 30 * 24 * 3600;

const Changed = z.object({
  metrics: z.array(z.string()),
  sleep: z.boolean(),
  workouts: z.boolean(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The days that are made anew, as runs of them: whoever takes the work up again makes them all, wherever its records count by then. */
  runs: z.array(z.object({ from: z.string(), to: z.string() })),
});
/** What working a batch in changes, written before the change itself so that neither its days nor its event can be forgotten. */
export type Changed = z.infer<typeof Changed>;

const BatchRow = z.object({
  sk: z.string(),
  batch: z.string(),
  device: z.string(),
  receivedMs: z.number(),
  /** Whose format it is in, and which version of it. */
  source: z.string(),
  format: z.number(),
  timeZone: z.string().nullable(),
  scopes: z.array(z.string()),
  pieces: z.number(),
  /** How many records are in it; unknown for a replay. */
  records: z.number().optional(),
  /** The first and the last day that its records name; empty for a replay. */
  from: z.string(),
  to: z.string(),
  changed: Changed.nullable(),
  /** The version of `changed`: a worker that has not read the latest note cannot finish the batch. */
  noted: z.number(),
  /** How often working it in has failed. */
  failures: z.number().default(0),
  /** It was set aside and comes after what arrived later: its records count, but it no longer knows what its days hold. */
  late: z.boolean().optional(),
  /** Uploads that are owed again, by their names and in this order, instead of one of its own; and how many have been worked in before them. */
  replays: z.array(z.string()).optional(),
  replayed: z.number().optional(),
});
export type BatchRow = z.infer<typeof BatchRow>;

const DeadLetterRow = BatchRow.extend({ user: z.string(), asideMs: z.number(), reason: z.string() });
export type DeadLetterRow = z.infer<typeof DeadLetterRow>;

export interface AcceptedUpload {
  user: string;
  batch: string;
  device: string;
  receivedMs: number;
  source: string;
  format: number;
  timeZone: string | null;
  scopes: readonly string[];
  records: number;
  from: string;
  to: string;
  /** Compressed. */
  raw: Uint8Array;
}

const asNoted = '#noted = :noted';

const piecesOf = (raw: Uint8Array): number => Math.max(1, Math.ceil(raw.length / pieceBytes));

export const batchRows = repository(({ table }) => {
  /** As far as it is there. */
  async function changeRaw(user: string, row: BatchRow, change: { update: string; values?: Item }): Promise<void> {
    for (const key of rawKeys(user, row))
      await conditionalWrite(table, { kind: 'update', key, condition: 'attribute_exists(#pk)', ...change });
  }

  return {
    /** Nothing is owed for it yet: what is not followed by `owing` is forgotten after a while. */
    async keepRaw({ user, batch, raw, scopes, ...about }: AcceptedUpload): Promise<void> {
      const ttl = Math.ceil(about.receivedMs / 1000) + rawKeptSeconds;
      for (let piece = 0; piece < piecesOf(raw); piece++)
        await table.write({
          kind: 'put',
          item: {
            ...keys.raw(user, batch, piece),
            v: raw.subarray(piece * pieceBytes, (piece + 1) * pieceBytes),
            ttl,
            ...(piece === 0 ? { ...about, scopes: [...scopes], pieces: piecesOf(raw) } : {}),
          },
        });
    },
    /** Owes them all again, as if they arrived one after the other from then on. */
    owingReplay: (user: string, device: string, batch: string, receivedMs: number, replays: readonly string[]): Write =>
      puttingOwed(user, {
        batch,
        device,
        receivedMs,
        source: 'replay',
        format: 1,
        timeZone: null,
        scopes: [],
        pieces: 0,
        from: '',
        to: '',
        replays: [...replays],
        replayed: 0,
      }),
    /** From here on its working in is owed. */
    owing: ({ user, scopes, raw, ...about }: AcceptedUpload): Write =>
      puttingOwed(user, { ...about, scopes: [...scopes], pieces: piecesOf(raw) }),
    isWaiting: ({ sk }: Item): boolean => String(sk).startsWith('B#'),
    fromWaiting(items: readonly Item[]): BatchRow[] {
      return items.filter(this.isWaiting).map((item) => BatchRow.parse(item));
    },
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
      const items = await table.batchGet(rawKeys(user, row), { consistent: true });
      const pieces = items.map((item) => z.object({ sk: z.string(), v: z.instanceof(Uint8Array) }).parse(item));
      if (pieces.length !== row.pieces) throw new Error(`batch ${row.batch} is missing pieces of its raw data`);
      return Buffer.concat(pieces.sort((a, b) => (a.sk < b.sk ? -1 : 1)).map(({ v }) => v));
    },
    /** Undefined when another worker has finished the batch meanwhile, or noted something itself; else the row as it is then. */
    async noteChanges(user: string, row: BatchRow, changed: Changed): Promise<BatchRow | undefined> {
      const { held } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.batch(user, row.receivedMs, row.batch),
        update: 'SET #changed = :changed, #noted = :next',
        condition: `attribute_exists(#pk) AND ${asNoted}`,
        values: { changed, noted: row.noted, next: row.noted + 1 },
      });
      return held ? { ...row, changed, noted: row.noted + 1 } : undefined;
    },
    /** The row as it is then, with all that was noted; undefined when another worker has finished it. */
    async failed(user: string, row: BatchRow): Promise<BatchRow | undefined> {
      const { held, item } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.batch(user, row.receivedMs, row.batch),
        update: 'SET #failures = :failures',
        condition: 'attribute_exists(#pk)',
        values: { failures: row.failures + 1 },
      });
      return held ? BatchRow.parse(item) : undefined;
    },
    /** Its raw data is no longer forgotten after a while. */
    keepRawForGood: (user: string, row: BatchRow): Promise<void> => changeRaw(user, row, { update: 'REMOVE #ttl' }),
    keepRawForAWhile: (user: string, row: BatchRow, fromMs: number): Promise<void> =>
      changeRaw(user, row, {
        update: 'SET #ttl = :ttl',
        values: { ttl: Math.ceil(fromMs / 1000) + rawKeptSeconds },
      }),
    /** Those of a device that is gone, with their raw data. */
    async removeDeadLetters(user: string, device: string): Promise<void> {
      const found = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix: 'Q#' },
        consistent: true,
      });
      for await (const item of found) {
        const row = DeadLetterRow.parse(item);
        if (row.device === device) await removeKeys(table, [...rawKeys(user, row), keys.deadLetter(user, row.batch)]);
      }
    },
    /** It is owed no longer, but kept to be looked at. Refused when another worker has finished it. */
    deadLettering: (user: string, row: BatchRow, asideMs: number, reason: string): Write[] => [
      {
        kind: 'delete',
        key: keys.batch(user, row.receivedMs, row.batch),
        condition: 'attribute_exists(#pk)',
      },
      {
        kind: 'put',
        item: {
          ...withoutUndefined(row),
          ...keys.deadLetter(user, row.batch),
          user,
          asideMs,
          reason,
          listPk: lists.deadLetters,
          listSk: `${instant(asideMs)}#${row.batch}`,
        },
      },
    ],
    async isDeadLetter(user: string, batch: string): Promise<boolean> {
      return (await table.get(keys.deadLetter(user, batch), { consistent: true })) !== undefined;
    },
    /** Of all users, the first to be set aside first. */
    async deadLetters(): Promise<DeadLetterRow[]> {
      const listed: Key[] = [];
      const found = table.queryAll({ index: 'by-list', where: '#listPk = :list', values: { list: lists.deadLetters } });
      for await (const { pk, sk } of found) listed.push({ pk: String(pk), sk: String(sk) });
      const items = await table.batchGet(listed, { consistent: true });
      return items.map((item) => DeadLetterRow.parse(item)).sort((a, b) => a.asideMs - b.asideMs);
    },
    /** Owed again, as if it had arrived then. Refused when somebody was faster. */
    owingAgain: (row: DeadLetterRow, receivedMs: number): Write[] => [
      { kind: 'delete', key: keys.deadLetter(row.user, row.batch), condition: 'attribute_exists(#pk)' },
      puttingOwed(row.user, {
        batch: row.batch,
        device: row.device,
        receivedMs,
        source: row.source,
        format: row.format,
        timeZone: row.timeZone,
        scopes: row.scopes,
        pieces: row.pieces,
        ...(row.records === undefined ? {} : { records: row.records }),
        from: row.from,
        to: row.to,
        late: true,
        ...(row.replays === undefined ? {} : { replays: row.replays, replayed: row.replayed ?? 0 }),
      }),
    ],
    /** Refused when another worker has finished one of them, or noted something for it that is not known here. */
    finishing: (user: string, rows: readonly BatchRow[]): Write[] =>
      rows.map((row) => ({
        kind: 'delete',
        key: keys.batch(user, row.receivedMs, row.batch),
        condition: `attribute_exists(#pk) AND ${asNoted}`,
        values: { noted: row.noted },
      })),
    /** Some of a replay are done and these are left; refused like `finishing`. */
    replayingOn: (user: string, row: BatchRow, left: readonly string[]): Write => ({
      kind: 'update',
      key: keys.batch(user, row.receivedMs, row.batch),
      update: 'SET #replays = :left, #replayed = :replayed, #changed = :none, #noted = :next',
      condition: `attribute_exists(#pk) AND ${asNoted}`,
      values: {
        left: [...left],
        replayed: (row.replayed ?? 0) + (row.replays ?? []).length - left.length,
        none: null,
        noted: row.noted,
        next: row.noted + 1,
      },
    }),
  };
});

type Waiting = Omit<BatchRow, 'sk' | 'changed' | 'noted' | 'failures'>;

const puttingOwed = (user: string, row: Waiting): Write => ({
  kind: 'put',
  item: {
    ...keys.batch(user, row.receivedMs, row.batch),
    ...withoutUndefined(row),
    changed: null,
    noted: 0,
    ...due('ingest', user, row.receivedMs),
  },
});

const rawKeys = (user: string, { batch, pieces }: BatchRow): Key[] =>
  Array.from({ length: pieces }, (_none, piece) => keys.raw(user, batch, piece));

const withoutUndefined = (row: Waiting): Item =>
  Object.fromEntries(Object.entries(row).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
