import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScoreId } from '../../../../shared/catalog/score-ids.ts';
import { noData } from '../../../../shared/catalog/score-states.ts';
import type { ScoreDay } from '../../../../shared/measurements/rows/score-rows.ts';
import { computedMsOf } from '../../../../shared/measurements/rows/score-rows.ts';
import { nextChangeMs, type ThrottledUser, throttleDay } from '../../../../shared/pipeline/scoring/throttle-scores.ts';

const minute = 60_000;
const hour = 60 * minute;
const date = '2026-03-10';
/** 12:00 UTC on that day. */
const noon = Date.UTC(2026, 2, 10, 12);
const ids: ScoreId[] = ['sleep_score', 'strain_score', 'stress_score'];
const nightIds: ScoreId[] = ['sleep_score', 'stress_score'];

type Values = Partial<Record<ScoreId, number | null>>;
interface Pass {
  nowMs: number;
  values: Values;
  isAtOnce: boolean;
  mainSleepEndMs: number | null;
}

const computedOn = ({ nowMs, values }: Pass): ScoreDay => ({
  date,
  computedMs: nowMs,
  scores: new Map(
    ids.flatMap((id) => {
      const value = values[id] ?? null;
      return value === null ? [] : [[id, { value, factors: [], version: 2, confidence: 'high' as const }]];
    }),
  ),
  without: new Map(ids.flatMap((id) => (values[id] == null ? [[id, noData]] : []))),
});

interface Shown {
  values: Record<string, [value: number, computedMs: number] | null>;
  throttledUntilMs: number | null;
  changed: ScoreId[];
}

function product(user: ThrottledUser, passes: readonly Pass[]): Shown[] {
  let day: ScoreDay | undefined;
  return passes.map((pass) => {
    const paced = throttleDay(user, day, computedOn(pass), pass);
    ({ day } = paced);
    for (const id of ids) expect(paced.day.scores.has(id)).toBe(!paced.day.without.has(id));
    const shown = ids.map((id): [string, [number, number] | null] => {
      const value = paced.day.scores.get(id)?.value;
      return [id, value === undefined ? null : [value, computedMsOf(paced.day, id)]];
    });
    return { values: Object.fromEntries(shown), throttledUntilMs: paced.throttledUntilMs, changed: paced.changed };
  });
}

/** The documented rule, applied to everything that was ever written for the day. */
function oracle(beforeYesterdayMs: number, passes: readonly Pass[]): Shown[] {
  let written: { ms: number; id: ScoreId; kind: 'first' | 'later sleep' | 'turn' | 'settings' }[] = [];
  let scoredSleepMs: number | null = null;
  let laterSleeps = 0;
  const shown: Shown['values'] = Object.fromEntries(ids.map((id) => [id, null]));
  return passes.map(({ nowMs, values, isAtOnce, mainSleepEndMs }) => {
    const of = (id: ScoreId) => written.filter((each) => each.id === id);
    const nextTurn = (id: ScoreId) => {
      const turns = of(id).filter(({ kind }) => kind === 'turn').length;
      return Math.min((of(id).at(-1)?.ms ?? 0) + (turns < 2 ? 5 * minute : 6 * hour), beforeYesterdayMs);
    };
    const isLaterSleep =
      nightIds.some((id) => of(id).length > 0) &&
      mainSleepEndMs !== null &&
      (scoredSleepMs === null || mainSleepEndMs > scoredSleepMs) &&
      laterSleeps < 3;
    const waits: number[] = [];
    const changed: ScoreId[] = [];
    const news: typeof written = [];
    for (const id of ids) {
      const value = values[id] ?? null;
      const isSame = value === (shown[id]?.[0] ?? null);
      const kind = isAtOnce
        ? 'settings'
        : isLaterSleep && nightIds.includes(id)
          ? 'later sleep'
          : of(id).length === 0
            ? 'first'
            : 'turn';
      if (!isSame && kind === 'turn' && nowMs < nextTurn(id)) {
        waits.push(nextTurn(id));
        continue;
      }
      shown[id] = value === null ? null : [value, nowMs];
      if (isSame) continue;
      changed.push(id);
      news.push({ ms: nowMs, id, kind });
    }
    written = [...written, ...news];
    if (news.some(({ kind }) => kind === 'later sleep')) laterSleeps++;
    scoredSleepMs = mainSleepEndMs ?? scoredSleepMs;
    // A score that settings removed counts as never there; a day without any score starts over.
    if (isAtOnce) written = written.filter(({ id }) => shown[id] !== null);
    if (written.length === 0) [scoredSleepMs, laterSleeps] = [null, 0];
    return { values: { ...shown }, throttledUntilMs: waits.length > 0 ? Math.min(...waits) : null, changed };
  });
}

