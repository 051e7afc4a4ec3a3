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

type Values = Partial<Record<ScoreId, number | null>>;
interface Pass {
  nowMs: number;
  values: Values;
  isAtOnce: boolean;
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
function oracle({ env }: ThrottledUser, beforeYesterdayMs: number, passes: readonly Pass[]): Shown[] {
  let written: { ms: number; id: ScoreId; kind: 'first' | 'turn' | 'settings' }[] = [];
  let seen = new Set<ScoreId>();
  const shown: Shown['values'] = Object.fromEntries(ids.map((id) => [id, null]));
  return passes.map(({ nowMs, values, isAtOnce }) => {
    const nextTurn = () => {
      const turns = new Set(written.filter(({ kind }) => kind === 'turn').map(({ ms }) => ms)).size;
      const gap = env === 'sandbox' ? minute : turns < 3 ? 5 * minute : 4 * hour;
      const last = Math.max(...written.map(({ ms }) => ms), Number.NEGATIVE_INFINITY);
      return Math.min(last + gap, beforeYesterdayMs);
    };
    const turnMs = nextTurn();
    let isThrottled = false;
    const changed: ScoreId[] = [];
    for (const id of ids) {
      const value = values[id] ?? null;
      const isSame = value === (shown[id]?.[0] ?? null);
      const mayChange = isAtOnce || !seen.has(id) || nowMs >= turnMs;
      if (!isSame && !mayChange) {
        isThrottled = true;
        continue;
      }
      shown[id] = value === null ? null : [value, nowMs];
      if (isSame) continue;
      changed.push(id);
      written.push({ ms: nowMs, id, kind: isAtOnce ? 'settings' : seen.has(id) ? 'turn' : 'first' });
    }
    for (const id of changed) seen.add(id);
    // A score that settings removed counts as never there; a day without any score starts over.
    if (isAtOnce) seen = new Set(ids.filter((id) => shown[id] !== null));
    if (seen.size === 0) written = [];
    return { values: { ...shown }, throttledUntilMs: isThrottled ? nextTurn() : null, changed };
  });
}

const users: [ThrottledUser, beforeYesterdayMs: number][] = [
  [{ env: 'live', timezone: null }, Date.UTC(2026, 2, 12)],
  [{ env: 'live', timezone: 'America/New_York' }, Date.UTC(2026, 2, 12, 4)],
  [{ env: 'sandbox', timezone: 'Asia/Tokyo' }, Date.UTC(2026, 2, 11, 15)],
];
const value = fc.option(fc.nat(3), { freq: 3 });
const passes = fc
  .array(
    fc.record({
      afterMs: fc.oneof(fc.nat(minute), fc.nat(6 * minute), fc.nat(5 * hour)),
      values: fc.record({ sleep_score: value, strain_score: value, stress_score: value }),
      isAtOnce: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    }),
    { maxLength: 40 },
  )
  .map((steps) => {
    let nowMs = noon;
    return steps.map(({ afterMs, values, isAtOnce }): Pass => {
      nowMs += 1 + afterMs;
      return { nowMs, values, isAtOnce };
    });
  });

test('for any timing, the scores of a day change when the rule says so, and no later', () => {
  fc.assert(
    fc.property(fc.constantFrom(...users), passes, ([user, beforeYesterdayMs], all) => {
      expect(product(user, all)).toEqual(oracle(user, beforeYesterdayMs, all));
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
      const early = { ...last, nowMs: throttledUntilMs - 1, isAtOnce: false };
      const then = { ...early, nowMs: throttledUntilMs };
      expect(product(user, [...all, early]).at(-1)).toMatchObject({ changed: [], throttledUntilMs });
      const shown = product(user, [...all, then]).at(-1);
      expect(shown?.throttledUntilMs).toBeNull();
      for (const id of ids) expect(shown?.values[id]?.[0] ?? null).toBe(last.values[id] ?? null);
    }),
  );
});

test('with new data every 30 seconds a score changes at 0, 5, 10 and 15 minutes, then every four hours', () => {
  const changes = (user: ThrottledUser) => {
    const all = Array.from({ length: 9 * 120 }, (_none, n) => ({
      nowMs: noon + n * 30_000,
      values: { strain_score: n },
      isAtOnce: false,
    }));
    return product(user, all).flatMap(({ changed }, n) => (changed.length > 0 ? n / 2 : []));
  };
  expect(changes({ env: 'live', timezone: null })).toEqual([0, 5, 10, 15, 255, 495]);
  expect(changes({ env: 'sandbox', timezone: null })).toHaveLength(9 * 60);
});

test('a day without a pace counts as changed once, when it was computed', () => {
  const before = computedOn({ nowMs: noon, values: { strain_score: 1 }, isAtOnce: false });
  const user: ThrottledUser = { env: 'live', timezone: null };
  const next = (nowMs: number) =>
    throttleDay(user, before, computedOn({ nowMs, values: { strain_score: 2 }, isAtOnce: false }), {
      nowMs,
      isAtOnce: false,
    });
  expect(next(noon + 1)).toMatchObject({ changed: [], throttledUntilMs: noon + 5 * minute });
  expect(next(noon + 5 * minute)).toMatchObject({ changed: ['strain_score'], day: { pace: { changes: 1 } } });
});

test('the last day of the calendar also has a pace', () => {
  const pace = { changes: 3, lastMs: noon, lostScores: [] };
  expect(nextChangeMs({ env: 'live', timezone: 'Asia/Tokyo' }, '9999-12-31', pace)).toBe(noon + 4 * hour);
});
