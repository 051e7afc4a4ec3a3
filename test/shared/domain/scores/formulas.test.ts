import { describe, expect, test } from 'vitest';
import { scorer } from '../../../../shared/domain/scores/day-scores.ts';
import type { ScoreId } from '../../../../shared/model/score-ids.ts';
import type { Profile } from '../../../../shared/model/user.ts';
import { dayOf, daysBefore, daysWith, today, type Values } from './days.ts';

function scored(id: ScoreId, days: Map<string, Float64Array>, profile: Profile = {}) {
  const score = scorer(days, profile).on(today).get(id);
  return score && [score.value, Object.fromEntries(score.factors.map((each) => [each.name, each.contribution]))];
}
const always = (values: Values) => () => values;

describe('sleep_score', () => {
  test('is the weighted mean of duration, efficiency, restorative sleep and latency', () => {
    // 7 h of 7-9: 85; 90 %: 92.5; 105 of 420 min: 50; 15 min: 100.
    const night = { asleep: 420, sleep_efficiency: 90, restorative_sleep: 105, sleep_latency: 15 };
    expect(scored('sleep_score', daysWith(night))).toEqual([
      81,
      { duration: 38, efficiency: 23, restorative: 10, latency: 10 },
    ]);
  });

  test('stands on duration alone when nothing else is known, and on nothing without it', () => {
    expect(scored('sleep_score', daysWith({ asleep: 360 }))).toEqual([50, { duration: 50 }]);
    expect(scored('sleep_score', daysWith({ sleep_efficiency: 90, time_in_bed: 480 }))).toBeUndefined();
  });

  test('takes efficiency and restorative sleep from their parts when they are not stated', () => {
    const parts = { asleep: 408, time_in_bed: 480, deep_sleep: 60, rem_sleep: 45 };
    const stated = { asleep: 408, sleep_efficiency: 85, restorative_sleep: 105 };
    expect(scored('sleep_score', daysWith(parts))).toEqual(scored('sleep_score', daysWith(stated)));
  });

  test.each([
    ['1956-03-15', 360, 68],
    ['2011-03-14', 480, 85],
    ['2016-01-01', 480, 68],
    ['2022-06-01', 600, 85],
    ['2024-06-01', 540, 50],
    [undefined, 480, 100],
  ])('a person born %s who sleeps %i min has %i: need goes by age', (date_of_birth, asleep, value) => {
    expect(scored('sleep_score', daysWith({ asleep }), { date_of_birth })?.[0]).toBe(value);
  });

  test('a birthday counts from the day itself', () => {
    const days = daysWith({ asleep: 360 });
    expect(scored('sleep_score', days, { date_of_birth: '1961-03-14' })?.[0]).toBe(68);
    expect(scored('sleep_score', days, { date_of_birth: '1961-03-15' })?.[0]).toBe(50);
  });
});

describe('recovery_score', () => {
  test('is 70 on a usual day', () => {
    const heart = (back: number) => ({ resting_heart_rate: back % 2 === 0 ? 58 : 62 });
    expect(scored('recovery_score', daysWith({ resting_heart_rate: 60 }, heart))).toEqual([
      70,
      { resting_heart_rate: 70 },
    ]);
  });

  test('adds the night to the heart', () => {
    const heart = { sleep_heart_rate_variability: 50, resting_heart_rate: 60 };
    expect(scored('recovery_score', daysWith({ ...heart, asleep: 480 }, always(heart)))).toEqual([
      78,
      { heart_rate_variability: 31, resting_heart_rate: 19, sleep: 28 },
    ]);
  });

  test('needs five days of a baseline', () => {
    const last = (count: number) => (back: number) => (back <= count ? { resting_heart_rate: 60 } : {});
    expect(scored('recovery_score', daysWith({ resting_heart_rate: 60 }, last(4)))).toBeUndefined();
    expect(scored('recovery_score', daysWith({ resting_heart_rate: 60 }, last(5)))?.[0]).toBe(70);
  });

  test('never holds SDNN against RMSSD', () => {
    const rmssd = always({ heart_rate_variability_rmssd: 50 });
    expect(scored('recovery_score', daysWith({ heart_rate_variability: 50 }, rmssd))).toBeUndefined();
    const both = always({ heart_rate_variability_rmssd: 50, heart_rate_variability: 90 });
    const mixed = daysWith({ heart_rate_variability_rmssd: 50, heart_rate_variability: 20 }, both);
    expect(scored('recovery_score', mixed)).toEqual([70, { heart_rate_variability: 70 }]);
    expect(scored('recovery_score', daysWith({ heart_rate_variability: 90 }, both))?.[0]).toBe(70);
  });

  test('sleep alone is no recovery', () => {
    expect(scored('recovery_score', daysWith({ asleep: 480 }, always({ asleep: 480 })))).toBeUndefined();
  });
});

