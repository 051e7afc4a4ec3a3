// Everything that is accepted is processed and read back, in items that fit the table.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import { dayRows } from '../../../shared/measurements/rows/day-rows.ts';
import { sampleRows } from '../../../shared/measurements/rows/sample-rows.ts';
import { sessionRows } from '../../../shared/measurements/rows/session-rows.ts';
import { uploadLimits } from '../../../shared/providers/kit/upload-limits.ts';
import type { PagePosition } from '../../../shared/reads/sessions/session-page.ts';
import { updateUser } from '../../../shared/users/users.ts';
import { randomFrom } from '../../harness/faults.ts';
import {
  readForm2Daily,
  readForm2Sleep,
  readForm2Timeseries,
  readForm2Workout,
  readForm2Workouts,
} from '../../harness/form-2-reads.ts';
import { type MeasuredTable, measuredTable } from '../../harness/measured-table.ts';
import { memoryTable } from '../../harness/memory-table.ts';
import { pendingCommands } from '../../harness/pending-commands.ts';
import { createRacedUser, type RacedUser, type RecordLists } from '../../harness/raced-user.ts';
import { watch } from '../../harness/races/scenarios/scenario-fixtures.ts';
import { runWriter } from '../../harness/run-writer.ts';

let user: RacedUser;
let measured: MeasuredTable;

export async function open(): Promise<void> {
  measured = measuredTable(memoryTable());
  user = await createRacedUser(measured.table, null);
}

const date = '2026-03-10';
const day = Date.parse(date);
const [secondMs, minuteMs, dayMs] = [1_000, 60_000, 86_400_000];
const iso = (ms: number): string => new Date(ms).toISOString();
const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_none, at) => make(at));
const random = randomFrom(7);
/** Returns a value with all the digits a number can have. */
const noise = (): number => (Math.floor(random() * 2 ** 20) + random()) / 2 ** 20;

/** Uploads all records first, then processes them in one run. */
async function uploadAndProcess(...uploads: RecordLists[]): Promise<void> {
  for (const records of uploads) await user.upload(watch, records);
  await runWriter(user.deps, user.id);
  expect(await pendingCommands(user.table, user.id)).toEqual([]);
}

const daily = async (type: MetricId, from = date, to = from): Promise<(number | null)[]> => {
  const query = { from_date: from, to_date: to, types: type, include_sources: false };
  return JSON.parse((await readForm2Daily(user.deps, user.caller, user.id, query)).text).series[type];
};
async function column(metric: MetricId): Promise<(number | null)[]> {
  const query = { metric, date, resolution: '1m' as const, include_sources: false };
  const response = await readForm2Timeseries(user.deps, user.caller, user.id, query);
  return 'values' in response ? response.values : [];
}
const storedSamples = async (metric: MetricId, from = date, to = from): Promise<{ startMs: number; value: number }[]> =>
  (await sampleRows(user.deps.store).readBetween(user.id, metric, { from, to })).flatMap(({ samples }) => samples);

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
/** The API rounds values to one decimal. */
function areNear(shown: readonly (number | null)[] | undefined, wanted: readonly number[]): void {
  expect(shown).toHaveLength(wanted.length);
  const off = wanted.map((value, at) => Math.abs(value - (shown?.[at] ?? Number.POSITIVE_INFINITY)));
  expect(Math.max(...off)).toBeLessThan(0.051);
}
const chunk = <T>(all: readonly T[], maxCount: number): T[][] =>
  times(Math.ceil(all.length / maxCount), (at) => all.slice(at * maxCount, (at + 1) * maxCount));

const page = (pagePosition?: PagePosition) => ({
  from_date: date,
  to_date: date,
  limit: 90,
  include_sources: false,
  ...(pagePosition ? { position: pagePosition } : {}),
});
async function allPages<T>(
  read: (pagePosition?: PagePosition) => Promise<{ data: T[]; next: PagePosition | undefined }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let response = await read(); ; response = await read(response.next)) {
    all.push(...response.data);
    if (!response.next) return all;
  }
}

interface Beat {
  at: number;
  value: number;
  unit: 'bpm' | 'count/s';
}
const beat: fc.Arbitrary<Beat> = fc.record({
  at: fc.integer({ min: 0, max: 3 * dayMs - 1 }),
  unit: fc.constantFrom<Beat['unit'][]>('bpm', 'count/s'),
  value: fc.double({ min: 0.4, max: 4.9, noNaN: true }),
});
const reportedValue = ({ unit, value }: Beat): number => (unit === 'bpm' ? 60 * value : value);

