import { describe, expect, test } from 'vitest';
import { createScorer } from '../../../shared/scores/day-scores.ts';
import type { Profile } from '../../../shared/users/profile.ts';
import { dayOf, daysBefore, daysWith, today, type Values } from './days.ts';
import {
  always,
  calibrating,
  confidenceOf,
  directionsOf,
  fullNight,
  last,
  missing,
  pointsOf,
  scored,
  scoresOf,
  valueAs,
} from './score-helpers.ts';

describe('sleep_score', () => {
  test('is the weighted mean of duration, efficiency, restorative sleep and latency', () => {
    // 7 h of 7-9: 85; 90%: 92.5; 105 of 420 min: 50; 15 min: 100.
    const night = { asleep: 420, sleep_efficiency: 90, restorative_sleep: 105, sleep_latency: 15 };
    expect(scored('sleep_score', daysWith(night))).toEqual([
      86,
      { duration: 43, efficiency: 23, restorative: 5, latency: 15 },
    ]);
  });

  test('is based on duration alone when nothing else is known, and is missing without it', () => {
    expect(scored('sleep_score', daysWith({ asleep: 360 }))).toEqual([50, { duration: 50 }]);
    expect(scored('sleep_score', daysWith({ sleep_efficiency: 90, time_in_bed: 480 }))).toEqual(missing('no_data'));
  });

  test('derives the efficiency from its parts when it is not stated, unless they come from two devices', () => {
    const parts = { asleep: 408, time_in_bed: 480 };
    const stated = { asleep: 408, sleep_efficiency: 85 };
    expect(scored('sleep_score', daysWith(parts))).toEqual(scored('sleep_score', daysWith(stated)));
    const ofTwo = daysWith(parts, undefined, 0, () => ({ asleep: 1, time_in_bed: 2 }));
    expect(scored('sleep_score', ofTwo)).toEqual(scored('sleep_score', daysWith({ asleep: 408 })));
  });

  test('names the source of each factor', () => {
    const from = { asleep: 1, sleep_efficiency: 2, restorative_sleep: 3, sleep_latency: 4 };
    const factors = scoresOf(daysWith(fullNight, undefined, 0, () => from)).scores.get('sleep_score')?.factors;
    expect(factors?.map(({ name, source }) => [name, source])).toEqual([
      ['duration', 1],
      ['efficiency', 2],
      ['restorative', 3],
      ['latency', 4],
    ]);
  });

  test('of a short night is low, and of a nap missing', () => {
    const short = daysWith({ asleep: 140, sleep_efficiency: 93, sleep_latency: 10 });
    const scoreIf = (hasMainSleep: boolean) =>
      createScorer(short, {}, () => hasMainSleep).scoreOne('sleep_score', today);
    expect(scoreIf(true)).toMatchObject({ value: 44 });
    expect(scoreIf(false)).toEqual(missing('no_main_sleep'));
  });

  test('counts no more than all of the time in bed, and names the device of the night', () => {
    const days = daysWith({ asleep: 480, time_in_bed: 470 }, undefined, 0, () => 3);
    expect(scoresOf(days).scores.get('sleep_score')?.factors).toMatchObject([
      { name: 'duration', source: 3, value: 480 },
      { name: 'efficiency', source: 3, value: 100 },
    ]);
  });

  test('starts at three hours of sleep', () => {
    expect(scored('sleep_score', daysWith({ asleep: 179 }))).toEqual(missing('no_main_sleep'));
    expect(scored('sleep_score', daysWith({ asleep: 180 }))).toEqual([0, { duration: 0 }]);
  });

  test.each([
    ['1956-03-15', 360, 68],
    ['2011-03-14', 480, 85],
    ['2016-01-01', 480, 68],
    ['2022-06-01', 600, 85],
    ['2024-06-01', 540, 50],
    [undefined, 480, 100],
    // Above the maximum appropriate hours, the points fall to 85 within two hours, and no further.
    ['1956-03-15', 540, 100],
    ['1956-03-15', 600, 93],
    ['1990-01-01', 600, 100],
    ['1990-01-01', 660, 93],
    ['1990-01-01', 720, 85],
    ['1990-01-01', 900, 85],
    ['2004-01-01', 660, 100],
    ['2004-01-01', 780, 85],
    ['2010-01-01', 780, 85],
    ['2016-01-01', 720, 100],
    ['2022-06-01', 960, 85],
    ['2024-06-01', 960, 100],
  ])(
    'for a person born %s who sleeps %i min is %i, because the need depends on age',
    (date_of_birth, asleep, value) => {
      expect(valueAs('sleep_score', daysWith({ asleep }), { date_of_birth })).toBe(value);
    },
  );

  test('counts a birthday from the day itself', () => {
    const days = daysWith({ asleep: 360 });
    expect(valueAs('sleep_score', days, { date_of_birth: '1961-03-14' })).toBe(68);
    expect(valueAs('sleep_score', days, { date_of_birth: '1961-03-15' })).toBe(50);
  });

  test('does not apply to the first year', () => {
    const days = daysWith({ asleep: 700 });
    expect(scored('sleep_score', days, { date_of_birth: '2025-03-15' })).toEqual({
      status: 'not_applicable',
      reason: 'under_1',
    });
    expect(valueAs('sleep_score', days, { date_of_birth: '2025-03-14' })).toBeDefined();
    expect(scored('sleep_score', days, { date_of_birth: '2030-01-01' })).toMatchObject({ status: 'not_applicable' });
  });

  test('expects less of older people, who lie awake longer and have less deep and REM sleep', () => {
    const night = { asleep: 450, sleep_latency: 60, restorative_sleep: 0.2 * 420 };
    const young = pointsOf('sleep_score', daysWith(night), { date_of_birth: '1990-01-01' });
    const old = pointsOf('sleep_score', daysWith(night), { date_of_birth: '1950-01-01' });
    expect([young['latency'], old['latency']]).toEqual([0, 50]);
    expect([young['restorative'], old['restorative']]).toEqual([33, 50]);
    expect(pointsOf('sleep_score', daysWith({ asleep: 450, sleep_latency: 30 }))['latency']).toBe(85);
  });

  test('of two nights on one date has low confidence, and a nap changes nothing', () => {
    const night = { ...fullNight, asleep: 500 };
    expect(confidenceOf('sleep_score', daysWith({ ...night, longest_sleep: 321 }))).toBe('high');
    expect(confidenceOf('sleep_score', daysWith({ ...night, longest_sleep: 320 }))).toBe('low');
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

  test('adds the night to the heart factors', () => {
    const heart = { sleep_heart_rate_variability: 50, resting_heart_rate: 60 };
    expect(scored('recovery_score', daysWith({ ...heart, asleep: 480 }, always(heart)))).toEqual([
      78,
      { heart_rate_variability: 31, resting_heart_rate: 19, sleep: 28 },
    ]);
  });

  test('needs a baseline of five days, three of them in the last two weeks', () => {
    const rate = { resting_heart_rate: 60 };
    expect(scored('recovery_score', daysWith(rate, last(4, rate)))).toEqual(calibrating(4));
    expect(valueAs('recovery_score', daysWith(rate, last(5, rate)))).toBe(70);
    const longAgo = (recent: number) => (back: number) => (back > 14 || back <= recent ? rate : {});
    expect(scored('recovery_score', daysWith(rate, longAgo(2)))).toEqual(calibrating(2, 3));
    expect(valueAs('recovery_score', daysWith(rate, longAgo(3)))).toBe(70);
  });

  test('never compares SDNN with RMSSD', () => {
    const rmssd = always({ heart_rate_variability_rmssd: 50 });
    expect(scored('recovery_score', daysWith({ heart_rate_variability: 50 }, rmssd))).toEqual(calibrating(0));
    const both = always({ heart_rate_variability_rmssd: 50, heart_rate_variability: 90 });
    const mixed = daysWith({ heart_rate_variability_rmssd: 50, heart_rate_variability: 20 }, both);
    expect(scored('recovery_score', mixed)).toEqual([70, { heart_rate_variability: 70 }]);
    expect(valueAs('recovery_score', daysWith({ heart_rate_variability: 90 }, both))).toBe(70);
  });

  test('after a nap instead of a night has low confidence', () => {
    const heart = { sleep_heart_rate_variability: 50, resting_heart_rate: 60, sleep_respiratory_rate: 15 };
    const having = (asleep: number) => confidenceOf('recovery_score', daysWith({ ...heart, asleep }, always(heart)));
    expect([having(179), having(180)]).toEqual(['low', 'high']);
  });

  test('is missing when only sleep is known', () => {
    expect(scored('recovery_score', daysWith({ asleep: 480 }, always({ asleep: 480 })))).toEqual(missing('no_data'));
  });

  test('gives no bonus for a very high variability, or for slow breathing', () => {
    const usual = { sleep_heart_rate_variability: 50, sleep_respiratory_rate: 15 };
    const points = (day: Values) => pointsOf('recovery_score', daysWith({ ...usual, ...day }, always(usual)));
    expect(points({ sleep_heart_rate_variability: 65 })).toEqual(points({ sleep_heart_rate_variability: 200 }));
    expect(points({ sleep_heart_rate_variability: 65 })['heart_rate_variability']).toBe(93);
    expect(points({ sleep_respiratory_rate: 12 })).toEqual(points({}));
    expect(points({ sleep_respiratory_rate: 16 })['respiratory_rate']).toBeLessThan(50);
  });

  test('gives the weight of a missing heart factor to the other one', () => {
    const usual = { resting_heart_rate: 60, sleep_respiratory_rate: 15 };
    const { scores } = scoresOf(daysWith({ ...usual, asleep: 480 }, always(usual)));
    const weights = scores.get('recovery_score')?.factors.map(({ name, weight }) => [name, weight]);
    expect(weights).toEqual([
      ['resting_heart_rate', 65],
      ['sleep', 25],
      ['respiratory_rate', 10],
    ]);
  });

  test('does not let one extreme day among steady ones make the next extreme one usual', () => {
    const steady = (back: number) => ({ resting_heart_rate: back === 7 ? 110 : 57 + (back % 3) });
    expect(valueAs('recovery_score', daysWith({ resting_heart_rate: 70 }, steady))).toBe(0);
  });

  test('states what each factor was made from', () => {
    const usual = { sleep_heart_rate_variability: 50, resting_heart_rate: 58 };
    const days = daysWith({ ...usual, resting_heart_rate: 61, asleep: 480 }, always(usual), 28, () => 3);
    const [variability, rate, sleep] = scoresOf(days).scores.get('recovery_score')?.factors ?? [];
    expect(variability).toMatchObject({ input: 'sleep_heart_rate_variability', value: 50, source: 3, days: 28 });
    expect([variability?.usual, variability?.z]).toEqual([expect.closeTo(50, 9), expect.closeTo(0, 9)]);
    expect(rate).toMatchObject({ input: 'resting_heart_rate', value: 61, usual: 58, source: 3 });
    expect(rate?.z).toBeCloseTo(1.474, 3);
    expect(sleep).toMatchObject({ input: 'sleep_score', value: 100, source: null });
  });
});

describe('strain_score', () => {
  test('compares each load with the usual one', () => {
    const usual = always({ active_calories: 500, exercise: 30, steps: 8000 });
    expect(scored('strain_score', daysWith({ active_calories: 1000, exercise: 0, steps: 8000 }, usual))).toEqual([
      50,
      { active_energy: 40, exercise: 0, steps: 10 },
    ]);
    expect(scored('strain_score', daysWith({ steps: 8000 }, always({ steps: 8000 })))).toEqual([50, { steps: 50 }]);
    expect(scored('strain_score', daysWith({ asleep: 400 }, usual))).toEqual(missing('no_data'));
  });

  test('does not exaggerate a walk after weeks of few steps', () => {
    expect(valueAs('strain_score', daysWith({ steps: 2000 }, always({ steps: 500 })))).toBe(20);
  });

  test('does not treat a day without the device as a day of rest, and is missing on it', () => {
    const usual = { steps: 8000, active_calories: 400 };
    const forgotten = (back: number) => (back % 2 === 0 ? usual : { steps: 499, active_calories: 49 });
    expect(valueAs('strain_score', daysWith(usual, forgotten))).toBe(50);
    expect(scored('strain_score', daysWith({ steps: 499, active_calories: 49 }, always(usual)))).toEqual(
      missing('not_worn'),
    );
    expect(valueAs('strain_score', daysWith({ steps: 500, active_calories: 49 }, always(usual)))).toBeDefined();
    expect(scored('strain_score', daysWith(usual, last(4, usual)))).toEqual(calibrating(4));
  });

  test('treats a day without exercise data as one without exercise, if exercise is reported at all', () => {
    const usual = { steps: 8000, active_calories: 400 };
    expect(scored('strain_score', daysWith(usual, always(usual)))).toEqual([50, { active_energy: 36, steps: 14 }]);
    const trains = (back: number) => (back === 9 ? { ...usual, exercise: 45 } : usual);
    expect(scored('strain_score', daysWith(usual, trains))).toEqual([
      35,
      { active_energy: 25, exercise: 0, steps: 10 },
    ]);
  });
});

describe('nutrition_score', () => {
  const eaten = { dietary_energy: 2000, protein: 84, fiber: 28, saturated_fat: 20, sugar: 90, sodium: 2000 };
  const adult = { weight_kg: 70, date_of_birth: '1990-01-01' };

  test('compares each nutrient with its target', () => {
    const spent = { total_calories: 2000 };
    const fed = daysWith({ ...eaten, ...spent }, always({ dietary_energy: 2000, ...spent }));
    expect(pointsOf('nutrition_score', fed, adult)).toEqual({
      energy_balance: 100,
      protein: 100,
      fiber: 90,
      saturated_fat: 90,
      sugar: 85,
      sodium: 85,
    });
    expect(valueAs('nutrition_score', fed, adult)).toBe(92);
  });

  test('prefers a measured weight to the one in the profile, and counts no more than a body mass index of 25', () => {
    const weighed = (back: number) => (back === 5 ? { weight: 70 } : back === 9 ? { weight: 300 } : {});
    const protein = (profile: Profile, before: (back: number) => Values = () => ({})) =>
      pointsOf('nutrition_score', daysWith({ ...eaten, protein: 58.1 }, before), profile)['protein'];
    expect(protein({ weight_kg: 300 }, weighed)).toBe(85);
    expect(protein({ weight_kg: 140 })).toBe(16);
    expect(protein({ weight_kg: 140, height_cm: 167.332 })).toBe(85);
    expect(protein({ weight_kg: 70, height_cm: 190 })).toBe(85);
    // This height appears to be in inches.
    expect(protein({ weight_kg: 140, height_cm: 68 })).toBe(16);
    expect(protein({ weight_kg: 140 }, always({ height: 167.332 }))).toBe(85);
  });

  test('requires more protein of older people, and more fiber of those who eat more', () => {
    const protein = (date_of_birth: string, grams: number) =>
      pointsOf('nutrition_score', daysWith({ ...eaten, protein: grams }), { weight_kg: 70, date_of_birth })['protein'];
    expect([protein('1950-01-01', 56), protein('1950-01-01', 70), protein('1950-01-01', 84)]).toEqual([50, 85, 100]);
    const fiber = (kcal: number, grams: number) =>
      pointsOf('nutrition_score', daysWith({ dietary_energy: kcal, fiber: grams }), adult)['fiber'];
    expect([fiber(1500, 25), fiber(2500, 35), fiber(4000, 38), fiber(2500, 42)]).toEqual([90, 90, 90, 100]);
  });

  test('is missing on a day that was hardly logged', () => {
    expect(scored('nutrition_score', daysWith({ dietary_energy: 2000, sugar: 50, sodium: 1 }), adult)).toEqual(
      missing('too_few_nutrients'),
    );
    expect(scored('nutrition_score', daysWith({ ...eaten, fiber: 0, dietary_energy: 0 }), adult)).toEqual(
      missing('no_data'),
    );
    expect(scored('nutrition_score', daysWith({ fiber: 25, sugar: 50, sodium: 1500 }), adult)).toEqual(
      missing('no_data'),
    );
    const log = (dietary_energy: number, more: Values = {}) =>
      scored('nutrition_score', daysWith({ ...eaten, dietary_energy, ...more }), adult);
    expect(log(799)).toEqual(missing('log_incomplete'));
    expect(log(800)).toBeInstanceOf(Array);
    expect(log(1199, { total_calories: 2400 })).toEqual(missing('log_incomplete'));
    expect(log(1200, { total_calories: 2400 })).toBeInstanceOf(Array);
    expect(log(1199, { active_calories: 700, resting_energy: 1700 })).toEqual(missing('log_incomplete'));
    // A watch worn for an hour does not make a snack a complete log, nor does noon make a breakfast
    // one.
    expect(log(700, { total_calories: 1000 })).toEqual(missing('log_incomplete'));
    expect(log(200, { total_calories: 300 })).toEqual(missing('log_incomplete'));
  });

  test('takes the balance from the last logged days', () => {
    const day = { ...eaten, total_calories: 2000 };
    const points = (before: (back: number) => Values) =>
      pointsOf('nutrition_score', daysWith(day, before), adult)['energy_balance'];
    expect(points(last(2, day))).toBeUndefined();
    expect(points(last(3, day))).toBe(100);
    const feast = (back: number) => ({ ...day, dietary_energy: back === 1 ? 4000 : 2000 });
    expect(points(feast)).toBeGreaterThan(60);
    const unlogged = (back: number) => (back % 2 === 0 ? day : { ...day, dietary_energy: 300 });
    expect(points(unlogged)).toBe(100);
    const surplus = always({ ...day, dietary_energy: 3000 });
    expect(points(surplus)).toBeLessThan(60);
  });

  test('looks back four weeks, including their first day', () => {
    const on =
      (...backs: number[]) =>
      (values: Values) =>
      (back: number) =>
        backs.includes(back) ? values : {};
    const protein = (back: number) => pointsOf('nutrition_score', daysWith(eaten, on(back)({ weight: 70 }), 40));
    expect([protein(28)['protein'], protein(29)['protein']]).toEqual([100, undefined]);
    const day = { ...eaten, total_calories: 2000 };
    const balance = (...backs: number[]) => pointsOf('nutrition_score', daysWith(day, on(...backs)(day), 40));
    expect([balance(1, 2, 28)['energy_balance'], balance(1, 2, 29)['energy_balance']]).toEqual([100, undefined]);
  });

  test('has at most medium confidence when the age is unknown', () => {
    expect(confidenceOf('nutrition_score', daysWith(eaten), adult)).toBe('high');
    expect(confidenceOf('nutrition_score', daysWith(eaten), { weight_kg: 70 })).toBe('medium');
  });
});

describe('stress_score', () => {
  const usual = { heart_rate_variability: 50, resting_heart_rate: 60 };
  test('is 50 where both inputs are one deviation on the wrong side', () => {
    const wide = Math.sqrt(1 + 1 / 28);
    const strained = { heart_rate_variability: 50 * Math.exp(-0.1 * wide), resting_heart_rate: 60 + 2 * wide };
    expect(scored('stress_score', daysWith(strained, always(usual)))).toEqual([
      50,
      { heart_rate_variability: 30, resting_heart_rate: 20 },
    ]);
    expect(scored('stress_score', daysWith({ resting_heart_rate: 61 }, always(usual)))).toEqual(missing('no_data'));
  });

  test('is low and neutral on a usual day', () => {
    const days = daysWith(usual, always(usual));
    expect(scored('stress_score', days)).toEqual([15, { heart_rate_variability: 9, resting_heart_rate: 6 }]);
    expect(Object.values(directionsOf('stress_score', days))).toEqual(['neutral', 'neutral']);
  });
});

describe('energy_reserve_score', () => {
  const usual = { resting_heart_rate: 60, active_calories: 500 };
  test('is what recovery gave minus what effort took', () => {
    expect(scored('energy_reserve_score', daysWith(usual, always(usual), 40))).toEqual([
      62,
      { recovery: 42, effort_today: 13, effort_before: 7 },
    ]);
  });

  test('needs recovery and strain, and states which one is missing', () => {
    const days = daysWith({ resting_heart_rate: 60 }, always(usual), 40);
    expect(scored('energy_reserve_score', days)).toEqual(missing('no_strain'));
    days.set(today, dayOf({ active_calories: 500 }));
    expect(scored('energy_reserve_score', days)).toEqual(missing('no_data'));
    days.set(today, dayOf({ ...usual, active_calories: 10 }));
    expect(scored('energy_reserve_score', days)).toEqual(missing('not_worn'));
    expect(scored('energy_reserve_score', daysWith(usual, last(3, usual)))).toEqual(calibrating(3));
  });

  test('is lower after a hard day than after an easy one', () => {
    const reserveAfter = (kcal: number) => {
      const days = daysWith(usual, always(usual), 40);
      days.set(daysBefore(1), dayOf({ ...usual, active_calories: kcal }));
      return Number(valueAs('energy_reserve_score', days));
    };
    expect(reserveAfter(2000)).toBeLessThan(reserveAfter(200));
  });
});