describe('strain_score', () => {
  test('holds each load against the usual one', () => {
    const usual = always({ active_calories: 500, exercise: 30, steps: 8000 });
    expect(scored('strain_score', daysWith({ active_calories: 1000, exercise: 0, steps: 8000 }, usual))).toEqual([
      50,
      { active_energy: 40, exercise: 0, steps: 10 },
    ]);
    expect(scored('strain_score', daysWith({ steps: 8000 }, usual))).toEqual([50, { steps: 50 }]);
    expect(scored('strain_score', daysWith({ asleep: 400 }, usual))).toBeUndefined();
  });

  test('does not make a mountain of a short walk after weeks without a step', () => {
    expect(scored('strain_score', daysWith({ steps: 500 }, always({ steps: 0 })))?.[0]).toBe(20);
  });
});

describe('nutrition_score', () => {
  const eaten = {
    dietary_energy: 2000,
    total_calories: 2000,
    protein: 84,
    fiber: 25,
    saturated_fat: 20,
    sugar: 90,
    sodium: 2000,
  };
  test('holds each nutrient against its target', () => {
    expect(scored('nutrition_score', daysWith(eaten), { weight_kg: 70 })).toEqual([
      93,
      { energy_balance: 20, protein: 20, fiber: 18, saturated_fat: 14, sugar: 13, sodium: 8 },
    ]);
  });

  test('takes a measured weight before the one in the profile', () => {
    const weighed = (back: number) => (back === 5 ? { weight: 70 } : back === 9 ? { weight: 300 } : {});
    expect(scored('nutrition_score', daysWith(eaten, weighed), { weight_kg: 300 })?.[0]).toBe(93);
  });

  test('has no opinion on a day that was hardly logged', () => {
    expect(scored('nutrition_score', daysWith({ dietary_energy: 2000, fiber: 25, sugar: 50 }))).toBeUndefined();
    expect(scored('nutrition_score', daysWith({ ...eaten, dietary_energy: 0 }))).toBeUndefined();
    expect(scored('nutrition_score', daysWith({ fiber: 25, sugar: 50, sodium: 1500 }))).toBeUndefined();
  });
});

describe('stress_score', () => {
  test('is 50 where both are one deviation on the wrong side', () => {
    const usual = always({ heart_rate_variability: 50, resting_heart_rate: 60 });
    const strained = { heart_rate_variability: 50 * Math.exp(-0.05), resting_heart_rate: 61 };
    expect(scored('stress_score', daysWith(strained, usual))).toEqual([
      50,
      { heart_rate_variability: 30, resting_heart_rate: 20 },
    ]);
    expect(scored('stress_score', daysWith({ resting_heart_rate: 61 }, usual))).toBeUndefined();
  });

  test('is low on a usual day', () => {
    const usual = { heart_rate_variability_rmssd: 40 };
    expect(scored('stress_score', daysWith(usual, always(usual)))).toEqual([15, { heart_rate_variability: 15 }]);
  });
});

describe('energy_reserve_score', () => {
  const usual = { resting_heart_rate: 60, active_calories: 500 };
  test('is what recovery gave less what effort took', () => {
    expect(scored('energy_reserve_score', daysWith(usual, always(usual), 40))).toEqual([
      62,
      { recovery: 42, effort_today: 13, effort_before: 7 },
    ]);
  });

  test('needs recovery and strain', () => {
    const days = daysWith({ resting_heart_rate: 60 }, always(usual), 40);
    expect(scored('energy_reserve_score', days)).toBeUndefined();
    days.set(today, dayOf({ active_calories: 500 }));
    expect(scored('energy_reserve_score', days)).toBeUndefined();
  });

  test('is less after a hard day than after an easy one', () => {
    const reserveAfter = (kcal: number) => {
      const days = daysWith(usual, always(usual), 40);
      days.set(daysBefore(1), dayOf({ ...usual, active_calories: kcal }));
      return Number(scored('energy_reserve_score', days)?.[0]);
    };
    expect(reserveAfter(2000)).toBeLessThan(reserveAfter(200));
  });
});
