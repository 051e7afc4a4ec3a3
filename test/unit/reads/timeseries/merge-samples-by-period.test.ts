// Cumulative metrics, in samples and in columns: for any overlapping devices, around midnights and
// clock changes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredSample } from '../../../../shared/measurements/codec/sample-block.ts';
import { readTimeseries } from '../../../../shared/reads/timeseries/read-timeseries.ts';
import type { Caller } from '../../../../shared/system/caller.ts';
import type { DeviceRow } from '../../../../shared/users/device-rows.ts';
import { createUser } from '../../../../shared/users/users.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';
import { addDevice, addStoredSamples, ring, watch } from '../../../harness/stored-data.ts';
import { addDays, type Clock, dayBounds } from '../../../oracle/zone-clock.ts';

const caller: Caller = { kind: 'api_key', account: 'acc_01k9p3w0b1c3e5g7j9m1p3r5t7', env: 'live', form: 2 };
const metric = 'active_calories';
const [cellMs, hourMs] = [300_000, 3_600_000];

/** Days on which clocks change, also over midnight, one that a zone skipped, and ordinary ones. */
const zoneDays = [
  { zone: 'Europe/Berlin', date: '2026-03-29' },
  { zone: 'Europe/Berlin', date: '2026-10-25' },
  { zone: 'America/Havana', date: '2026-03-08' },
  { zone: 'America/Havana', date: '2026-11-01' },
  { zone: 'America/St_Johns', date: '2010-11-07' },
  { zone: 'Australia/Lord_Howe', date: '2026-10-04' },
  { zone: 'Pacific/Apia', date: '2011-12-30' },
  { zone: 'Asia/Kathmandu', date: '2026-03-10' },
  { zone: null, date: '2026-03-10' },
];

/** For energy, from the highest rank to the lowest. */
const kinds = [watch, ring, { provider: 'samsung_health', deviceType: 'phone' }] as const;

interface Life {
  zone: string | null;
  /** Three consecutive days. */
  dates: string[];
  /** The samples of each kind of device. */
  samples: StoredSample[][];
}

/** Everything starts and ends on a grid. */
const lives = (gridMs: number, shortest: number): fc.Arbitrary<Life> => {
  const steps = (ms: number): number => ms / gridMs;
  const sample = fc.record({
    // Many are within the same minutes around midnight.
    start: fc.oneof(
      fc.integer({ min: steps(-48 * hourMs), max: steps(48 * hourMs) }),
      fc.integer({ min: steps(-2 * cellMs), max: steps(2 * cellMs) }),
    ),
    length: fc.oneof(
      fc.integer({ min: shortest, max: steps(cellMs) }),
      fc.integer({ min: shortest, max: steps(hourMs) }),
      fc.integer({ min: shortest, max: steps(25 * hourMs) }),
    ),
    value: fc.integer({ min: 0, max: 99_999 }).map((hundredths) => hundredths / 100),
    offsetMinutes: fc.constantFrom(null, null, 0, 540, -210),
    inKilojoules: fc.boolean(),
  });
  const ofDevice = fc.uniqueArray(sample, { maxLength: 6, selector: ({ start, length }) => `${start} ${length}` });
  return fc
    .record({ place: fc.constantFrom(...zoneDays), walks: fc.tuple(ofDevice, ofDevice, ofDevice) })
    .map(({ place: { zone, date }, walks }) => {
      const { from: midnight } = dayBounds(clockOf(zone), date);
      return {
        zone,
        dates: [-1, 0, 1].map((days) => addDays(date, days)),
        samples: walks.map((own) =>
          own.map(({ start, length, value, offsetMinutes, inKilojoules }) => ({
            startMs: midnight + start * gridMs,
            endMs: midnight + (start + length) * gridMs,
            value,
            offsetMinutes,
            ...(inKilojoules ? { original: { value: (value * 4184) / 1000, unit: 'kJ' } } : {}),
          })),
        ),
      };
    });
};

interface Row {
  kind: number;
  startMs: number;
  value: number;
  /** The original value in kilojoules, or the value itself where the source did not use them. */
  said: number;
  offsetMinutes: number | null;
}

/** Reads the samples of a user without rounding. */
async function readsOf({ zone, samples }: Life) {
  const { deps } = memoryDeps();
  const user = (await createUser(deps, caller, { timezone: zone })).id;
  const devices: DeviceRow[] = [];
  for (const kind of kinds) devices.push(await addDevice(deps, user, kind));
  for (const [at, own] of samples.entries()) await addStoredSamples(deps, user, devices[at]?.ordinal ?? 0, metric, own);
  return {
    async rows(from: string, to = from): Promise<Row[]> {
      const range = { from, to, names: { from: 'from', to: 'to' }, maxDays: 31 };
      const read = await readTimeseries(deps, caller, user, { shape: 'samples', metrics: [metric], range });
      if (read.shape !== 'samples') throw new Error('the response does not hold samples');
      return read.byMetric.flatMap((each) =>
        each.samples.map(({ device, startMs, value, original, offsetMinutes }) => ({
          kind: devices.findIndex(({ id }) => id === device.id),
          startMs,
          value,
          said: original?.value ?? value,
          offsetMinutes,
        })),
      );
    },
    async column(date: string, resolution: '1h' | '5m'): Promise<Float64Array> {
      const read = await readTimeseries(deps, caller, user, { shape: 'steps', metric, date, resolution });
      if (read.shape !== 'steps') throw new Error('the response does not hold steps');
      return read.values;
    },
  };
}

