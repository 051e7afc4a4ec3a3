import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DateSpan, everyDay, noDay } from '../../../../shared/domain/scores/ask.ts';
import { reachDays } from '../../../../shared/domain/scores/day-scores.ts';
import { dueAsks, dueSpans, restOf } from '../../../../shared/domain/scores/due-days.ts';
import { addDays } from '../../../../shared/model/local-day.ts';

const day = (number: number) => addDays('2026-01-01', number);
const span = fc
  .tuple(fc.nat(200), fc.nat(60))
  .map(([from, length]): DateSpan => ({ from: day(from), to: day(from + length) }));
const horizon = Array.from({ length: 400 }, (_none, number) => day(number));
const daysIn = (spans: readonly DateSpan[]) =>
  horizon.filter((date) => spans.some(({ from, to }) => from <= date && date <= to));

test('what is due are the asked days and those they reach, each once', () => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 6 }), (asks) => {
      const spans = dueSpans(asks);
      const reached = asks.map(({ from, to }) => ({ from, to: addDays(to, reachDays) }));
      expect(daysIn(spans)).toEqual(daysIn(reached));
      for (const [at, { from }] of spans.entries()) if (at > 0) expect(from > (spans[at - 1]?.to ?? '')).toBe(true);
    }),
  );
});

test('whatever day a step ends before, what stays asked for and the rest are all that is left', () => {
  fc.assert(
    fc.property(fc.array(span, { minLength: 1, maxLength: 6 }), fc.nat(300), (asks, at) => {
      const before = day(at);
      const rest = restOf(asks, before);
      const left = [...asks.filter(({ from }) => from >= before), ...(rest ? [rest] : [])];
      const wanted = daysIn(dueSpans(asks)).filter((date) => date >= before);
      const asked = daysIn(dueSpans(left));
      expect(asked).toEqual(expect.arrayContaining(wanted));
      expect(asked.every((date) => date >= before)).toBe(true);
      // The last of what a changed day reaches may be asked for as if it had changed itself, and no more.
      expect(asked.length - wanted.length).toBeLessThanOrEqual(reachDays);
    }),
  );
});

test('all days are all days, to the end of the calendar, and a mere look is none', () => {
  expect(dueSpans([everyDay, noDay])).toEqual([everyDay]);
  expect(dueSpans([noDay])).toEqual([]);
  expect(restOf([everyDay], '2026-01-01')).toEqual({ from: '2026-01-01', to: everyDay.to });
  expect(restOf([noDay], '2026-01-01')).toBeUndefined();
});

test('what waits is taken up when its time comes, or when days that reach it are scored anyway', () => {
  const ask = (from: number, to: number, wakeMs?: number) => ({
    from: day(from),
    to: day(to),
    asked: `${from}`,
    ...(wakeMs === undefined ? {} : { held: true as const, wakeMs }),
  });
  const held = ask(100, 101, 5_000);
  const far = ask(0, 100 - reachDays - 1);
  expect(dueAsks([held], 4_999)).toEqual([]);
  expect(dueAsks([held], 5_000)).toEqual([held]);
  expect(dueAsks([far, held], 1)).toEqual([far]);
  for (const near of [ask(0, 100 - reachDays), ask(101, 101), ask(90, 120)])
    expect(dueAsks([held, near], 1)).toEqual([held, near]);
  expect(dueAsks([held, ask(102, 110)], 1)).toEqual([ask(102, 110)]);
});
