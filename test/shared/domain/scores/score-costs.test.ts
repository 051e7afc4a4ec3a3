import { expect, test } from 'vitest';
import { measureScoringCosts } from '../../../harness/score-costs.ts';

test('scoring a changed day costs no more than when scores said nothing about themselves', {
  timeout: 60_000,
}, async () => {
  const { today, fourWeeksAgo, again, held, heldAgain, whileHeld, written } = await measureScoringCosts();
  const within = ({ calls, readUnits, writeUnits }: typeof today, most: typeof today) => {
    expect(calls).toBeLessThanOrEqual(most.calls);
    expect(readUnits).toBeLessThanOrEqual(most.readUnits);
    expect(writeUnits).toBeLessThanOrEqual(most.writeUnits);
  };
  // Then: 14 calls, 11 units read and 20 written; 74 where the day is four weeks old.
  within(today, { calls: 9, readUnits: 8, writeUnits: 13 });
  within(fourWeeksAgo, { calls: 9, readUnits: 8, writeUnits: 67 });
  within(again, { calls: 1, readUnits: 1, writeUnits: 0 });
  // A change that waits costs less than one that is written, and a message meanwhile what any other does.
  within(held, { calls: 9, readUnits: 8, writeUnits: 9 });
  within(heldAgain, held);
  within(whileHeld, again);
  within(written, today);
});