const users: [ThrottledUser, beforeYesterdayMs: number][] = [
  [{ timezone: null }, Date.UTC(2026, 2, 12)],
  [{ timezone: 'America/New_York' }, Date.UTC(2026, 2, 12, 4)],
  [{ timezone: 'Asia/Tokyo' }, Date.UTC(2026, 2, 11, 15)],
];
const value = fc.option(fc.nat(3), { freq: 3 });
const passes = fc
  .array(
    fc.record({
      afterMs: fc.oneof(fc.nat(minute), fc.nat(6 * minute), fc.nat(7 * hour)),
      values: fc.record({ sleep_score: value, strain_score: value, stress_score: value }),
      isAtOnce: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      sleepsMore: fc.option(fc.nat(2 * hour), { freq: 3 }),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    let nowMs = noon;
    let sleepEndMs = noon - 6 * hour;
    return steps.map(({ afterMs, values, isAtOnce, sleepsMore }): Pass => {
      nowMs += 1 + afterMs;
      sleepEndMs += sleepsMore ?? 0;
      return { nowMs, values, isAtOnce, mainSleepEndMs: sleepsMore === null ? null : sleepEndMs };
    });
  });

test('for any timing, the scores of a day change when the rule says so, and no later', () => {
  fc.assert(
    fc.property(fc.constantFrom(...users), passes, ([user, beforeYesterdayMs], all) => {
      expect(product(user, all)).toEqual(oracle(beforeYesterdayMs, all));
    }),
    { numRuns: 500 },
  );
});

test('a throttled change is written by a pass at its due time', () => {
  fc.assert(
    fc.property(fc.constantFrom(...users), passes, ([user], all) => {
      const last = all.at(-1);
      const throttledUntilMs = product(user, all).at(-1)?.throttledUntilMs ?? null;
      if (!last || throttledUntilMs === null) return;
      const early = { ...last, nowMs: throttledUntilMs - 1, isAtOnce: false, mainSleepEndMs: null };
      expect(product(user, [...all, early]).at(-1)).toMatchObject({ changed: [], throttledUntilMs });
      // Each score waits for its own time.
      const later: Pass[] = [];
      for (let dueMs: number | null = throttledUntilMs; dueMs !== null && later.length < ids.length; ) {
        later.push({ ...early, nowMs: dueMs });
        const shown = product(user, [...all, ...later]).at(-1);
        expect(shown?.changed).not.toEqual([]);
        dueMs = shown?.throttledUntilMs ?? null;
      }
      const shown = product(user, [...all, ...later]).at(-1);
      expect(shown?.throttledUntilMs).toBeNull();
      for (const id of ids) expect(shown?.values[id]?.[0] ?? null).toBe(last.values[id] ?? null);
    }),
  );
});

test('with new data every 30 seconds a score changes at 0, 5 and 10 minutes, then every six hours', () => {
  const all = Array.from({ length: 24 * 120 }, (_none, n) => ({
    nowMs: noon + n * 30_000,
    values: { strain_score: n },
    isAtOnce: false,
    mainSleepEndMs: null,
  }));
  const changes = product({ timezone: null }, all).flatMap(({ changed }, n) => (changed.length > 0 ? n / 2 : []));
  expect(changes).toEqual([0, 5, 10, 370, 730, 1090]);
});

test('the changes of one score do not use up those of another', () => {
  const at = (minutes: number, values: Values) => ({
    ...{ nowMs: noon + minutes * minute, values, isAtOnce: false, mainSleepEndMs: null },
  });
  const steps = [at(0, { sleep_score: 1, strain_score: 1 }), at(5, { sleep_score: 1, strain_score: 2 })];
  const more = [at(10, { sleep_score: 1, strain_score: 3 }), at(15, { sleep_score: 2, strain_score: 4 })];
  expect(product({ timezone: null }, [...steps, ...more]).map(({ changed }) => changed)).toEqual([
    ['sleep_score', 'strain_score'],
    ['strain_score'],
    ['strain_score'],
    ['sleep_score'],
  ]);
});

test('a main sleep that ends later is scored at once, three times a day', () => {
  const night = (hours: number, value: number) => ({
    ...{ nowMs: noon + hours * hour, values: { sleep_score: value, strain_score: value }, isAtOnce: false },
    mainSleepEndMs: noon - hour + hours * hour,
  });
  const all = Array.from({ length: 9 }, (_none, n) => night(n / 60, n));
  expect(product({ timezone: null }, all).map(({ changed }) => changed)).toEqual([
    ['sleep_score', 'strain_score'],
    ['sleep_score'],
    ['sleep_score'],
    ['sleep_score'],
    [],
    ['strain_score'],
    [],
    [],
    ['sleep_score'],
  ]);
});

test('a day without a pace counts as changed once, when it was computed', () => {
  const user: ThrottledUser = { timezone: null };
  const on = (nowMs: number, value: number) => ({
    ...{ nowMs, values: { strain_score: value }, isAtOnce: false, mainSleepEndMs: null },
  });
  const before = computedOn(on(noon, 1));
  const next = (nowMs: number) => throttleDay(user, before, computedOn(on(nowMs, 2)), on(nowMs, 2));
  expect(next(noon + 1)).toMatchObject({ changed: [], throttledUntilMs: noon + 5 * minute });
  expect(next(noon + 5 * minute).day.pace?.scores.get('strain_score')?.changes).toBe(1);
});

test('the last day of the calendar also has a pace', () => {
  const count = { changes: 2, lastMs: noon };
  expect(nextChangeMs({ timezone: 'Asia/Tokyo' }, '9999-12-31', count)).toBe(noon + 6 * hour);
});
