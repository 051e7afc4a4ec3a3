// What is known about rows without reading them may include too much, but never too little.
import { expect, test } from 'vitest';
import {
  addCopyToSummary,
  addRowsToSummary,
  type ClosedSamples,
  mayExistInRows,
  mayHaveRows,
  noClosedSamples,
} from '../../../../shared/measurements/rows/closed-samples.ts';
import type { StoredSampleDay } from '../../../../shared/measurements/rows/sample-day.ts';

const [first, second, third] = ['2026-03-10', '2026-03-11', '2026-03-12'] as const;
const at = (utcDay: string, hour: number): number => Date.parse(utcDay) + hour * 3_600_000;
const rowOf = (utcDay: string, hours: readonly number[]): StoredSampleDay => ({
  ...{ metric: 'heart_rate', utcDay, device: 0, revision: 0 },
  samples: hours.map((hour) => {
    const startMs = at(utcDay, hour);
    return { startMs, endMs: startMs, value: 60, offsetMinutes: null };
  }),
});
const copyOf = (utcDay: string, hour: number) => ({ utcDay, endsMs: at(utcDay, hour) });

test('rows reach as far as the last of them, regardless of their order', () => {
  const known = addRowsToSummary(noClosedSamples, [rowOf(second, [3]), rowOf(first, [5, 2])]);
  expect(known).toEqual({ through: second, endsMs: at(second, 3), copied: null });
  expect(addRowsToSummary(known, [rowOf(first, [7])])).toEqual(known);
  expect(addRowsToSummary(known, [rowOf(third, [])])).toEqual({ ...known, through: third });
  expect([first, second, third].map((day) => mayHaveRows(known, day))).toEqual([true, true, false]);
});

test('a day with a row may have samples, even where those of the row end before the span begins', () => {
  const known = addRowsToSummary(noClosedSamples, [rowOf(second, [3])]);
  expect(mayExistInRows(known, { startMs: at(second, 11), endMs: at(third, 11) })).toBe(true);
  expect(mayExistInRows(known, { startMs: at(third, 0), endMs: at(third, 24) })).toBe(false);
  // A span that ends at midnight does not include the day that begins then.
  const later: ClosedSamples = { through: third, endsMs: noClosedSamples.endsMs, copied: copyOf(second, 3) };
  expect(mayExistInRows(later, { startMs: at(second, 0), endMs: at(third, 0) })).toBe(false);
  expect(mayExistInRows(later, { startMs: at(second, 0), endMs: at(third, 0) + 1 })).toBe(true);
});

test('a copied day that changes is in rows only, with all its metrics', () => {
  const copied: ClosedSamples = { through: first, endsMs: noClosedSamples.endsMs, copied: copyOf(first, 23) };
  // The row of one metric ends earlier than those of others.
  expect(addRowsToSummary(copied, [rowOf(first, [3])])).toEqual({
    through: first,
    endsMs: at(first, 23),
    copied: null,
  });
  expect(addRowsToSummary(copied, [rowOf(second, [3])])).toEqual({ ...copied, through: second, endsMs: at(second, 3) });
});

test('a newly copied day replaces the previous copy, and no row is forgotten', () => {
  const before: ClosedSamples = { through: first, endsMs: at(first, 2), copied: copyOf(first, 23) };
  const next = addCopyToSummary(before, second, [rowOf(second, [4]), rowOf(second, [1])]);
  expect(next).toEqual({ through: second, endsMs: at(first, 23), copied: copyOf(second, 4) });
  expect(addCopyToSummary(next, second, [rowOf(second, [9])])).toBe(next);
  // Samples from a clock that is ahead have a row on a later day.
  const ahead = addRowsToSummary(noClosedSamples, [rowOf(third, [1])]);
  expect(addCopyToSummary(ahead, second, [rowOf(second, [4])])).toEqual({ ...ahead, copied: copyOf(second, 4) });
});
