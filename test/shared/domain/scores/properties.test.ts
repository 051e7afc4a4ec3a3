import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { reachDays, scorer } from '../../../../shared/domain/scores/day-scores.ts';
import { dueSpans } from '../../../../shared/domain/scores/due-days.ts';
import { weighted } from '../../../../shared/domain/scores/scoring.ts';
import { addDays } from '../../../../shared/domain/time/local-day.ts';
import type { MetricId } from '../../../../shared/model/metrics.ts';
import { metricIds } from '../../../../shared/model/metrics.ts';
import { type ScoreId, scoreIds } from '../../../../shared/model/score-ids.ts';
import { scoreTable } from '../../../../shared/model/score-table.ts';
import { anyDay, anyValue, dayOf, daysBefore, daysWith, today, type Values } from './days.ts';

const inputs: readonly MetricId[] = [
  'asleep',
  'sleep_efficiency',
  'time_in_bed',
  'restorative_sleep',
  'deep_sleep',
  'rem_sleep',
  'sleep_latency',
  'sleep_heart_rate_variability',
  'heart_rate_variability_rmssd',
  'heart_rate_variability',
  'resting_heart_rate',
  'sleep_heart_rate',
  'sleep_respiratory_rate',
  'respiratory_rate',
  'active_calories',
  'exercise',
  'steps',
  'dietary_energy',
  'total_calories',
  'resting_energy',
  'weight',
  'protein',
  'fiber',
  'saturated_fat',
  'sugar',
  'sodium',
];
const unrelated = metricIds.filter((metric) => !inputs.includes(metric));

const profile = fc.record(
  {
    date_of_birth: fc.constantFrom('1940-01-01', '1990-05-17', '2010-12-31', '2025-02-03'),
    weight_kg: fc.double({ min: 40, max: 150, noNaN: true }),
  },
  { requiredKeys: [] },
);
const history = fc
  .array(anyDay(inputs), { minLength: 1, maxLength: 45 })
  .map((days) => new Map(days.map((values, back) => [daysBefore(back), dayOf(values)])));

const valueIn = (days: Map<string, Float64Array>, id: ScoreId) => scorer(days, {}).on(today).get(id)?.value;

test('every score is a whole number from 0 to 100, and its factors add up to it', () => {
  const seen = new Set<ScoreId>();
  fc.assert(
    fc.property(history, profile, (days, person) => {
      for (const [id, { value, factors }] of scorer(days, person).on(today)) {
        seen.add(id);
        expect(Number.isInteger(value) && value >= 0 && value <= 100).toBe(true);
        expect(factors.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(value);
        for (const { contribution } of factors) expect(Number.isInteger(contribution) && contribution >= 0).toBe(true);
        const names: readonly string[] = scoreTable.find((row) => row.id === id)?.factors.map(({ name }) => name) ?? [];
        expect(names).toEqual(expect.arrayContaining(factors.map(({ name }) => name)));
      }
    }),
    { numRuns: 400 },
  );
  expect([...seen].sort()).toEqual([...scoreIds].sort());
});

test('the weights of every score add up to 100', () => {
  for (const { factors } of scoreTable)
    expect(factors.reduce((sum: number, { weight }: { weight: number }) => sum + weight, 0)).toBe(100);
});

test('the same days give the same scores, whatever other metrics there are', () => {
  fc.assert(
    fc.property(
      history,
      fc.array(anyDay(unrelated), { minLength: 45, maxLength: 45 }),
      profile,
      (days, more, person) => {
        const noisier = new Map(
          [...days].map(([date, values], at) => [
            date,
            dayOf(more[at] ?? {}).map((value, index) => (Number.isNaN(value) ? (values[index] ?? Number.NaN) : value)),
          ]),
        );
        expect(scorer(noisier, person).on(today)).toEqual(scorer(days, person).on(today));
      },
    ),
  );
});

test('a day changes the scores of itself and of the days it reaches, and of no others', () => {
  fc.assert(
    fc.property(history, anyDay(inputs), fc.integer({ min: -3, max: 60 }), (days, changed, back) => {
      const altered = new Map(days).set(daysBefore(back), dayOf(changed));
      if (back >= 0 && back <= reachDays) return;
      expect(scorer(altered, {}).on(today)).toEqual(scorer(days, {}).on(today));
    }),
  );
});

test('a day reaches as far as is claimed', () => {
  const usual: Values = { resting_heart_rate: 60, active_calories: 500 };
  const days = new Map(Array.from({ length: 60 }, (_none, back) => [daysBefore(back), dayOf(usual)]));
  const altered = new Map(days).set(daysBefore(reachDays), dayOf({ ...usual, active_calories: 20_000 }));
  expect(scorer(altered, {}).on(today)).not.toEqual(scorer(days, {}).on(today));
});

test('without a value of the day itself there is no score', () => {
  fc.assert(
    fc.property(history, (days) => {
      expect(scorer(new Map(days).set(today, dayOf({})), {}).on(today).size).toBe(0);
    }),
  );
});

describe('more of it', () => {
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
    ['recovery_score', 'respiratory_rate', down],
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
    ['energy_reserve_score', 'resting_heart_rate', down],
    ['energy_reserve_score', 'steps', down],
  ])('moves %s with %s only one way (%i)', (id, metric, way) => {
    let moved = 0;
    const whole = fc.array(fc.record(Object.fromEntries(neededFor(id).map((each) => [each, someOf(each)]))), {
      minLength: 10,
      maxLength: 20,
    });
    fc.assert(
      fc.property(whole, anyValue(metric), anyValue(metric), (values, a, b) => {
        const valueWith = (value: number) =>
          valueIn(
            new Map(
              values.map((day, back) => [
                daysBefore(back),
                dayOf(withOne(day, metric, back === 0 ? value : day[metric])),
              ]),
            ),
            id,
          );
        const [less, more] = [valueWith(Math.min(a, b)), valueWith(Math.max(a, b))];
        if (less === undefined || more === undefined) throw new Error('there is no score to compare');
        if (more !== less) moved++;
        expect((more - less) * way).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 150 },
    );
    expect(moved).toBeGreaterThan(0);
  });

  test('energy balance is judged by the distance, whichever way it goes', () => {
    const spent = (total_calories: number) =>
      valueIn(
        new Map([[today, dayOf({ dietary_energy: 2000, total_calories, fiber: 25, sugar: 50, sodium: 1800 })]]),
        'nutrition_score',
      ) ?? Number.NaN;
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const [near, far] = [Math.min(a, b), Math.max(a, b)];
        for (const sign of [1, -1])
          expect(spent(2000 * Math.exp(sign * near))).toBeGreaterThanOrEqual(spent(2000 * Math.exp(sign * far)));
      }),
    );
  });
});