/** Defines the slow tests at the upload limits. */
export function testUploadLimits(): void {
  describe('at the upload limits,', () => {
    test('a heart rate for every second of a day reads back with all digits and in another unit', async () => {
      const beats = times(86_400, (at) => ({ at, value: 1 + noise() }));
      const samples = beats.map(({ at, value }) => ({
        metric: 'heart_rate',
        start: iso(day + at * secondMs),
        value,
        unit: 'count/s',
      }));
      await uploadAndProcess(...chunk(samples, 43_200).map((part) => ({ samples: part })));
      const found = await sampleRows(user.deps.store).readBetween(user.id, 'heart_rate', { from: date, to: date });
      const reported = found.flatMap((each) => each.samples.map(({ original }) => original?.value));
      expect(reported).toEqual(beats.map(({ value }) => value));
      areNear(
        await column('heart_rate'),
        chunk(beats, 60).map((minute) => sum(minute.map(({ value }) => value))),
      );
      expect(measured.largestBytes()).toBeGreaterThan(350_000);
    });

    test('steps for every second of a day follow a change to another time zone', async () => {
      const walked = times(86_400, (at) => ({ startMs: day + at * secondMs, value: Math.floor(random() * 4) }));
      const samples = walked.map(({ startMs, value }) => ({
        metric: 'steps',
        start: iso(startMs),
        end: iso(startMs + secondMs),
        value,
        unit: 'count',
      }));
      await uploadAndProcess(...chunk(samples, 43_200).map((part) => ({ samples: part })));
      expect(await daily('steps')).toEqual([sum(walked.map(({ value }) => value))]);
      expect(await column('steps')).toEqual(chunk(walked, 60).map((part) => sum(part.map(({ value }) => value))));
      await updateUser(user.deps, user.caller, user.id, { timezone: 'Asia/Tokyo' });
      await runWriter(user.deps, user.id);
      const inTokyo = (from: number, to: number) =>
        sum(walked.filter(({ startMs }) => startMs >= day + from && startMs < day + to).map(({ value }) => value));
      const midnight = 15 * 60 * minuteMs;
      expect(await daily('steps', date, '2026-03-11')).toEqual([inTokyo(0, midnight), inTokyo(midnight, dayMs)]);
    });

    test.each([
      ['few days', 3],
      ['many days', 4_000],
    ])('the maximum number of samples at random times over %s reads back', async (_which, days) => {
      const from = day - days * dayMs;
      const instants = new Set(times(uploadLimits.records, () => from + Math.floor(random() * days * dayMs)));
      const wanted = [...instants].sort((a, b) => a - b).map((startMs) => ({ startMs, value: 20 + 100 * noise() }));
      const shuffled = wanted.toSorted((a, b) => a.value - b.value);
      await uploadAndProcess({
        samples: shuffled.map(({ startMs, value }) => ({
          metric: 'weight',
          start: iso(startMs),
          value,
          unit: 'kg',
        })),
      });
      const read = await storedSamples('weight', iso(from).slice(0, 10), date);
      expect(read.map(({ startMs, value }) => ({ startMs, value }))).toEqual(wanted);
    });

    test('overlapping steps that are all longer than the intervals a day is merged by add up', async () => {
      const walked = times(uploadLimits.records, (at) => {
        const startMs = day + at * secondMs + Math.floor(random() * 900);
        return { startMs, endMs: startMs + 6 * minuteMs + Math.floor(random() * 900), value: Math.floor(random() * 4) };
      });
      await uploadAndProcess({
        samples: walked.map(({ startMs, endMs, value }) => ({
          metric: 'steps',
          start: iso(startMs),
          end: iso(endMs),
          value,
          unit: 'count',
        })),
      });
      expect(await daily('steps')).toEqual([sum(walked.map(({ value }) => value))]);
      const reported = (await dayRows(user.deps.store).readNormalized(user.id, [date])).get(date);
      expect(reported?.packed.length).toBeLessThan(10_000);
    });

    test('totals of every other day since 2000 read back', async () => {
      const totals = times(4_700, (at) => ({
        date: iso(Date.UTC(2000, 0, 1) + 2 * at * dayMs).slice(0, 10),
        value: at,
      }));
      await uploadAndProcess({ daily: totals.map((total) => ({ ...total, metric: 'steps', unit: 'count' })) });
      const months: (number | null)[] = [];
      for (const { from, to } of [
        { from: '2000-01-01', to: '2000-01-31' },
        { from: '2025-01-01', to: '2025-01-31' },
      ])
        months.push(...(await daily('steps', from, to)));
      const values = new Map(totals.map((total) => [total.date, total.value]));
      const dates = ['2000', '2025'].flatMap((year) =>
        times(31, (at) => `${year}-01-${String(at + 1).padStart(2, '0')}`),
      );
      expect(months).toEqual(dates.map((each) => values.get(each) ?? null));
    });

    test('the longest possible trace reads back', async () => {
      const points = times(uploadLimits.tracePoints, (at) => ({
        atMs: day + at * 600 + Math.floor(random() * 600),
        bpm: 60 + 100 * noise(),
      }));
      const endMs = day + uploadLimits.tracePoints * 600;
      await uploadAndProcess({
        workouts: [
          {
            type: 'walking',
            start: iso(day),
            end: iso(endMs),
            heart_rate: points.map(({ atMs, bpm }) => ({ timestamp: iso(atMs), bpm })),
          },
        ],
      });
      const { data } = await readForm2Workouts(user.deps, user.caller, user.id, page());
      const { id } = data[0] ?? { id: '' };
      expect(await sessionRows(user.deps.store).findTrace(user.id, id)).toEqual(points);
      const { heart_rate } = await readForm2Workout(user.deps, user.caller, user.id, id, { include_sources: false });
      const byMinute = Map.groupBy(points, ({ atMs }) => Math.floor((atMs - day) / minuteMs));
      areNear(
        heart_rate?.samples.map(({ bpm }) => bpm),
        Array.from(byMinute.values(), (own) => sum(own.map(({ bpm }) => bpm)) / own.length),
      );
    });
  });
}