const clockOf = (zone: string | null): Clock => (zone === null ? { offsetMinutes: 0 } : { zone });
const inOrder = (rows: readonly Row[]): Row[] =>
  rows.toSorted(
    (a, b) =>
      a.startMs - b.startMs ||
      a.kind - b.kind ||
      Math.round((a.value - b.value) * 1e6) ||
      Math.round((a.said - b.said) * 1e6) ||
      (a.offsetMinutes ?? -1_000) - (b.offsetMinutes ?? -1_000),
  );
const total = (values: Iterable<number>): number => Array.from(values).reduce((sum, value) => sum + (value || 0), 0);

/**
 * Counts in steps of five minutes: which is the highest-ranked device that measured then, and which
 * of its samples continue from the previous five minutes.
 */
function naiveRows({ zone, dates, samples }: Life): Row[] {
  const covers = ({ startMs, endMs }: StoredSample, ms: number): boolean => startMs <= ms && ms < endMs;
  const best = (ms: number): number => samples.findIndex((own) => own.some((sample) => covers(sample, ms)));
  return dates.flatMap((date) => {
    const { from, to } = dayBounds(clockOf(zone), date);
    const rows: Row[] = [];
    let before = new Map<StoredSample, Row>();
    for (let ms = from; ms < to; ms += cellMs) {
      const now = new Map<StoredSample, Row>();
      const kind = best(ms);
      for (const sample of samples[kind] ?? []) {
        if (!covers(sample, ms)) continue;
        const row = before.get(sample) ?? { kind, startMs: ms, value: 0, said: 0, offsetMinutes: sample.offsetMinutes };
        if (!before.has(sample)) rows.push(row);
        const part = cellMs / (sample.endMs - sample.startMs);
        row.value += sample.value * part;
        row.said += (sample.original?.value ?? sample.value) * part;
        now.set(sample, row);
      }
      before = now;
    }
    return rows;
  });
}

test('the part of each sample that counts is listed by interval, and matches a count in steps of five minutes', async () => {
  await fc.assert(
    fc.asyncProperty(lives(cellMs, 1), async (life) => {
      const { rows } = await readsOf(life);
      const [first = '', last = ''] = [life.dates[0], life.dates.at(-1)];
      const expected = inOrder(naiveRows(life)).map(({ value, said: reported, ...row }) => ({
        ...row,
        value: expect.closeTo(value, 8),
        said: expect.closeTo(reported, 8),
      }));
      expect(inOrder(await rows(first, last))).toEqual(expected);
    }),
    { numRuns: 150 },
  );
});

test('however short and close they are, the samples of a day lie in it and add up to its columns, read alone or with others', async () => {
  await fc.assert(
    fc.asyncProperty(lives(20_000, 0), async (life) => {
      const { rows, column } = await readsOf(life);
      const alone: Row[] = [];
      for (const date of life.dates) {
        const { from, to } = dayBounds(clockOf(life.zone), date);
        const ofDay = await rows(date);
        expect(ofDay.filter(({ startMs }) => startMs < from || startMs >= to)).toEqual([]);
        const sum = total(ofDay.map(({ value }) => value));
        expect(total(await column(date, '1h'))).toBeCloseTo(sum, 8);
        expect(total(await column(date, '5m'))).toBeCloseTo(sum, 8);
        alone.push(...ofDay);
      }
      const [first = '', last = ''] = [life.dates[0], life.dates.at(-1)];
      expect(inOrder(await rows(first, last))).toEqual(inOrder(alone));
    }),
    { numRuns: 150 },
  );
});

test('an instant at midnight belongs to the day that begins with it, and to no other', async () => {
  const { from: midnight } = dayBounds(clockOf(null), '2026-03-10');
  const moment = { startMs: midnight, endMs: midnight, value: 3, offsetMinutes: null };
  const { rows } = await readsOf({ zone: null, dates: [], samples: [[moment]] });
  expect(await rows('2026-03-09')).toEqual([]);
  expect(await rows('2026-03-09', '2026-03-10')).toEqual([
    { kind: 0, startMs: midnight, value: 3, said: 3, offsetMinutes: null },
  ]);
});

test('long samples over many short ones of a higher-ranked device are rejected before their number multiplies', async () => {
  const midnight = Date.parse('2026-03-10T00:00:00Z');
  const sample = (startMs: number, lengthMs: number): StoredSample => ({
    startMs,
    endMs: startMs + lengthMs,
    value: 1,
    offsetMinutes: null,
  });
  const range = { from: '2026-03-10', to: '2026-03-10', names: { from: 'start_date', to: 'end_date' }, maxDays: 31 };
  const readOver = async (long: number) => {
    const { deps } = memoryDeps();
    const { id } = await createUser(deps, caller, { timezone: 'UTC' });
    const [better, other] = [await addDevice(deps, id, watch), await addDevice(deps, id, ring)];
    const short = Array.from({ length: 288 }, (_none, at) => sample(midnight + at * cellMs, 100_000));
    await addStoredSamples(deps, id, better.ordinal, metric, short);
    const over = Array.from({ length: long }, (_none, at) => sample(midnight + at * 10, 23 * hourMs));
    await addStoredSamples(deps, id, other.ordinal, metric, over);
    return readTimeseries(deps, caller, id, { shape: 'samples', metrics: [metric], range });
  };
  await expect(readOver(1_000)).resolves.toBeDefined();
  await expect(readOver(2_000)).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('too many intervals to merge in one request. Request fewer days'),
  });
});
