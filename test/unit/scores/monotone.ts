import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import type { ScoreId } from '../../../shared/catalog/score-ids.ts';
import { scoreTable } from '../../../shared/catalog/score-table.ts';
import { createScorer } from '../../../shared/scores/day-scores.ts';
import { computeWeightedScore, type Evidence, isScored } from '../../../shared/scores/scoring.ts';
import type { Profile } from '../../../shared/users/profile.ts';
import { minCases, type RunScale, runOptions } from '../../harness/property-runs.ts';
import { anyValue, type Days, dayOf, daysBefore, daysWith, today, type Values } from './days.ts';

const adult = { date_of_birth: '1990-01-01', weight_kg: 70 };
const scoreOn = (id: ScoreId, days: Days, profile: Profile = adult) => {
  const outcome = createScorer(days, profile).scoreOne(id, today);
  return isScored(outcome) ? outcome : undefined;
};
const pointsOn = (id: ScoreId, factor: string, days: Days, profile = adult): number =>
  scoreOn(id, days, profile)?.factors.find(({ name }) => name === factor)?.points ?? Number.NaN;

export function testMonotone(tries: RunScale): void {
  describe('a larger value', () => {
    const up = 1;
    const down = -1;
    test.each<[ScoreId, MetricId, number]>([
      ['sleep_score', 'asleep', up],
      ['sleep_score', 'sleep_efficiency', up],
      ['sleep_score', 'restorative_sleep', up],
      ['sleep_score', 'sleep_latency', down],
      ['recovery_score', 'sleep_heart_rate_variability', up],
      ['recovery_score', 'heart_rate_variability_rmssd', up],
      ['recovery_score', 'heart_rate_variability', up],
      ['recovery_score', 'resting_heart_rate', down],
      ['recovery_score', 'sleep_heart_rate', down],
      ['recovery_score', 'respiratory_rate', down],
      ['recovery_score', 'sleep_respiratory_rate', down],
      ['recovery_score', 'asleep', up],
      ['strain_score', 'active_calories', up],
      ['strain_score', 'exercise', up],
      ['strain_score', 'steps', up],
      ['nutrition_score', 'protein', up],
      ['nutrition_score', 'fiber', up],
      ['nutrition_score', 'saturated_fat', down],
      ['nutrition_score', 'sugar', down],
      ['nutrition_score', 'sodium', down],
      ['stress_score', 'sleep_heart_rate_variability', down],
      ['stress_score', 'heart_rate_variability_rmssd', down],
      ['stress_score', 'heart_rate_variability', down],
      ['stress_score', 'resting_heart_rate', up],
      ['energy_reserve_score', 'sleep_heart_rate_variability', up],
      ['energy_reserve_score', 'resting_heart_rate', down],
      ['energy_reserve_score', 'active_calories', down],
      ['energy_reserve_score', 'exercise', down],
      ['energy_reserve_score', 'steps', down],
    ])('moves %s with %s in one direction only (%i)', (id, metric, way) => {
      let [compared, moved] = [0, 0];
      const completeDays = fc.array(fc.record(Object.fromEntries(neededFor(id).map((each) => [each, someOf(each)]))), {
        minLength: 10,
        maxLength: 20,
      });
      fc.assert(
        fc.property(completeDays, someOf(metric), someOf(metric), (values, a, b) => {
          const valueWith = (value: number) =>
            scoreOn(
              id,
              new Map(
                values.map((day, back) => [
                  daysBefore(back),
                  dayOf(withOne(day, metric, back === 0 ? value : (day[metric] ?? a))),
                ]),
              ),
            )?.value;
          const [less, more] = [valueWith(Math.min(a, b)), valueWith(Math.max(a, b))];
          if (less === undefined || more === undefined) return;
          compared++;
          if (more !== less) moved++;
          expect((more - less) * way).toBeGreaterThanOrEqual(0);
        }),
        runOptions(tries, 150),
      );
      expect(compared).toBeGreaterThan(minCases(tries, 75));
      expect(moved).toBeGreaterThan(0);
    });

    test('of the energy imbalance counts by its distance, in either direction', () => {
      const points = (distance: number) => {
        const log = { dietary_energy: 3000, total_calories: 3000 * Math.exp(distance), fiber: 25 };
        return pointsOn(
          'nutrition_score',
          'energy_balance',
          daysWith(log, () => log),
        );
      };
      const distance = fc.double({ min: 0, max: 0.65, noNaN: true });
      fc.assert(
        fc.property(distance, distance, (a, b) => {
          const [near, far] = [Math.min(a, b), Math.max(a, b)];
          for (const sign of [1, -1]) expect(points(sign * near)).toBeGreaterThanOrEqual(points(sign * far));
          expect(points(near)).toBeCloseTo(points(-near), 6);
        }),
        runOptions(tries),
      );
      expect([points(0), points(0.14), points(-0.14), points(0.62), points(-0.65)]).toEqual([100, 100, 100, 0, 0]);
    });

    test('of effort on the days before lowers energy reserve', () => {
      const usual: Values = { resting_heart_rate: 60, steps: 8_000, exercise: 30 };
      const reserveAfter = (exercise: number) =>
        scoreOn(
          'energy_reserve_score',
          daysWith({ resting_heart_rate: 60, steps: 8_000 }, (back) => (back === 1 ? { ...usual, exercise } : usual)),
        )?.value ?? Number.NaN;
      fc.assert(
        fc.property(anyValue('exercise'), anyValue('exercise'), (a, b) => {
          expect(reserveAfter(Math.max(a, b))).toBeLessThanOrEqual(reserveAfter(Math.min(a, b)));
        }),
        runOptions(tries),
      );
      expect(reserveAfter(600)).toBeLessThan(reserveAfter(0));
    });
  });

  describe('the score is flat', () => {
    const night = { asleep: 450, sleep_latency: 20 };
    const heart = (back: number): Values => ({
      sleep_heart_rate_variability: 50 + (back % 5),
      resting_heart_rate: 58 + (back % 3),
      sleep_respiratory_rate: 15 + (back % 4) / 5,
    });
    const recovery = (values: Values) =>
      scoreOn('recovery_score', daysWith({ ...night, ...heart(0), ...values }, heart));

    test('for recovery from one deviation of variability on, and rises before it', () => {
      const judged = (hrv: number) => recovery({ sleep_heart_rate_variability: hrv })?.factors[0];
      const high = fc.integer({ min: 20, max: 300 });
      let above = 0;
      fc.assert(
        fc.property(high, high, (a, b) => {
          const [less, more] = [judged(Math.min(a, b)), judged(Math.max(a, b))];
          if (!less || !more) throw new Error('there is no variability to compare');
          if ((less.z ?? 0) >= 1) {
            above++;
            expect(more.points).toBe(less.points);
          } else if (a !== b) expect(more.points).toBeGreaterThan(less.points);
        }),
        runOptions(tries),
      );
      expect(above).toBeGreaterThan(minCases(tries, 20));
      expect(recovery({ sleep_heart_rate_variability: 300 })?.value).toBe(
        recovery({ sleep_heart_rate_variability: 75 })?.value,
      );
    });

    test('for recovery with any respiratory rate below the usual, and falls above it', () => {
      const breath = (rate: number) => recovery({ sleep_respiratory_rate: rate })?.factors.at(-1);
      const usual = breath(15)?.usual ?? Number.NaN;
      const atUsual = breath(usual)?.points ?? Number.NaN;
      fc.assert(
        fc.property(fc.integer({ min: 30, max: 400 }), (tenths) => {
          const rate = tenths / 10;
          const points = breath(rate)?.points ?? Number.NaN;
          if (rate <= usual) expect(points).toBeCloseTo(atUsual, 9);
          else expect(points).toBeLessThan(atUsual);
        }),
        runOptions(tries),
      );
    });

    test.each([
      ['2024-06-01', 12.5, 16],
      ['2022-06-01', 11.5, 14],
      ['2016-01-01', 10, 12],
      ['2010-01-01', 9, 11],
      ['2004-01-01', 8, 11],
      ['1990-01-01', 8, 10],
      ['1950-01-01', 7.5, 9],
      [null, 8, 10],
    ])('for sleep of those born %s from %d to %d hours, then falls to 85 in two hours', (born, middle, max) => {
      const agedProfile = { ...adult, date_of_birth: born };
      const points = (hours: number) =>
        scoreOn('sleep_score', daysWith({ asleep: 60 * hours }), agedProfile)?.factors[0]?.points ?? Number.NaN;
      fc.assert(
        fc.property(fc.integer({ min: 180, max: 1500 }), (minutes) => {
          const hours = minutes / 60;
          if (hours < middle) expect(points(hours)).toBeLessThan(100);
          else if (hours <= max) expect(points(hours)).toBe(100);
          else if (hours < max + 2) expect(points(hours)).toBeCloseTo(100 - 7.5 * (hours - max), 6);
          else expect(points(hours)).toBe(85);
        }),
        runOptions(tries),
      );
    });

    const fed = { dietary_energy: 2000, protein: 60, fiber: 20, saturated_fat: 20, sugar: 80, sodium: 2500 };
    test.each<[ScoreId, string, Values, MetricId, readonly number[], number]>([
      ['sleep_score', 'duration', {}, 'asleep', [180], 0],
      ['sleep_score', 'efficiency', { asleep: 420 }, 'sleep_efficiency', [95, 97, 100], 100],
      ['sleep_score', 'efficiency', { asleep: 420 }, 'sleep_efficiency', [0, 30, 60], 0],
      ['sleep_score', 'restorative', { asleep: 420 }, 'restorative_sleep', [189, 250, 400], 100],
      ['sleep_score', 'restorative', { asleep: 420 }, 'restorative_sleep', [0, 20, 42], 0],
      ['sleep_score', 'latency', { asleep: 420 }, 'sleep_latency', [0, 8, 15], 100],
      ['sleep_score', 'latency', { asleep: 420 }, 'sleep_latency', [60, 90, 400], 0],
      ['nutrition_score', 'protein', fed, 'protein', [84, 120, 900], 100],
      ['nutrition_score', 'protein', fed, 'protein', [0, 10, 21], 0],
      ['nutrition_score', 'fiber', fed, 'fiber', [33.6, 50, 400], 100],
      ['nutrition_score', 'saturated_fat', fed, 'saturated_fat', [0, 8, 15.5], 100],
      ['nutrition_score', 'saturated_fat', fed, 'saturated_fat', [44.5, 60, 400], 0],
      ['nutrition_score', 'sugar', fed, 'sugar', [0, 20, 50], 100],
      ['nutrition_score', 'sugar', fed, 'sugar', [200, 300, 2000], 0],
      ['nutrition_score', 'sodium', fed, 'sodium', [0, 800, 1500], 100],
      ['nutrition_score', 'sodium', fed, 'sodium', [5000, 9000, 90_000], 0],
    ])('for %s %s beyond the ends of its curve', (id, factor, values, metric, ends, points) => {
      for (const end of ends) expect(pointsOn(id, factor, daysWith({ ...values, [metric]: end }))).toBe(points);
    });

    test('for unrelated inputs: a longer night moves neither strain nor stress', () => {
      const day = { ...heart(0), active_calories: 400, steps: 7000 };
      const before = (back: number): Values => ({ ...heart(back), active_calories: 400, steps: 7000 });
      for (const id of ['strain_score', 'stress_score'] as const)
        expect(scoreOn(id, daysWith({ ...day, ...night, asleep: 200 }, before))).toEqual(
          scoreOn(id, daysWith({ ...day, ...night, asleep: 600 }, before)),
        );
    });
  });

  describe('every factor of a score', () => {
    const factors = scoreTable.flatMap(({ id, factors }) =>
      factors.map(({ name, weight }: { name: string; weight: number }) => ({ id, name, weight })),
    );
    const judged = (points: number): Evidence => ({ points, input: 'steps', value: points, source: null });
    /** The cast holds because every factor of the score is among them. */
    const scoreOf = (id: ScoreId, points: Record<string, number | null>): number =>
      computeWeightedScore(
        id,
        Object.fromEntries(
          Object.entries(points).map(([name, own]) => [name, own === null ? null : judged(own)]),
        ) as Parameters<typeof computeWeightedScore>[1],
      )?.value ?? Number.NaN;
    const someOrNone = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));

    test.each(factors)(
      'counts: the better $name is, the higher is $id, including the lightest factor',
      ({ id, name, weight }) => {
        const others = factors.filter((each) => each.id === id && each.name !== name);
        const rest = fc.record(Object.fromEntries(others.map((each) => [each.name, someOrNone])));
        const own = fc.double({ min: 0, max: 100, noNaN: true });
        fc.assert(
          fc.property(rest, own, own, (points, a, b) => {
            const [less, more] = [Math.min(a, b), Math.max(a, b)].map((each) =>
              scoreOf(id, { ...points, [name]: each }),
            );
            expect(more).toBeGreaterThanOrEqual(less ?? Number.NaN);
          }),
          runOptions(tries),
        );
        const usual = Object.fromEntries(others.map((each) => [each.name, 50]));
        expect(scoreOf(id, { ...usual, [name]: 100 }) - scoreOf(id, { ...usual, [name]: 0 })).toBe(weight);
      },
    );
  });
}

