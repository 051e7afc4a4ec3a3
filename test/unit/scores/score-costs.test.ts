import { expect, test } from 'vitest';
import { measureScoringCosts } from '../../harness/score-costs.ts';

const cost = (calls: number, readUnits: number, writeUnits: number) => ({ calls, readUnits, writeUnits });

test('a pass that scores a changed day costs what it should', { timeout: 60_000 }, async () => {
  expect(await measureScoringCosts()).toEqual({
    // With a separate worker for scores this was 20 calls, 15 units read and 32 written; 86 where
    // the day is four weeks old.
    today: cost(11, 8, 18),
    fourWeeksAgo: cost(11, 8, 72),
    again: cost(1, 1, 0),
    // Whether a change of the sleep score is throttled depends on when the main sleep ended, which is
    // one read. A message in the meantime costs what any other does.
    deferred: cost(12, 9, 17),
    deferredAgain: cost(12, 9, 16),
    whileDeferred: cost(1, 1, 0),
    deferredWritten: cost(6, 6, 8),
  });
});
