// A score is never better because data is missing. A missing factor counts as the average of the
// others, so the tests check this in parts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import type { ScoreId } from '../../../shared/catalog/score-ids.ts';
import { type Confidence, confidences } from '../../../shared/catalog/score-states.ts';
import { createScorer } from '../../../shared/scores/day-scores.ts';
import { isScored, type JudgedScore } from '../../../shared/scores/scoring.ts';
import { minCases, type RunScale, runOptions } from '../../harness/property-runs.ts';
import { type Days, today, type Values } from './days.ts';
import type { PlainDay } from './naive-baseline.ts';
import { anyHistory, anySeed, asDays, scoreInputs } from './random-history.ts';

const adult = { date_of_birth: '1990-01-01', weight_kg: 70 };
const ofDay = (days: Days) => createScorer(days, adult).scoreDay(today);
const scoreOf = (id: ScoreId, days: readonly PlainDay[]): JudgedScore | undefined => {
  const outcome = createScorer(asDays(days), adult).scoreOne(id, today);
  return isScored(outcome) ? outcome : undefined;
};

const without = (day: PlainDay, metrics: readonly MetricId[]): PlainDay => ({
  values: Object.fromEntries(Object.entries(day.values).filter(([metric]) => !metrics.some((gone) => gone === metric))),
  from: day.from,
});
const byOneDevice = (days: readonly PlainDay[]): PlainDay[] => days.map(({ values }) => ({ values, from: {} }));
/** Removes the metrics from the scored day only. */
const lacking = (days: readonly PlainDay[], metrics: readonly MetricId[]): PlainDay[] =>
  days.map((day, back) => (back === 0 ? without(day, metrics) : day));

const having = ([first, ...before]: readonly PlainDay[], values: Values): PlainDay[] => [
  { values: { ...first?.values, ...values }, from: first?.from ?? {} },
  ...before,
];

const variability: MetricId[] = [
  'sleep_heart_rate_variability',
  'heart_rate_variability_rmssd',
  'heart_rate_variability',
];
const pulse: MetricId[] = ['resting_heart_rate', 'sleep_heart_rate'];
const load: MetricId[] = ['active_calories', 'exercise', 'steps'];

