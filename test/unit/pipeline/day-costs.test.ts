import { expect, test } from 'vitest';
import { measureDayCosts } from '../../harness/day-costs.ts';

test('a changed day costs two write units, an unchanged one nothing, and a rebuild writes only what changes', async () => {
  const costs = await measureDayCosts();
  expect(costs.metrics).toBe(60);
  expect(costs.unitsPerChangedDay).toBeLessThanOrEqual(2);
  expect(costs.putsWhenNothingChanged).toBe(0);
  // The commands and the head behind them, which are read again after the rest, normalized and canonical days, days and scores for the scores, and whether more waits.
  expect(costs.rebuildQueries).toBe(9);
  expect(costs.rebuildPuts).toBe(10);
});
