// Stores sleep sessions and workouts: one item per local day with the sessions of all devices.
// Heart-rate traces of workouts are separate items.
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { WorkoutMeasureKey } from '../../catalog/workout-measures.ts';
import { workoutTypes } from '../../catalog/workout-types.ts';
import {
  deleteKeys,
  iterateChunked,
  listChunkKeys,
  readAllChunked,
  readChunked,
  replaceLargeItem,
  splitItem,
} from '../../platform/large-items.ts';
import {
  type Item,
  type Key,
  type Put,
  type Table,
  TransactionCanceled,
  type Write,
  type WriteCondition,
} from '../../platform/ports.ts';
import { keys, userPartition } from '../../system/keys.ts';
import { repository } from '../../system/store.ts';
import type { HeartRatePoint } from '../records.ts';

const minutes = z.number().nullable();
const sessionFields = {
  id: z.string(),
  /** The ordinal of the device. */
  device: z.number(),
  /** When the upload that contained the session arrived. */
  receivedMs: z.number(),
  startMs: z.number(),
  endMs: z.number(),
  /** The UTC offset at the place of the session, if the record states one. */
  offsetMinutes: z.number().nullable(),
  /** The source's own id of the session, if it has one. */
  sourceId: z.string().optional(),
};

/** Keyed by metric, with the source's own number and unit where they differ. */
const SummaryRow = z.record(z.string(), z.union([z.number(), z.tuple([z.number(), z.number(), z.string()])]));
export type SummaryRow = z.infer<typeof SummaryRow>;

export const SleepRow = z.object({
  ...sessionFields,
  /** The source's summary values of the whole night. */
  summary: SummaryRow.optional(),
  asleepMinutes: minutes,
  deepMinutes: minutes,
  lightMinutes: minutes,
  remMinutes: minutes,
  awakeMinutes: minutes,
  inBedMinutes: minutes,
  /** The packed stages; absent if the source reports none. */
  stages: z.string().optional(),
  /** The source had not finished analyzing the night. */
  interim: z.literal(true).optional(),
});
export type SleepRow = z.infer<typeof SleepRow>;

/** Absent if the source did not supply it. */
const measure = z.number().optional();
const measures = {
  strain: measure,
  avgMets: measure,
  weatherTemperatureC: measure,
  weatherHumidityPct: measure,
  swimmingStrokeCount: measure,
  swimmingLapLengthM: measure,
} satisfies Record<WorkoutMeasureKey, z.ZodOptional<z.ZodNumber>>;

export const WorkoutRow = z.object({
  ...sessionFields,
  type: z.enum(workoutTypes),
  /** The source's own name for the type; absent if it supplied none. */
  sourceType: z.string().optional(),
  name: z.string().nullable(),
  calories: z.number().nullable(),
  distanceKm: z.number().nullable(),
  avgHeartRate: z.number().nullable(),
  maxHeartRate: z.number().nullable(),
  elevationMeters: z.number().nullable(),
  steps: z.number().nullable(),
  ...measures,
  /** Identifies the trace; null when the source supplied none. */
  trace: z.string().nullable(),
});
export type WorkoutRow = z.infer<typeof WorkoutRow>;

export interface Trace {
  /** The id of the workout. */
  workout: string;
  /** Distinguishes this trace from every other trace. */
  name: string;
  points: readonly HeartRatePoint[];
}

export interface SessionDay<Row> {
  date: string;
  sessions: Row[];
  revision: number;
}

/** A day with few sessions is stored as text, a day with many is compressed. */
const SessionItem = z.object({ sk: z.string(), v: z.union([z.string(), z.instanceof(Uint8Array)]), r: z.number() });
const minCompressCharacters = 20_000;
/** Limits of one transaction, with a margin. */
const maxPerTransaction = { traces: 90, bytes: 3_000_000, itemBytes: 400_000 };
const traceConcurrency = 16;
const TracePoints = z.array(z.tuple([z.number(), z.number()]));

