import { describe, expect, test } from 'vitest';
import { measureSeeding } from '../../harness/seeding-costs.ts';

describe('seeding a sandbox user', () => {
  test('with seven days takes one step, 85 table calls and what the writer makes of two batches', async () => {
    const { runs, calls, writeUnits, events } = await measureSeeding({});
    expect(runs.map(({ queue }) => queue)).toEqual(['seed', 'connection', 'user']);
    expect(runs[0]?.calls).toBe(85);
    expect(calls).toBeLessThan(285);
    expect(writeUnits).toBeLessThan(385);
    expect(events).toEqual({ 'user.created': 1, 'device.connected': 2, 'data.updated': 2, 'score.updated': 2 });
  });

  test('with 90 days takes two steps, costs no more for a day, and publishes two updates for each step', async () => {
    const { runs, calls, writeUnits, events } = await measureSeeding({ sandbox_days: 90 });
    expect(runs.map(({ queue }) => queue)).toEqual(['seed', 'user', 'seed', 'user']);
    expect(calls / 91).toBeLessThan(25);
    expect(writeUnits / 91).toBeLessThan(40);
    for (const run of runs) expect(run.calls).toBeLessThan(1_200);
    expect(events).toMatchObject({ 'device.connected': 2, 'data.updated': 4, 'score.updated': 4 });
  });
});
