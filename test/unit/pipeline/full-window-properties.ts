// For any order, grouping and repetition of windows and pushes, a device's days reflect the latest
// response about each day.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CoveredRange, Records } from '../../../shared/measurements/records.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import {
  createProviderDevice,
  exerciseFrom,
  hourMs,
  type ProviderDevice,
  sleepUntil,
  tableCrashingAfter,
} from '../../harness/provider-device.ts';

const firstDay = '2026-03-01';
const dayAt = (index: number): string => addDays(firstDay, index);
const length = 8;

/**
 * What the user's account holds at the provider: nights and workouts by name, totals and hourly
 * samples by day.
 */
interface Truth {
  nights: Map<string, { day: number; minutes: number }>;
  workouts: Map<string, { day: number; name: string }>;
  weights: Map<number, number>;
  steps: Map<number, number>;
}
type Edit =
  | { what: 'night'; name: string; day: number | null; minutes: number }
  | { what: 'workout'; name: string; day: number | null; minutes: number }
  | { what: 'weight'; day: number; value: number | null }
  | { what: 'steps'; day: number; value: number | null };

const day = fc.nat({ max: length - 1 });
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    what: fc.constantFrom('night' as const, 'workout' as const),
    name: fc.constantFrom('a', 'b', 'c'),
    day: fc.option(day, { freq: 3 }),
    minutes: fc.integer({ min: 300, max: 320 }),
  }),
  fc.record({
    what: fc.constantFrom('weight' as const, 'steps' as const),
    day,
    value: fc.option(fc.integer({ min: 50, max: 60 }), { freq: 3 }),
  }),
);

function apply(truth: Truth, change: Edit): void {
  const { what, day: on } = change;
  if (what === 'weight' || what === 'steps') {
    const days = what === 'weight' ? truth.weights : truth.steps;
    if (change.value === null) days.delete(change.day);
    else days.set(change.day, change.value);
  } else if (what === 'night') {
    if (on === null) truth.nights.delete(change.name);
    else truth.nights.set(change.name, { day: on, minutes: change.minutes });
  } else if (on === null) truth.workouts.delete(change.name);
  else truth.workouts.set(change.name, { day: on, name: String(change.minutes) });
}

/** The three nights of a day follow each other, so that each of them counts. */
const nightOf = (name: string, { day: on, minutes }: { day: number; minutes: number }) =>
  sleepUntil(`${dayAt(on)}T${{ a: '06', b: '13', c: '20' }[name]}:00:00Z`, {
    sourceId: name,
    startMs: Date.parse(`${dayAt(on)}T${{ a: '06', b: '13', c: '20' }[name]}:00:00Z`) - 5.5 * hourMs,
    asleepMinutes: minutes,
  });

function recordsOf(truth: Truth, isRequested: (day: number) => boolean): Records {
  const requested = <T>(entries: Iterable<[T, number]>) =>
    [...entries].filter(([, on]) => isRequested(on)).map(([one]) => one);
  return {
    sleep: requested([...truth.nights].map(([name, night]) => [nightOf(name, night), night.day])),
    workouts: requested(
      [...truth.workouts].map(([sourceId, { day: on, name }]) => [
        exerciseFrom(`${dayAt(on)}T18:00:00Z`, { sourceId, name }),
        on,
      ]),
    ),
    daily: requested(
      [...truth.weights].map(([on, value]) => [{ metric: 'weight' as const, date: dayAt(on), value }, on]),
    ),
    samples: requested(
      [...truth.steps].map(([on, value]) => {
        const startMs = Date.parse(`${dayAt(on)}T09:00:00Z`);
        return [{ metric: 'steps' as const, startMs, endMs: startMs + hourMs, value, offsetMinutes: 0 }, on];
      }),
    ),
  };
}

const claimOf = (from: number, to: number): CoveredRange => ({
  from: dayAt(from),
  to: dayAt(to),
  sleep: true,
  workouts: true,
  daily: ['weight'],
  samples: ['steps'],
});

/**
 * A window is answered in full and returns one more day on either side without claiming it; a push
 * brings only one day.
 */
const window = fc.record({
  from: day,
  days: fc.integer({ min: 1, max: length }),
  claims: fc.boolean(),
  /** Whether everything that has arrived is processed after it. */
  work: fc.boolean(),
});
type Window = typeof window extends fc.Arbitrary<infer T> ? T : never;