/**
 * Values that a score covers: a night no longer than the hours up to which its points rise, a day
 * with the device worn, a log of a whole day.
 */
function someOf(metric: MetricId): fc.Arbitrary<number> {
  if (metric === 'asleep') return fc.double({ min: 180, max: 600, noNaN: true });
  if (metric === 'dietary_energy') return fc.double({ min: 800, max: 5000, noNaN: true });
  return anyValue(metric);
}

const alternatives: readonly (readonly MetricId[])[] = [
  ['sleep_heart_rate_variability', 'heart_rate_variability_rmssd', 'heart_rate_variability'],
  ['resting_heart_rate', 'sleep_heart_rate'],
  ['sleep_respiratory_rate', 'respiratory_rate'],
];

/** Only one of several alternative metrics counts on a day, so the others are left out. */
function withOne(day: Partial<Record<string, number>>, metric: MetricId, value: number): Values {
  const others: readonly string[] = alternatives.find((kinds) => kinds.includes(metric)) ?? [];
  const remaining = Object.entries(day).filter(([name]) => !others.includes(name));
  return { ...Object.fromEntries(remaining), [metric]: value };
}

function neededFor(id: ScoreId): MetricId[] {
  const heart: MetricId[] = [
    'sleep_heart_rate_variability',
    'heart_rate_variability_rmssd',
    'heart_rate_variability',
    'resting_heart_rate',
    'respiratory_rate',
  ];
  const night: MetricId[] = ['asleep', 'sleep_efficiency', 'restorative_sleep', 'sleep_latency'];
  const load: MetricId[] = ['active_calories', 'exercise', 'steps'];
  switch (id) {
    case 'sleep_score':
      return night;
    case 'recovery_score':
      return [...heart, ...night];
    case 'strain_score':
      return load;
    case 'nutrition_score':
      return ['dietary_energy', 'weight', 'protein', 'fiber', 'saturated_fat', 'sugar', 'sodium'];
    case 'stress_score':
      return heart;
    case 'energy_reserve_score':
      return [...heart, ...load];
  }
}
