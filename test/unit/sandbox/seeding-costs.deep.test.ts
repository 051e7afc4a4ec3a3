import { expect, test } from 'vitest';
import { measureSeeding } from '../../harness/seeding-costs.ts';

test('366 days are seeded in four bounded steps, with two updates for each', { timeout: 120_000 }, async () => {
  const { runs, calls, writeUnits, events } = await measureSeeding({ sandbox_days: 366 });
  expect(runs.map(({ queue }) => queue)).toEqual(['seed', 'user', 'seed', 'user', 'seed', 'user', 'seed', 'user']);
  expect(calls / 367).toBeLessThan(25);
  expect(writeUnits / 367).toBeLessThan(40);
  for (const run of runs) expect(run.calls).toBeLessThan(2_500);
  expect(events).toMatchObject({ 'device.connected': 2, 'data.updated': 8, 'score.updated': 8 });
});
