import { expect, test } from 'vitest';
import { measureDayCosts } from '../../../harness/day-costs.ts';

test('a changed day costs two write units, an unchanged one nothing, and a rebuild writes only what changes', async () => {
  const costs = await measureDayCosts();
  expect(costs.metrics).toBe(60);
  expect(costs.unitsPerChangedDay).toBeLessThanOrEqual(2);
  expect(costs.putsWhenNothingChanged).toBe(0);
  // The head, the normalized days, the canonical days.
  expect(costs.rebuildQueries).toBe(3);
  expect(costs.rebuildPuts).toBe(10);
});
