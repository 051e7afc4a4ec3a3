import { expect, test } from 'vitest';
import type { WorkoutType } from '../../../../shared/catalog/workout-types.ts';
import { addWorkoutToDay } from '../../../../shared/providers/kit/add-workout-to-day.ts';
import { RecordBuilder } from '../../../../shared/providers/kit/record-builder.ts';

const startMs = Date.parse('2026-03-10T17:00:00Z');
const receivedMs = Date.parse('2026-03-12T00:00:00Z');
const hour = 3_600_000;

function added(type: WorkoutType, hours: number, totals: { metres: number | null; activeMinutes?: number }) {
  const builder = new RecordBuilder({ receivedMs });
  addWorkoutToDay(builder, 'w', { type, startMs, endMs: startMs + hours * hour, offsetMinutes: 60 }, totals);
  return builder.result.records.samples.map(({ metric, value, endMs }) => [metric, value, (endMs - startMs) / hour]);
}

test('the distance counts in the metric of the sport, in its unit, over the whole span', () => {
  expect(added('running', 1, { metres: 10_012 })).toEqual([['running', 10.012, 1]]);
  expect(added('swimming', 1, { metres: 1500 })).toEqual([['swimming', 1500, 1]]);
  expect(added('hiking', 2, { metres: 9000 })).toEqual([['walking', 9, 2]]);
});

test('exercise minutes are the active ones, and never exceed the duration of the workout', () => {
  expect(added('yoga', 1, { metres: null, activeMinutes: 45 })).toEqual([['exercise', 45, 1]]);
  expect(added('yoga', 1, { metres: 0, activeMinutes: 90 })).toEqual([['exercise', 60, 1]]);
});

test('a sport without a metric, a missing distance or a span of more than a day adds nothing', () => {
  expect(added('rowing', 1, { metres: 5000 })).toEqual([]);
  expect(added('running', 1, { metres: null })).toEqual([]);
  expect(added('running', 25, { metres: 90_000, activeMinutes: 1400 })).toEqual([]);
});