describe('every factor of a score', () => {
  const factors = scoreTable.flatMap(({ id, factors }) =>
    factors.map(({ name, weight }: { name: string; weight: number }) => ({ id, name, weight })),
  );
  /** Holds because every factor of the score has points. */
  const scoreOf = (id: ScoreId, points: Record<string, number | null>): number =>
    weighted(id, points as Parameters<typeof weighted>[1])?.value ?? Number.NaN;
  const someOrNone = fc.option(fc.double({ min: 0, max: 100, noNaN: true }));

  test.each(factors)('the better $name is, the higher is $id, the lightest factor included', ({ id, name, weight }) => {
    const others = factors.filter((each) => each.id === id && each.name !== name);
    const rest = fc.record(Object.fromEntries(others.map((each) => [each.name, someOrNone])));
    fc.assert(
      fc.property(
        rest,
        fc.double({ min: 0, max: 100, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (points, a, b) => {
          const [less, more] = [Math.min(a, b), Math.max(a, b)].map((own) => scoreOf(id, { ...points, [name]: own }));
          expect(more).toBeGreaterThanOrEqual(less ?? Number.NaN);
        },
      ),
    );
    const usual = Object.fromEntries(others.map((each) => [each.name, 50]));
    expect(scoreOf(id, { ...usual, [name]: 100 }) - scoreOf(id, { ...usual, [name]: 0 })).toBe(weight);
  });

  test('energy reserve falls with the effort of the days before', () => {
    const usual: Values = { resting_heart_rate: 60, steps: 8_000, exercise: 30 };
    const { exercise: _none, ...atRest } = usual;
    const reserveAfter = (exercise: number) =>
      valueIn(
        daysWith(atRest, (back) => (back === 1 ? { ...usual, exercise } : usual)),
        'energy_reserve_score',
      ) ?? Number.NaN;
    fc.assert(
      fc.property(anyValue('exercise'), anyValue('exercise'), (a, b) => {
        expect(reserveAfter(Math.max(a, b))).toBeLessThanOrEqual(reserveAfter(Math.min(a, b)));
      }),
    );
    expect(reserveAfter(600)).toBeLessThan(reserveAfter(0));
  });
});

/** A day on which nothing was eaten has no score to compare. */
const someOf = (metric: MetricId) =>
  metric === 'dietary_energy' ? anyValue(metric).filter((kcal) => kcal > 0) : anyValue(metric);

/** Only one kind of heart rate variability counts on a day, so the other kinds are left out. */
function withOne(day: Partial<Record<string, number>>, metric: MetricId, value: number | undefined): Values {
  const kinds = ['sleep_heart_rate_variability', 'heart_rate_variability_rmssd', 'heart_rate_variability'];
  const kept = kinds.includes(metric)
    ? Object.entries(day).filter(([name]) => !kinds.includes(name))
    : Object.entries(day);
  return { ...Object.fromEntries(kept), ...(value === undefined ? {} : { [metric]: value }) };
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

describe('the days to score anew', () => {
  const date = fc.integer({ min: 0, max: 400 }).map((days) => addDays('2025-01-01', days));
  test('are those that an ask reaches, each in one span', () => {
    const asks = fc.array(
      fc.tuple(date, date).map(([a, b]) => ({ from: a < b ? a : b, to: a < b ? b : a })),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(asks, date, (asked, day) => {
        const due = asked.some(({ from, to }) => day >= from && day <= addDays(to, reachDays));
        expect(dueSpans(asked).filter(({ from, to }) => day >= from && day <= to)).toHaveLength(due ? 1 : 0);
      }),
      { numRuns: 500 },
    );
  });

  test('may be all there are', () => {
    expect(dueSpans([{ from: '0000-01-01', to: '9999-12-31' }])).toEqual([{ from: '0000-01-01', to: '9999-12-31' }]);
  });
});
