import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metricTable } from '../../../shared/catalog/metric-table.ts';
import { type MetricId, metricIds } from '../../../shared/catalog/metrics.ts';
import { type ScoreId, scoreIds } from '../../../shared/catalog/score-ids.ts';
import { noData } from '../../../shared/catalog/score-states.ts';
import { scoreRow, scoreTable } from '../../../shared/catalog/score-table.ts';
import { computeDueSpans, remainingFrom } from '../../../shared/pipeline/scoring/due-days.ts';
import { addDays } from '../../../shared/platform/time/local-day.ts';
import { createScorer, reachDays } from '../../../shared/scores/day-scores.ts';
import { minCases, type RunScale, runOptions } from '../../harness/property-runs.ts';
import { anyDay, type Days, dayOf, daysBefore, type Sources, today, type Values } from './days.ts';
import type { PlainDay } from './naive-baseline.ts';
import { anyHistory, anySeed, asDays, scoreInputs } from './random-history.ts';

const inputs: readonly MetricId[] = scoreInputs;
const unrelated = metricIds.filter((metric) => !inputs.includes(metric));
const scoreToday = (days: Days, profile = {}) => createScorer(days, profile).scoreDay(today);

export function testProperties(tries: RunScale): void {
  test('every score is a whole number from 0 to 100, and its factors add up to it', () => {
    const seen = new Set<ScoreId>();
    fc.assert(
      fc.property(anySeed, (seed) => {
        const { days, profile } = anyHistory(seed);
        for (const [id, { value, factors }] of scoreToday(asDays(days), profile).scores) {
          seen.add(id);
          expect(Number.isInteger(value) && value >= 0 && value <= 100).toBe(true);
          expect(factors.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(value);
          expect(factors.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(100, 9);
          for (const { contribution, points, weight } of factors) {
            expect(Number.isInteger(contribution) && contribution >= 0).toBe(true);
            expect(Math.abs(contribution - (points * weight) / 100)).toBeLessThan(1);
            expect(points >= 0 && points <= 100).toBe(true);
          }
          const names: readonly string[] = scoreRow(id).factors.map(({ name }) => name);
          expect(names.filter((name) => factors.some((factor) => factor.name === name))).toEqual(
            factors.map(({ name }) => name),
          );
        }
      }),
      runOptions(tries, 400),
    );
    expect([...seen].sort()).toEqual([...scoreIds].sort());
  });

  test('every score of every day has a value or a reason, and never both', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const { days, profile } = anyHistory(seed);
        const { scores, without } = scoreToday(asDays(days), profile);
        expect([...scores.keys(), ...without.keys()].sort()).toEqual([...scoreIds].sort());
      }),
      runOptions(tries),
    );
  });

  test('the weights of every score add up to 100', () => {
    for (const { factors } of scoreTable)
      expect(factors.reduce((sum: number, { weight }: { weight: number }) => sum + weight, 0)).toBe(100);
  });

  test('the same days give the same scores, regardless of unrelated metrics and their sources', () => {
    const others = fc.array(fc.tuple(anyDay(unrelated), fc.nat({ max: 9 })), { minLength: 46, maxLength: 46 });
    fc.assert(
      fc.property(anySeed, others, (seed, more) => {
        const { days, profile } = anyHistory(seed);
        const noisier = days.map(({ values, from }, back): PlainDay => {
          const [other, device] = more[back] ?? [{}, 0];
          return {
            values: { ...other, ...values },
            from: { ...Object.fromEntries(unrelated.map((metric) => [metric, device])), ...from },
          };
        });
        expect(scoreToday(asDays(noisier), profile)).toEqual(scoreToday(asDays(days), profile));
      }),
      runOptions(tries),
    );
  });

  test('the order in which days arrive changes nothing', () => {
    fc.assert(
      fc.property(anySeed, fc.infiniteStream(fc.nat()), (seed, order) => {
        const { days, profile } = anyHistory(seed);
        const arrived = [...asDays(days)].map((entry) => ({ entry, place: order.next().value ?? 0 }));
        const shuffled = new Map(arrived.sort((a, b) => a.place - b.place).map(({ entry }) => entry));
        expect(scoreToday(shuffled, profile)).toEqual(scoreToday(asDays(days), profile));
      }),
      runOptions(tries),
    );
  });

  test('the order of several devices changes nothing but their ordinals', () => {
    const ordinals = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 });
    fc.assert(
      fc.property(anySeed, ordinals, (seed, order) => {
        const { days, profile } = anyHistory(seed);
        const renumbered = asDays(days);
        for (const { sources } of renumbered.values())
          for (const [at, old] of sources.entries()) sources[at] = order[old] ?? 0;
        const before = scoreToday(asDays(days), profile);
        const after = scoreToday(renumbered, profile);
        for (const { factors } of before.scores.values())
          for (const factor of factors) factor.source = factor.source === null ? null : (order[factor.source] ?? 0);
        expect(after).toEqual(before);
      }),
      runOptions(tries),
    );
  });

  describe('a baseline', () => {
    const bodyMetrics: readonly MetricId[] = [
      ...inputs.filter((metric) => metric.includes('heart') || metric.includes('respiratory')),
      ...(['active_calories', 'exercise', 'steps'] as const),
    ];
    /** All values of a day come from one device; today's device is 0. */
    const oneDeviceADay = ({ values, from }: PlainDay, back: number): PlainDay => {
      const device = back === 0 ? 0 : (from.steps ?? from.resting_heart_rate ?? 1) % 2;
      return { values, from: Object.fromEntries(inputs.map((metric) => [metric, device])) };
    };

    test('never uses a day from another source, whatever values or gaps that day has', () => {
      let compared = 0;
      const otherDays = fc.array(anyDay(bodyMetrics), { minLength: 46, maxLength: 46 });
      fc.assert(
        fc.property(anySeed, otherDays, (seed, others) => {
          const { days: history } = anyHistory(seed);
          const days = history.map(oneDeviceADay);
          const altered = days.map((day, back): PlainDay => {
            if (back === 0 || day.from.steps === 0) return day;
            compared++;
            const remaining = Object.entries(day.values).filter(
              ([metric]) => !bodyMetrics.some((other) => other === metric),
            );
            return { values: { ...Object.fromEntries(remaining), ...others[back] }, from: day.from };
          });
          const [before, after] = [scoreToday(asDays(days)), scoreToday(asDays(altered))];
          for (const id of ['recovery_score', 'stress_score', 'strain_score'] as const) {
            expect(after.scores.get(id)).toEqual(before.scores.get(id));
            expect(after.without.get(id)).toEqual(before.without.get(id));
          }
        }),
        runOptions(tries, 300),
      );
      expect(compared).toBeGreaterThan(minCases(tries, 300));
    });

    test('uses every day from its own source: each one shifts the usual value', () => {
      const usual: Values = { resting_heart_rate: 60, steps: 8000 };
      const factorsAfter = (far: number, changed: Values, from: Sources) => {
        const days: Days = new Map(Array.from({ length: 29 }, (_none, back) => [daysBefore(back), dayOf(usual)]));
        days.set(daysBefore(far), dayOf({ ...usual, ...changed }, from));
        const { scores } = scoreToday(days);
        return [scores.get('recovery_score')?.factors[0]?.usual, scores.get('strain_score')?.factors[0]?.usual];
      };
      for (let far = 1; far <= 28; far++) {
        expect(factorsAfter(far, { resting_heart_rate: 61, steps: 9000 }, 0)).toEqual([
          expect.closeTo(60 + 1 / 28, 6),
          expect.closeTo(8000 + 1000 / 28, 6),
        ]);
        expect(factorsAfter(far, { resting_heart_rate: 61, steps: 9000 }, 3)).toEqual([60, 8000]);
      }
    });
  });

  test('a day changes its own scores and those of the days it reaches, and no others', () => {
    fc.assert(
      fc.property(anySeed, anyDay(inputs), fc.integer({ min: -3, max: 60 }), (seed, changed, back) => {
        const { days } = anyHistory(seed);
        fc.pre(back < 0 || back > reachDays);
        const altered = asDays(days).set(daysBefore(back), dayOf(changed));
        expect(scoreToday(altered)).toEqual(scoreToday(asDays(days)));
      }),
      runOptions(tries),
    );
  });

  test('a day reaches exactly as far as stated, and not a day further', () => {
    const usual: Values = { resting_heart_rate: 60, active_calories: 500 };
    const days: Days = new Map(Array.from({ length: 60 }, (_none, back) => [daysBefore(back), dayOf(usual)]));
    const altered = (back: number) => new Map(days).set(daysBefore(back), dayOf({ ...usual, active_calories: 20_000 }));
    expect(scoreToday(altered(reachDays))).not.toEqual(scoreToday(days));
    expect(scoreToday(altered(reachDays + 1))).toEqual(scoreToday(days));
  });

  test('a day without values has no scores, and each score states that data is missing', () => {
    fc.assert(
      fc.property(anySeed, (seed) => {
        const { days } = anyHistory(seed);
        const { scores, without } = scoreToday(asDays(days).set(today, dayOf({})));
        expect(scores.size).toBe(0);
        for (const id of scoreIds) expect(without.get(id)).toEqual(noData);
      }),
      runOptions(tries),
    );
  });

  test('an unknown day counts as one without data', () => {
    expect(scoreToday(new Map())).toEqual(scoreToday(new Map([[today, dayOf({})]])));
    expect(metricTable.every(({ index }) => Number.isNaN(dayOf({}).values[index]))).toBe(true);
  });

  describe('the days to rescore', () => {
    const date = fc.integer({ min: 0, max: 400 }).map((days) => addDays('2025-01-01', days));
    test('are those that a changed day reaches, each in one span', () => {
      const changedSpans = fc.array(
        fc.tuple(date, date).map(([a, b]) => ({ from: a < b ? a : b, to: a < b ? b : a })),
        { minLength: 1, maxLength: 8 },
      );
      fc.assert(
        fc.property(changedSpans, date, (spans, day) => {
          const due = spans.some(({ from, to }) => day >= from && day <= addDays(to, reachDays));
          expect(computeDueSpans(spans).filter(({ from, to }) => day >= from && day <= to)).toHaveLength(due ? 1 : 0);
        }),
        runOptions(tries, 500),
      );
    });

    test('form one span if one span reaches the first day of the next', () => {
      const [first, second] = ['2026-01-01', addDays('2026-01-01', reachDays)];
      const changedSpans = [first, second].map((each) => ({ from: each, to: each }));
      expect(computeDueSpans(changedSpans)).toEqual([{ from: first, to: addDays(second, reachDays) }]);
    });

    test('can be all days', () => {
      expect(computeDueSpans([{ from: '0000-01-01', to: '9999-12-31' }])).toEqual([
        { from: '0000-01-01', to: '9999-12-31' },
      ]);
    });

    test('that remain are those from the next day on, separately for each span', () => {
      const next = '2026-03-01';
      const span = (from: string, to: string) => ({ from, to });
      const reaching = span('2026-01-01', addDays(next, -reachDays));
      expect(remainingFrom([reaching], next)).toEqual([span(next, next)]);
      expect(remainingFrom([span('2026-01-01', addDays(next, -reachDays - 1))], next)).toEqual([]);
      const begun = span('2026-02-28', '2026-05-01');
      expect(remainingFrom([reaching, begun], next)).toEqual([span(next, next), span(next, '2026-05-01')]);
      const upcoming = [span(next, '2026-05-01'), span('2026-04-01', '2026-04-02')];
      expect(remainingFrom(upcoming, next)).toEqual(upcoming);
    });
  });
}
