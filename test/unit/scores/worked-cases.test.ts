import { describe, expect, test } from 'vitest';
import { daysWith, type Values } from './days.ts';
import {
  always,
  calibrating,
  directionsOf,
  fullNight,
  missing,
  scored,
  scoresOf,
  under18,
  valueAs,
} from './score-helpers.ts';

describe('cases that a physiologist worked out', () => {
  const nights = (back: number): Values =>
    back <= 5 ? { sleep_heart_rate_variability: 49 + (back % 3), resting_heart_rate: 58, respiratory_rate: 15 } : {};

  test('five quiet nights, then a usual one: 51, and not 29', () => {
    const night = { sleep_heart_rate_variability: 44, resting_heart_rate: 60, respiratory_rate: 15.5, ...fullNight };
    expect(valueAs('sleep_score', daysWith(night))).toBe(100);
    expect(valueAs('recovery_score', daysWith(night, nights))).toBe(51);
    expect(valueAs('stress_score', daysWith(night, nights))).toBeLessThan(50);
  });

  test('a resting heart rate of 58 on 28 days, then 61, and nothing else: 16, and not 1', () => {
    expect(valueAs('recovery_score', daysWith({ resting_heart_rate: 61 }, always({ resting_heart_rate: 58 })))).toBe(
      16,
    );
  });

  test('a resting heart rate of 69 where 56 to 60 is usual, no variability, a good night: 27, and not 49', () => {
    const usual = (back: number) => ({ resting_heart_rate: 56 + (back % 5) });
    const night = { ...fullNight, sleep_efficiency: 90, restorative_sleep: 180, resting_heart_rate: 69 };
    expect(valueAs('sleep_score', daysWith(night))).toBe(98);
    expect(valueAs('recovery_score', daysWith(night, usual))).toBe(27);
  });

  test("a desk worker's half hour on foot: 68, and not 83", () => {
    const desk = { active_calories: 150, steps: 3000 };
    const day = { active_calories: 290, exercise: 30, steps: 5800 };
    expect(valueAs('strain_score', daysWith(day, always(desk)))).toBe(68);
  });

  test('a nap of forty minutes is not a night, and a snack of 200 kcal is not a log', () => {
    expect(scored('sleep_score', daysWith({ asleep: 40 }))).toEqual(missing('no_main_sleep'));
    const snack = { dietary_energy: 200, protein: 20, fiber: 30, saturated_fat: 1, sugar: 2, sodium: 100 };
    expect(scored('nutrition_score', daysWith(snack), { weight_kg: 70 })).toEqual(missing('log_incomplete'));
  });

  test('nothing past its published limit is called positive', () => {
    const day = { dietary_energy: 2000, protein: 50, saturated_fat: 26, sugar: 100, sodium: 2400 };
    const directions = directionsOf('nutrition_score', daysWith(day), { weight_kg: 70 });
    expect(Object.keys(directions)).toEqual(['protein', 'saturated_fat', 'sugar', 'sodium']);
    expect(Object.values(directions)).not.toContain('positive');
  });

  test('a watch that replaces a ring starts over, and is never compared with the ring', () => {
    const heart = (hrv: number) => ({ sleep_heart_rate_variability: hrv, resting_heart_rate: 58 });
    const swapped = (ago: number) =>
      daysWith(
        heart(68),
        (back) => heart(back < ago ? 68 : 50),
        28,
        (back) => (back < ago ? 1 : 0),
      );
    for (const [ago, days] of [
      [1, 0],
      [3, 2],
      [5, 4],
    ] as const) {
      expect(scored('recovery_score', swapped(ago))).toEqual(calibrating(days));
      expect(scored('stress_score', swapped(ago))).toEqual(calibrating(days));
    }
    expect(valueAs('recovery_score', swapped(6))).toBe(70);
    expect(valueAs('stress_score', swapped(6))).toBe(15);
  });

  test('rest days sent as nothing and as zero give the same strain', () => {
    const workout = { active_calories: 700, exercise: 60, steps: 12_000 };
    const weeks = (rest: Values) => (back: number) => (back % 3 === 0 ? workout : rest);
    const nothing = valueAs('strain_score', daysWith(workout, weeks({})));
    expect(nothing).toBe(50);
    expect(valueAs('strain_score', daysWith(workout, weeks({ active_calories: 0, exercise: 0, steps: 0 })))).toBe(50);
    const quiet = { active_calories: 300, steps: 6000 };
    const withZeroExercise = valueAs('strain_score', daysWith(workout, weeks({ ...quiet, exercise: 0 })));
    expect(valueAs('strain_score', daysWith(workout, weeks(quiet)))).toBe(withZeroExercise);
    expect(withZeroExercise).toBeGreaterThan(70);
  });

  test('an eight-year-old has a sleep score and no other', () => {
    const usual = { ...fullNight, asleep: 600, resting_heart_rate: 75, sleep_heart_rate_variability: 60, steps: 9000 };
    const fed = { dietary_energy: 1600, protein: 60, fiber: 20 };
    const { scores, without } = scoresOf(daysWith({ ...usual, ...fed }, always(usual)), {
      date_of_birth: '2017-06-01',
      weight_kg: 26,
    });
    expect([...scores.keys()]).toEqual(['sleep_score']);
    expect([...without.values()]).toEqual([under18, under18, under18, under18, under18]);
  });
});
