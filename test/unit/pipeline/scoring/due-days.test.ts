import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allDays, type DateSpan } from '../../../../shared/measurements/date-span.ts';
import { computeDueSpans, remainingFrom, selectDueDays } from '../../../../shared/pipeline/scoring/due-days.ts';
import { addDays } from '../../../../shared/platform/time/local-day.ts';
import { reachDays } from '../../../../shared/scores/day-scores.ts';

const day = (number: number) => addDays('2026-01-01', number);
const span = fc
  .tuple(fc.nat(200), fc.nat(60))
  .map(([from, length]): DateSpan => ({ from: day(from), to: day(from + length) }));
const horizon = Array.from({ length: 400 }, (_none, number) => day(number));
const daysIn = (spans: readonly DateSpan[]) =>
  horizon.filter((date) => spans.some(({ from, to }) => from <= date && date <= to));

test('due days are the changed days and the days they reach, each once', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 6 }), (changed) => {
      const spans = computeDueSpans(changed);
      const reached = changed.map(({ from, to }) => ({ from, to: addDays(to, reachDays) }));
      expect(daysIn(spans)).toEqual(daysIn(reached));
      for (const [at, { from }] of spans.entries()) if (at > 0) expect(from > (spans[at - 1]?.to ?? '')).toBe(true);
    }),
  );
});

test('for any day that a pass stops before, all due days from there on remain', () => {
  fc.assert(
    fc.property(fc.array(span, { minLength: 1, maxLength: 6 }), fc.nat(300), (spans, at) => {
      const before = day(at);
      const wanted = daysIn(computeDueSpans(spans)).filter((date) => date >= before);
      const left = daysIn(computeDueSpans(remainingFrom(spans, before)));
      expect(left).toEqual(expect.arrayContaining(wanted));
      expect(left.every((date) => date >= before)).toBe(true);
      // The last days that a changed day reaches may remain as if they had changed themselves, and
      // no more.
      expect(left.length - wanted.length).toBeLessThanOrEqual(reachDays);
    }),
  );
});

test('remaining days keep their other fields', () => {
  const pendingDays = { from: day(0), to: day(20), dueMs: 5, atOnce: true };
  expect(remainingFrom([pendingDays], day(10))).toEqual([{ ...pendingDays, from: day(10) }]);
  expect(remainingFrom([pendingDays], day(0))).toEqual([pendingDays]);
  // The last day that the span reaches.
  expect(remainingFrom([pendingDays], day(20 + reachDays))).toEqual([
    { ...pendingDays, from: day(20 + reachDays), to: day(20 + reachDays) },
  ]);
  expect(remainingFrom([pendingDays], day(21 + reachDays))).toEqual([]);
});

test('all days reach to the end of the calendar', () => {
  expect(computeDueSpans([allDays, { from: day(0), to: day(1) }])).toEqual([allDays]);
  expect(computeDueSpans([])).toEqual([]);
  expect(remainingFrom([allDays], '2026-01-01')).toEqual([{ from: '2026-01-01', to: allDays.to }]);
});

test('waiting days are selected when their time comes, or when days that reach them are scored anyway', () => {
  const pendingDays = (from: number, to: number, dueMs = 0) => ({ from: day(from), to: day(to), dueMs, atOnce: false });
  const waiting = pendingDays(100, 101, 5_000);
  const far = pendingDays(0, 100 - reachDays - 1);
  expect(selectDueDays([waiting], 4_999)).toEqual([]);
  expect(selectDueDays([waiting], 5_000)).toEqual([waiting]);
  expect(selectDueDays([far, waiting], 1)).toEqual([far]);
  for (const near of [pendingDays(0, 100 - reachDays), pendingDays(101, 101), pendingDays(90, 120)])
    expect(selectDueDays([waiting, near], 1)).toEqual([waiting, near]);
  expect(selectDueDays([waiting, pendingDays(102, 110)], 1)).toEqual([pendingDays(102, 110)]);
});