/** One kind of session: `Z#` for sleep, `W#` for workouts. */
function createSessionDays<Row>(table: Table, prefix: 'Z#' | 'W#', schema: z.ZodType<Row>) {
  const sessionDayKey = (user: string, date: string) => ({ pk: userPartition(user), sk: prefix + date });
  const parseDay = (item: Item): SessionDay<Row> => {
    const { sk, v, r } = SessionItem.parse(item);
    const text = typeof v === 'string' ? v : gunzipSync(v).toString();
    return { date: sk.slice(prefix.length), sessions: z.array(schema).parse(JSON.parse(text)), revision: r };
  };
  const rangeQuery = (user: string, from: string, to: string) => ({
    where: '#pk = :pk AND #sk BETWEEN :from AND :to',
    values: { pk: userPartition(user), from: prefix + from, to: prefix + to },
  });
  return {
    async readDates(user: string, dates: readonly string[]): Promise<Map<string, SessionDay<Row>>> {
      const items = await table.batchGet(
        dates.map((date) => sessionDayKey(user, date)),
        { consistent: true },
      );
      return new Map((await readAllChunked(table, items)).map(parseDay).map((day) => [day.date, day]));
    },
    async readBetween(user: string, from: string, to: string): Promise<SessionDay<Row>[]> {
      const days: SessionDay<Row>[] = [];
      const found = table.queryAll({ ...rangeQuery(user, from, to), consistent: true });
      for await (const item of iterateChunked(table, found)) days.push(parseDay(item));
      return days;
    },
    /** Newest day first. Pages of `daysPerPage` days are read only as the caller consumes them. */
    async *iterateNewestFirst(
      user: string,
      from: string,
      to: string,
      daysPerPage: number,
    ): AsyncGenerator<SessionDay<Row>> {
      const found = table.queryAll({ ...rangeQuery(user, from, to), newestFirst: true, limit: daysPerPage });
      for await (const item of iterateChunked(table, found)) yield parseDay(item);
    },
    async *iterateAll(user: string): AsyncGenerator<SessionDay<Row>> {
      const found = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix },
        consistent: true,
      });
      for await (const item of iterateChunked(table, found)) yield parseDay(item);
    },
    /**
     * Returns false if the day has changed since `revision` was read (0: there was none). The
     * traces of the day are written, and the traces of removed workouts deleted, together with it,
     * so that no orphaned trace remains.
     */
    async replace(
      user: string,
      day: SessionDay<Row>,
      traces: readonly Trace[] = [],
      removedWorkouts: readonly string[] = [],
    ): Promise<boolean> {
      const text = JSON.stringify(day.sessions);
      const v = text.length < minCompressCharacters ? text : gzipSync(text);
      const item: Key & Item = { ...sessionDayKey(user, day.date), v, r: day.revision + 1 };
      const guard: WriteCondition = {
        condition: day.revision === 0 ? 'attribute_not_exists(#pk)' : '#r = :revision',
        values: { revision: day.revision },
      };
      const { together, ahead } = splitTracePuts(user, traces);
      const obsoleteTraceKeys = await findTraceKeys(table, user, removedWorkouts);
      if (together.length + obsoleteTraceKeys.length === 0) return replaceLargeItem(table, item, guard);
      const split = splitItem(item);
      const deletes = obsoleteTraceKeys.slice(0, maxPerTransaction.traces - together.length);
      // A transaction does not return the previous item, and only a compressed day may have had
      // chunks.
      const previousItem = typeof v === 'string' ? undefined : await table.get(split.item, { consistent: true });
      await table.batchWrite([...ahead, ...split.chunks]);
      try {
        await table.transact([
          { kind: 'put', item: split.item, ...guard },
          ...together,
          ...deletes.map((key): Write => ({ kind: 'delete', key })),
        ]);
        if (previousItem) await deleteKeys(table, listChunkKeys(previousItem));
        await deleteKeys(table, obsoleteTraceKeys.slice(deletes.length));
        return true;
      } catch (error) {
        if (!(error instanceof TransactionCanceled)) throw error;
        await deleteKeys(
          table,
          split.chunks.map((chunk) => chunk.item),
        );
        return false;
      }
    },
  };
}

/** Includes all versions of each trace. */
async function findTraceKeys(table: Table, user: string, workouts: readonly string[]): Promise<Key[]> {
  const found: Key[] = [];
  const find = async (workout: string): Promise<void> => {
    const { pk, sk } = keys.trace(user, workout);
    const rows = table.queryAll({
      where: '#pk = :pk AND begins_with(#sk, :trace)',
      values: { pk, trace: sk },
      consistent: true,
      only: ['pk', 'sk'],
    });
    for await (const row of rows) found.push(z.object({ pk: z.string(), sk: z.string() }).parse(row));
  };
  for (let at = 0; at < workouts.length; at += traceConcurrency)
    await Promise.all(workouts.slice(at, at + traceConcurrency).map(find));
  return found;
}

/**
 * Traces beyond the limits of one transaction are written ahead of it. No real user's day reaches
 * that.
 */
function splitTracePuts(user: string, traces: readonly Trace[]): { together: Put[]; ahead: Put[] } {
  const together: Put[] = [];
  const ahead: Put[] = [];
  let bytes = 0;
  for (const { workout, name, points } of traces) {
    const v = gzipSync(JSON.stringify(points.map(({ atMs, bpm }) => [atMs, bpm])));
    const { item, chunks } = splitItem({ ...keys.trace(user, workout), v }, name);
    ahead.push(...chunks);
    bytes += Math.min(v.length, maxPerTransaction.itemBytes);
    const fits = together.length < maxPerTransaction.traces && bytes <= maxPerTransaction.bytes;
    (fits ? together : ahead).push({ kind: 'put', item });
  }
  return { together, ahead };
}

function parsePoints(item: Item): HeartRatePoint[] {
  const { v } = z.object({ v: z.instanceof(Uint8Array) }).parse(item);
  return TracePoints.parse(JSON.parse(gunzipSync(v).toString())).map(([atMs, bpm]) => ({ atMs, bpm }));
}

export const sessionRows = repository(({ table }) => {
  return {
    sleep: createSessionDays(table, 'Z#', SleepRow),
    workouts: createSessionDays(table, 'W#', WorkoutRow),
    async findTrace(user: string, workout: string): Promise<HeartRatePoint[] | null> {
      const found = await table.get(keys.trace(user, workout));
      const item = found && (await readChunked(table, found));
      return item ? parsePoints(item) : null;
    },
    /**
     * Traces are fetched together and unpacked one by one as the caller consumes them, because all
     * points of many workouts would not fit in memory. Workouts without a trace are omitted.
     */
    async *iterateTraces(
      user: string,
      workouts: readonly string[],
    ): AsyncGenerator<{ workout: string; points: HeartRatePoint[] }> {
      const found = await table.batchGet(workouts.map((workout) => keys.trace(user, workout)));
      const bySk = new Map(found.map((item) => [item['sk'], item]));
      for (const workout of workouts) {
        const first = bySk.get(keys.trace(user, workout).sk);
        const item = first && (await readChunked(table, first));
        if (item) yield { workout, points: parsePoints(item) };
      }
    },
    async removeTraces(user: string, workouts: readonly string[]): Promise<void> {
      await deleteKeys(table, await findTraceKeys(table, user, workouts));
    },
  };
});
