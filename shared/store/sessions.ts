// Sleep sessions and workouts, all devices' of one local day in one item; a workout's trace stands apart.
import { gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { ConditionFailed, type Item, type Put, type Table, TransactionRefused } from '../engine/ports.ts';
import type { HeartRatePoint } from '../model/records.ts';
import { keys, userPartition } from './keys.ts';

const minutes = z.number().nullable();
const about = {
  id: z.string(),
  /** The device's ordinal. */
  device: z.number(),
  /** When the upload arrived that brought it. */
  receivedMs: z.number(),
  startMs: z.number(),
  endMs: z.number(),
  offsetMinutes: z.number().nullable(),
  /** The offset of the phone's zone, for users and records without one. */
  fallbackOffsetMinutes: z.number(),
};

export const SleepRow = z.object({
  ...about,
  /** The source's own calendar day, where it stated one. */
  statedDate: z.string().nullable(),
  asleepMinutes: minutes,
  deepMinutes: minutes,
  lightMinutes: minutes,
  remMinutes: minutes,
  awakeMinutes: minutes,
  inBedMinutes: minutes,
});
export type SleepRow = z.infer<typeof SleepRow>;

export const WorkoutRow = z.object({
  ...about,
  type: z.string(),
  name: z.string().nullable(),
  calories: z.number().nullable(),
  distanceKm: z.number().nullable(),
  avgHeartRate: z.number().nullable(),
  maxHeartRate: z.number().nullable(),
  elevationMeters: z.number().nullable(),
  steps: z.number().nullable(),
  /** Tells one trace from another; null when the source gave none. */
  trace: z.string().nullable(),
});
export type WorkoutRow = z.infer<typeof WorkoutRow>;

export interface Trace {
  /** Its id. */
  workout: string;
  points: readonly HeartRatePoint[];
}

export interface SessionDay<Row> {
  date: string;
  sessions: Row[];
  revision: number;
}

const SessionItem = z.object({ sk: z.string(), v: z.string(), r: z.number() });
/** What one transaction takes, with room to spare. */
const mostTogether = { traces: 90, bytes: 3_000_000 };
const TracePoints = z.array(z.tuple([z.number(), z.number()]));

/** One kind of session: `Z#` for sleep, `W#` for workouts. */
function sessionDays<Row>(table: Table, prefix: 'Z#' | 'W#', schema: z.ZodType<Row>) {
  const keyOf = (user: string, date: string) => ({ pk: userPartition(user), sk: prefix + date });
  const read = (item: Item): SessionDay<Row> => {
    const { sk, v, r } = SessionItem.parse(item);
    return { date: sk.slice(prefix.length), sessions: z.array(schema).parse(JSON.parse(v)), revision: r };
  };
  return {
    async on(user: string, dates: readonly string[]): Promise<Map<string, SessionDay<Row>>> {
      const items = await table.batchGet(
        dates.map((date) => keyOf(user, date)),
        { consistent: true },
      );
      return new Map(items.map(read).map((day) => [day.date, day]));
    },
    async between(user: string, from: string, to: string): Promise<SessionDay<Row>[]> {
      const days: SessionDay<Row>[] = [];
      const found = table.queryAll({
        where: '#pk = :pk AND #sk BETWEEN :from AND :to',
        values: { pk: userPartition(user), from: prefix + from, to: prefix + to },
        consistent: true,
      });
      for await (const item of found) days.push(read(item));
      return days;
    },
    /** Newest day first, read only as far as they are taken: so many days at a time. */
    async *newestFirst(user: string, from: string, to: string, daysAtOnce: number): AsyncGenerator<SessionDay<Row>> {
      const found = table.queryAll({
        where: '#pk = :pk AND #sk BETWEEN :from AND :to',
        values: { pk: userPartition(user), from: prefix + from, to: prefix + to },
        newestFirst: true,
        limit: daysAtOnce,
      });
      for await (const item of found) yield read(item);
    },
    async *all(user: string): AsyncGenerator<SessionDay<Row>> {
      const found = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk: userPartition(user), prefix },
        consistent: true,
      });
      for await (const item of found) yield read(item);
    },
    /** False when somebody else changed the day since `revision` was read (0: there was none). With it go the traces it names: none is ever left behind alone. */
    async replace(user: string, day: SessionDay<Row>, traces: readonly Trace[] = []): Promise<boolean> {
      const put: Put = {
        kind: 'put',
        item: { ...keyOf(user, day.date), v: JSON.stringify(day.sessions), r: day.revision + 1 },
        condition: day.revision === 0 ? 'attribute_not_exists(#pk)' : '#r = :revision',
        values: { revision: day.revision },
      };
      const { together, before } = tracesToPut(user, traces);
      if (before.length > 0) await table.batchWrite(before);
      try {
        await (together.length === 0 ? table.write(put) : table.transact([put, ...together]));
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed || error instanceof TransactionRefused) return false;
        throw error;
      }
    },
  };
}

/** More than one transaction takes, which no day of a person has, is written ahead. */
function tracesToPut(user: string, traces: readonly Trace[]): { together: Put[]; before: Put[] } {
  const together: Put[] = [];
  const before: Put[] = [];
  let bytes = 0;
  for (const { workout, points } of traces) {
    const v = gzipSync(JSON.stringify(points.map(({ atMs, bpm }) => [atMs, bpm])));
    bytes += v.length;
    const fits = together.length < mostTogether.traces && bytes <= mostTogether.bytes;
    (fits ? together : before).push({ kind: 'put', item: { ...keys.trace(user, workout), v } });
  }
  return { together, before };
}

export function sessionRows(table: Table) {
  return {
    sleep: sessionDays(table, 'Z#', SleepRow),
    workouts: sessionDays(table, 'W#', WorkoutRow),
    async trace(user: string, workout: string): Promise<HeartRatePoint[] | null> {
      const item = await table.get(keys.trace(user, workout));
      if (!item) return null;
      const { v } = z.object({ v: z.instanceof(Uint8Array) }).parse(item);
      return TracePoints.parse(JSON.parse(gunzipSync(v).toString())).map(([atMs, bpm]) => ({ atMs, bpm }));
    },
    removeTraces: (user: string, workouts: readonly string[]): Promise<void> =>
      table.batchWrite(workouts.map((workout) => ({ kind: 'delete', key: keys.trace(user, workout) }))),
  };
}
