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

function recordsOf(truth: Truth, isAsked: (day: number) => boolean): Records {
  const asked = <T>(entries: Iterable<[T, number]>) => [...entries].filter(([, on]) => isAsked(on)).map(([one]) => one);
  return {
    sleep: asked([...truth.nights].map(([name, night]) => [nightOf(name, night), night.day])),
    workouts: asked(
      [...truth.workouts].map(([sourceId, { day: on, name }]) => [
        exerciseFrom(`${dayAt(on)}T18:00:00Z`, { sourceId, name }),
        on,
      ]),
    ),
    daily: asked([...truth.weights].map(([on, value]) => [{ metric: 'weight' as const, date: dayAt(on), value }, on])),
    samples: asked(
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
const asking = fc.record({
  from: day,
  days: fc.integer({ min: 1, max: length }),
  claims: fc.boolean(),
  /** Whether everything that has arrived is processed after it. */
  work: fc.boolean(),
});
type Asking = typeof asking extends fc.Arbitrary<infer T> ? T : never;

const answer = (truth: Truth, { from, days, claims }: Asking): Records => {
  const to = Math.min(length - 1, from + days - 1);
  return claims
    ? { ...recordsOf(truth, (on) => on >= from - 1 && on <= to + 1), covered: [claimOf(from, to)] }
    : recordsOf(truth, (on) => on === from);
};

const whole: Asking = { from: 0, days: length, claims: true, work: true };
const untouched = (): Truth => ({ nights: new Map(), workouts: new Map(), weights: new Map(), steps: new Map() });

function expected({ nights, workouts, weights, steps }: Truth): object {
  const days: Record<string, Record<string, number>> = {};
  const put = (on: number, metric: string, value: number) => {
    days[dayAt(on)] = { ...days[dayAt(on)], [metric]: value };
  };
  for (const [on, value] of weights) put(on, 'weight', value);
  for (const [on, value] of steps) put(on, 'steps', value);
  for (const { day: on, minutes } of nights.values()) put(on, 'asleep', (days[dayAt(on)]?.['asleep'] ?? 0) + minutes);
  const standing = (rows: Iterable<[string, { day: number }]>) =>
    [...rows].map(([name, { day: on }]) => `${dayAt(on)} ${name}`).sort();
  return { days, sleep: standing(nights), workouts: standing(workouts) };
}

async function readBack(cloud: ProviderDevice): Promise<object> {
  const { days, sleep, workouts } = await cloud.read();
  const kept = Object.entries(days).flatMap(([date, { longest_sleep: _main, ...rest }]) =>
    Object.keys(rest).length === 0 ? [] : [[date, rest]],
  );
  const standing = (rows: { date: string; sourceId: string | undefined }[]) =>
    rows.map(({ date, sourceId }) => `${date} ${sourceId}`).sort();
  return { days: Object.fromEntries(kept), sleep: standing(sleep), workouts: standing(workouts) };
}

const history = fc.array(fc.tuple(fc.array(edit, { maxLength: 3 }), asking), { minLength: 1, maxLength: 8 });

async function live(cloud: ProviderDevice, steps: readonly (readonly [Edit[], Asking])[]): Promise<Truth> {
  const truth = untouched();
  for (const [edits, asked] of steps) {
    for (const change of edits) apply(truth, change);
    await cloud.accept(answer(truth, asked));
    if (asked.work) await cloud.processPending();
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
          const cloud = await createProviderDevice();
          const truth = await live(cloud, steps);
          for (const [at, from] of order.entries()) {
            await cloud.accept(answer(truth, { from, days: 1, claims: true, work: true }));
            if (works[at]) await cloud.processPending();
          }
          await cloud.processPending();
          expect(await readBack(cloud)).toEqual(expected(truth));
        },
      ),
      { numRuns },
    );
  });

  test('repeating the latest data changes nothing', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.array(asking, { maxLength: 5 }), async (steps, again) => {
        const cloud = await createProviderDevice();
        const truth = await live(cloud, [...steps, [[], whole]]);
        await cloud.processPending();
        await cloud.events();
        for (const asked of again) await cloud.accept(answer(truth, asked));
        await cloud.processPending();
        expect(await readBack(cloud)).toEqual(expected(truth));
        expect(await cloud.events()).toEqual([]);
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
        await live(
          alone,
          steps.map(([edits, asked]) => [edits, { ...asked, work: true }] as const),
        );
        const together = await createProviderDevice();
        await live(
          together,
          steps.map(([edits, asked]) => [edits, { ...asked, work: false }] as const),
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
