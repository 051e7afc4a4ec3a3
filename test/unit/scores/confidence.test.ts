import { describe, expect, test } from 'vitest';
import type { ScoreId } from '../../../shared/catalog/score-ids.ts';
import { directionOf } from '../../../shared/scores/direction.ts';
import { daysWith, type Values } from './days.ts';
import { always, confidenceOf, last } from './score-helpers.ts';

describe('confidence', () => {
  const heart = { sleep_heart_rate_variability: 50, resting_heart_rate: 60, sleep_respiratory_rate: 15 };
  test.each([
    [5, 'low'],
    [6, 'low'],
    [7, 'medium'],
    [13, 'medium'],
    [14, 'high'],
  ])('of a baseline of %i days is %s', (days, confidence) => {
    expect(confidenceOf('recovery_score', daysWith({ ...heart, asleep: 480 }, last(days, heart)))).toBe(confidence);
  });

  test('falls with missing inputs', () => {
    const of = (values: Values) => confidenceOf('recovery_score', daysWith(values, always(heart)));
    expect(of({ ...heart, asleep: 480 })).toBe('high');
    expect(of(heart)).toBe('medium');
    expect(of({ resting_heart_rate: 60, asleep: 480 })).toBe('low');
  });

  test('of energy reserve is no higher than that of its parts', () => {
    const usual = { ...heart, asleep: 480, steps: 8000, active_calories: 400 };
    expect(confidenceOf('energy_reserve_score', daysWith(usual, always(usual)))).toBe('medium');
    const training = { ...usual, exercise: 30 };
    expect(confidenceOf('energy_reserve_score', daysWith(training, always(training)))).toBe('high');
  });
});

describe('the direction of a factor', () => {
  test.each<[ScoreId, number, string]>([
    ['sleep_score', 84.5, 'positive'],
    ['sleep_score', 84.4, 'neutral'],
    ['recovery_score', 50, 'neutral'],
    ['nutrition_score', 49.9, 'negative'],
    ['strain_score', 60, 'positive'],
    ['strain_score', 40, 'neutral'],
    ['energy_reserve_score', 39.9, 'negative'],
    ['stress_score', 30, 'positive'],
    ['stress_score', 7.1, 'neutral'],
    ['stress_score', 7, 'negative'],
  ])('of %s with %d points is %s', (id, points, direction) => {
    expect(directionOf(id, points)).toBe(direction);
  });
});