export function testMissingData(tries: RunScale): void {
  describe('without a required input,', () => {
    test.each<[ScoreId, MetricId[], string]>([
      ['sleep_score', ['asleep'], 'no_data'],
      ['recovery_score', [...variability, ...pulse], 'no_data'],
      ['stress_score', variability, 'no_data'],
      ['strain_score', load, 'no_data'],
      ['nutrition_score', ['dietary_energy'], 'no_data'],
      ['nutrition_score', ['protein', 'fiber'], 'too_few_nutrients'],
      ['energy_reserve_score', [...variability, ...pulse], 'no_data'],
      ['energy_reserve_score', load, 'no_strain'],
    ])('%s has no value when %j are missing, and states %s', (id, metrics, reason) => {
      let had = 0;
      fc.assert(
        fc.property(anySeed, (seed) => {
          const { days } = anyHistory(seed);
          if (!scoreOf(id, days)) return;
          had++;
          const { scores, without: reasons } = ofDay(asDays(lacking(days, metrics)));
          expect(scores.has(id)).toBe(false);
          expect(reasons.get(id)).toEqual({ status: 'missing', reason });
        }),
        runOptions(tries),
      );
      expect(had).toBeGreaterThan(minCases(tries, 15));
    });
  });

  /**
   * The inputs of each factor, with values that give full points; respiratory rate has no more
   * points than on a usual day.
   */
  const optional: readonly [ScoreId, string, MetricId[], Values?][] = [
    ['sleep_score', 'efficiency', ['sleep_efficiency', 'time_in_bed'], { sleep_efficiency: 100 }],
    ['sleep_score', 'restorative', ['restorative_sleep', 'deep_sleep', 'rem_sleep'], { restorative_sleep: 400 }],
    ['sleep_score', 'latency', ['sleep_latency'], { sleep_latency: 0 }],
    [
      'recovery_score',
      'sleep',
      ['asleep'],
      { asleep: 500, sleep_efficiency: 100, restorative_sleep: 400, sleep_latency: 0 },
    ],
    ['recovery_score', 'respiratory_rate', ['sleep_respiratory_rate', 'respiratory_rate']],
    ['nutrition_score', 'protein', ['protein'], { protein: 900 }],
    ['nutrition_score', 'fiber', ['fiber'], { fiber: 200 }],
    ['nutrition_score', 'saturated_fat', ['saturated_fat'], { saturated_fat: 0 }],
    ['nutrition_score', 'sugar', ['sugar'], { sugar: 0 }],
    ['nutrition_score', 'sodium', ['sodium'], { sodium: 0 }],
    ['strain_score', 'active_energy', ['active_calories'], { active_calories: 20_000 }],
    ['strain_score', 'steps', ['steps'], { steps: 200_000 }],
    ['stress_score', 'resting_heart_rate', pulse, { resting_heart_rate: 220, sleep_heart_rate: 220 }],
  ];

  describe.each(optional)('%s without %s', (id, factor, metrics, fullPoints) => {
    test('is no higher where that factor was at least the score, and no lower where it was at most the score', () => {
      let [higher, lower] = [0, 0];
      fc.assert(
        fc.property(anySeed, (seed) => {
          const days = byOneDevice(anyHistory(seed).days);
          const before = scoreOf(id, days);
          const judged = before?.factors.find(({ name }) => name === factor);
          const after = scoreOf(id, lacking(days, metrics));
          if (!before || !judged || !after) return;
          expect(after.factors.map(({ name }) => name)).not.toContain(factor);
          const reference = before.factors.reduce((sum, { points, weight }) => sum + (points * weight) / 100, 0);
          if (judged.points >= reference) {
            higher++;
            expect(after.value).toBeLessThanOrEqual(before.value);
          } else {
            lower++;
            expect(after.value).toBeGreaterThanOrEqual(before.value);
          }
        }),
        runOptions(tries, 200),
      );
      expect(Math.min(higher, lower)).toBeGreaterThan(minCases(tries, 2));
    });

    if (fullPoints)
      test('is no higher than with the best possible value', () => {
        let compared = 0;
        fc.assert(
          fc.property(anySeed, (seed) => {
            const days = byOneDevice(anyHistory(seed).days);
            const gone = scoreOf(id, lacking(days, metrics));
            const best = scoreOf(id, having(days, fullPoints));
            if (!gone || !best?.factors.some(({ name }) => name === factor)) return;
            compared++;
            expect(gone.value).toBeLessThanOrEqual(best.value);
          }),
          runOptions(tries),
        );
        expect(compared).toBeGreaterThan(minCases(tries, 10));
      });
  });

  describe('recovery without one of its two heart factors', () => {
    test('gives the weight to the other one: the night never weighs more than 25 of 90', () => {
      let alone = 0;
      fc.assert(
        fc.property(anySeed, fc.boolean(), (seed, gone) => {
          const { days } = anyHistory(seed);
          const factors = scoreOf('recovery_score', lacking(days, gone ? variability : pulse))?.factors ?? [];
          const heart = factors.filter(({ name }) => name !== 'sleep' && name !== 'respiratory_rate');
          const sleep = factors.find(({ name }) => name === 'sleep');
          if (heart.length !== 1 || !sleep) return;
          alone++;
          expect(sleep.weight).toBeLessThanOrEqual(2500 / 90 + 1e-9);
        }),
        runOptions(tries, 300),
      );
      expect(alone).toBeGreaterThan(minCases(tries, 30));
    });

    test('is no higher where the missing factor was at least as good as the other', () => {
      let compared = 0;
      fc.assert(
        fc.property(anySeed, (seed) => {
          const { days } = anyHistory(seed);
          const before = scoreOf('recovery_score', days);
          const [hrv, rate] = ['heart_rate_variability', 'resting_heart_rate'].map((heart) =>
            before?.factors.find(({ name }) => name === heart),
          );
          if (!before || !hrv || !rate) return;
          const after = scoreOf('recovery_score', lacking(days, hrv.points >= rate.points ? variability : pulse));
          compared++;
          expect(after?.value).toBeLessThanOrEqual(before.value);
        }),
        runOptions(tries, 300),
      );
      expect(compared).toBeGreaterThan(minCases(tries, 50));
    });
  });

  test('leaving meals out of a complete log gives no score', () => {
    let scored = 0;
    const eaten: readonly string[] = ['dietary_energy', 'protein', 'fiber', 'saturated_fat', 'sugar', 'sodium'];
    fc.assert(
      fc.property(anySeed, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (seed, share) => {
        const { days } = anyHistory(seed);
        if (!scoreOf('nutrition_score', days)) return;
        const { dietary_energy = 0, total_calories, active_calories, resting_energy } = days[0]?.values ?? {};
        const spent = total_calories ?? (active_calories ?? Number.NaN) + (resting_energy ?? Number.NaN);
        const minEnergy = spent >= 800 ? spent / 2 : 800;
        const scale = (share * minEnergy) / dietary_energy;
        const meals = Object.entries(days[0]?.values ?? {}).map(([metric, value]) => [
          metric,
          eaten.includes(metric) ? scale * value : value,
        ]);
        scored++;
        const { scores, without: reasons } = ofDay(
          asDays([{ from: {}, values: Object.fromEntries(meals) }, ...days.slice(1)]),
        );
        expect(scores.has('nutrition_score')).toBe(false);
        expect(reasons.get('nutrition_score')).toEqual({ status: 'missing', reason: 'log_incomplete' });
      }),
      runOptions(tries, 300),
    );
    expect(scored).toBeGreaterThan(minCases(tries, 50));
  });

  describe('strain', () => {
    test('ignores days on which the device was not worn, however many there are', () => {
      const lying = fc.record(
        {
          steps: fc.integer({ min: 0, max: 499 }),
          active_calories: fc.integer({ min: 0, max: 49 }),
          exercise: fc.constant(0),
        },
        { requiredKeys: [] },
      );
      let strained = 0;
      fc.assert(
        fc.property(anySeed, fc.array(lying, { minLength: 46, maxLength: 46 }), (seed, idle) => {
          const days = byOneDevice(anyHistory(seed).days);
          const isReported = days[0]?.values.exercise !== undefined;
          const filled = Array.from({ length: 46 }, (_none, back): PlainDay => {
            const day = days[back] ?? { values: {}, from: {} };
            const { exercise, ...more } = idle[back] ?? {};
            const lay = isReported && exercise !== undefined ? { ...more, exercise } : more;
            return load.some((metric) => day.values[metric] !== undefined)
              ? day
              : { ...day, values: { ...day.values, ...lay } };
          });
          if (scoreOf('strain_score', days)) strained++;
          expect(scoreOf('strain_score', filled)).toEqual(scoreOf('strain_score', days));
        }),
        runOptions(tries),
      );
      expect(strained).toBeGreaterThan(minCases(tries, 30));
    });

    test('is the same whether a measured day reports no exercise or zero exercise', () => {
      let [strained, silent] = [0, 0];
      fc.assert(
        fc.property(anySeed, (seed) => {
          const days = byOneDevice(anyHistory(seed).days);
          if (days.every(({ values }) => values.exercise === undefined)) return;
          const withZeros = days.map((day) => {
            const { steps, active_calories, exercise } = day.values;
            if (exercise !== undefined || (steps === undefined && active_calories === undefined)) return day;
            silent++;
            return { ...day, values: { ...day.values, exercise: 0 } };
          });
          const isReported = days.slice(0, 29).some((day) => {
            const { steps, active_calories, exercise } = day.values;
            return exercise !== undefined && (day === days[0] || steps !== undefined || active_calories !== undefined);
          });
          if (!isReported) return;
          const before = scoreOf('strain_score', days);
          if (before) strained++;
          expect(scoreOf('strain_score', withZeros)?.value).toBe(before?.value);
        }),
        runOptions(tries),
      );
      expect(Math.min(strained, silent)).toBeGreaterThan(minCases(tries, 30));
    });
  });

  /** In minutes. Shorter sleep is a nap, not a night. */
  const napUnder = 180;

  test('confidence never rises when data of the day or of the days before is removed', () => {
    /**
     * One device, and one kind of each measure: otherwise removing a value could uncover another
     * one that has more days.
     */
    const kinds: readonly MetricId[] = scoreInputs.filter(
      (metric) =>
        ![
          'heart_rate_variability_rmssd',
          'heart_rate_variability',
          'sleep_heart_rate',
          'respiratory_rate',
          'longest_sleep',
        ].includes(metric),
    );
    /**
     * The absence of some inputs carries information itself. Energy balance uses the last days that
     * were logged, so a day that is no longer logged makes room for another. A nap that is not
     * reported is not a nap. The comparison leaves these inputs out on both sides.
     */
    const energies: readonly MetricId[] = ['dietary_energy', 'total_calories', 'active_calories', 'resting_energy'];
    const isInformativeWhenMissing = (metric: MetricId, { values }: PlainDay, back: number): boolean =>
      energies.includes(metric) || (metric === 'asleep' && back === 0 && (values.asleep ?? napUnder) < napUnder);
    const comparedWithout: readonly ScoreId[] = ['nutrition_score', 'recovery_score', 'energy_reserve_score'];
    const level = (confidence: Confidence) => confidences.indexOf(confidence);
    let [compared, fell] = [0, 0];
    fc.assert(
      fc.property(
        anySeed,
        fc.infiniteStream(fc.nat({ max: 9 })),
        fc.integer({ min: 1, max: 8 }),
        (seed, chance, share) => {
          const days = byOneDevice(anyHistory(seed).days).map((day) =>
            without(
              day,
              scoreInputs.filter((metric) => !kinds.includes(metric)),
            ),
          );
          const gone = days.map(() => kinds.filter(() => (chance.next().value ?? 0) < share));
          const fewer = days.map((day, back) => without(day, gone[back] ?? []));
          const silent = days.map((day, back) =>
            without(
              day,
              (gone[back] ?? []).filter((metric) => isInformativeWhenMissing(metric, day, back)),
            ),
          );
          const [before, quiet, after] = [days, silent, fewer].map((some) => ofDay(asDays(some)).scores);
          for (const [id, { confidence }] of after ?? []) {
            const reference = (comparedWithout.includes(id) ? quiet : before)?.get(id);
            if (!reference) continue;
            compared++;
            if (level(confidence) < level(reference.confidence)) fell++;
            expect(level(confidence)).toBeLessThanOrEqual(level(reference.confidence));
          }
        },
      ),
      runOptions(tries, 300),
    );
    expect(Math.min(compared, fell)).toBeGreaterThan(minCases(tries, 30));
  });
}