const respondTo = (truth: Truth, { from, days, claims }: Window): Records => {
  const to = Math.min(length - 1, from + days - 1);
  return claims
    ? { ...recordsOf(truth, (on) => on >= from - 1 && on <= to + 1), covered: [claimOf(from, to)] }
    : recordsOf(truth, (on) => on === from);
};

const fullWindow: Window = { from: 0, days: length, claims: true, work: true };
const emptyTruth = (): Truth => ({ nights: new Map(), workouts: new Map(), weights: new Map(), steps: new Map() });

function expected({ nights, workouts, weights, steps }: Truth): object {
  const days: Record<string, Record<string, number>> = {};
  const put = (on: number, metric: string, value: number) => {
    days[dayAt(on)] = { ...days[dayAt(on)], [metric]: value };
  };
  for (const [on, value] of weights) put(on, 'weight', value);
  for (const [on, value] of steps) put(on, 'steps', value);
  for (const { day: on, minutes } of nights.values()) put(on, 'asleep', (days[dayAt(on)]?.['asleep'] ?? 0) + minutes);
  const describeRows = (rows: Iterable<[string, { day: number }]>) =>
    [...rows].map(([name, { day: on }]) => `${dayAt(on)} ${name}`).sort();
  return { days, sleep: describeRows(nights), workouts: describeRows(workouts) };
}

async function readBack(device: ProviderDevice): Promise<object> {
  const { days, sleep, workouts } = await device.read();
  const nonEmptyDays = Object.entries(days).flatMap(([date, { longest_sleep: _main, ...rest }]) =>
    Object.keys(rest).length === 0 ? [] : [[date, rest]],
  );
  const describeRows = (rows: { date: string; sourceId: string | undefined }[]) =>
    rows.map(({ date, sourceId }) => `${date} ${sourceId}`).sort();
  return { days: Object.fromEntries(nonEmptyDays), sleep: describeRows(sleep), workouts: describeRows(workouts) };
}

const history = fc.array(fc.tuple(fc.array(edit, { maxLength: 3 }), window), { minLength: 1, maxLength: 8 });

async function runHistory(device: ProviderDevice, steps: readonly (readonly [Edit[], Window])[]): Promise<Truth> {
  const truth = emptyTruth();
  for (const [edits, requested] of steps) {
    for (const change of edits) apply(truth, change);
    await device.accept(respondTo(truth, requested));
    if (requested.work) await device.processPending();
  }
  return truth;
}

/** Defines the tests, each of which tries `numRuns` histories. */
export function tryHistories(numRuns: number): void {
  test('after any history, windows over every day in any order and grouping restore the true state', {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 }),
        fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
        async (steps, order, works) => {
          const device = await createProviderDevice();
          const truth = await runHistory(device, steps);
          for (const [at, from] of order.entries()) {
            await device.accept(respondTo(truth, { from, days: 1, claims: true, work: true }));
            if (works[at]) await device.processPending();
          }
          await device.processPending();
          expect(await readBack(device)).toEqual(expected(truth));
        },
      ),
      { numRuns },
    );
  });

  test('repeating the latest data changes nothing', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(window, { maxLength: 5 }), async (steps, again) => {
        const device = await createProviderDevice();
        const truth = await runHistory(device, [...steps, [[], fullWindow]]);
        await device.processPending();
        await device.events();
        for (const requested of again) await device.accept(respondTo(truth, requested));
        await device.processPending();
        expect(await readBack(device)).toEqual(expected(truth));
        expect(await device.events()).toEqual([]);
      }),
      { numRuns },
    );
  });

  test('processed one by one or together, any history ends in the same state, even after a crash', {
    timeout: 240_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.nat({ max: 30 }), async (steps, writes) => {
        const alone = await createProviderDevice();
        await runHistory(
          alone,
          steps.map(([edits, requested]) => [edits, { ...requested, work: true }] as const),
        );
        const together = await createProviderDevice();
        await runHistory(
          together,
          steps.map(([edits, requested]) => [edits, { ...requested, work: false }] as const),
        );
        await together.processPending(together.withTable(tableCrashingAfter(together.table, writes))).catch(() => {});
        together.clock.advance(600_000);
        await together.processPending();
        expect(await readBack(together)).toEqual(await readBack(alone));
      }),
      { numRuns },
    );
  });
}