/** Defines the fast tests at the upload limits. */
export function testManySessions(): void {
  describe('at the upload limits,', () => {
    test('the maximum number of nights and workouts on a day, with incompressible names, reads back', async () => {
      const maxCount = uploadLimits.sessionsPerDay;
      const startOf = (at: number) => day + at * 7 * minuteMs;
      const name = () => String.fromCodePoint(...times(120, () => 0x4e00 + Math.floor(random() * 20_000)));
      const nights = times(maxCount, (at) => ({ start: iso(startOf(at)), end: iso(startOf(at) + 5 * minuteMs), at }));
      const workouts = nights.map(({ start, end }) => ({ type: 'walking', name: name(), start, end, steps: 17 }));
      await uploadAndProcess({
        sleep: nights.map(({ at, ...night }) => ({ ...night, asleep_minutes: at % 5 })),
        workouts,
      });
      const slept = await allPages((pagePosition) =>
        readForm2Sleep(user.deps, user.caller, user.id, page(pagePosition)),
      );
      expect(slept.map(({ asleep_minutes }) => asleep_minutes).reverse()).toEqual(nights.map(({ at }) => at % 5));
      const walked = await allPages((pagePosition) =>
        readForm2Workouts(user.deps, user.caller, user.id, page(pagePosition)),
      );
      expect(walked).toHaveLength(maxCount);
      const { id } = walked[0] ?? { id: '' };
      const detail = await readForm2Workout(user.deps, user.caller, user.id, id, { include_sources: false });
      expect([detail.name, detail.metrics.steps]).toEqual([workouts.at(-1)?.name, 17]);
    });
  });
}

/** Defines the test, which tries `numRuns` upload histories. */
export function testAnyUpload(numRuns: number): void {
  test('any samples in any uploads read back to the last digit, and the last sample of an instant wins', async () => {
    const uploads = fc.array(fc.array(beat, { minLength: 1, maxLength: 150 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(uploads, async (all) => {
        await open();
        await uploadAndProcess(
          ...all.map((beats) => ({
            samples: beats.map((each) => ({
              metric: 'heart_rate',
              start: iso(day + each.at),
              value: reportedValue(each),
              unit: each.unit,
            })),
          })),
        );
        const last = new Map(all.flat().map((each) => [iso(day + each.at), each]));
        const query = { metrics: 'heart_rate', start_date: date, end_date: '2026-03-12', include_sources: true };
        const response = await readForm2Timeseries(user.deps, user.caller, user.id, query);
        const read = 'data' in response ? response.data : [];
        expect(read.map(({ timestamp }) => timestamp)).toEqual([...last.keys()].sort());
        for (const { timestamp, source } of read) {
          const reported = last.get(timestamp);
          if (!reported) throw new Error(`there is no measurement at ${timestamp}`);
          expect([source?.original_value, source?.original_unit]).toEqual([reportedValue(reported), reported.unit]);
        }
      }),
      { numRuns },
    );
  });
}
