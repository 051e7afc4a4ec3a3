import { expect, test } from 'vitest';
import { measureDayCosts } from '../../harness/day-costs.ts';

test('a changed day costs two write units, an unchanged one none, and a rebuild writes only what changes', async () => {
  const costs = await measureDayCosts();
  expect(costs.metrics).toBe(60);
  expect(costs.unitsPerChangedDay).toBeLessThanOrEqual(2);
  expect(costs.putsWhenNothingChanged).toBe(0);
  // The queries read the commands with the user head that follows them, the same again after the
  // rest, normalized and canonical days, the days and scores for scoring, and whether more commands
  // wait.
  expect(costs.rebuildQueries).toBe(9);
  expect(costs.rebuildPuts).toBe(10);
});
