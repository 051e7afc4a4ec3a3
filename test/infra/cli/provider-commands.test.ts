// What `providers list` tells of the table's rows.
import { expect, test } from 'vitest';
import { providerCommands } from '../../../infra/cli/provider-commands.ts';
import { formatTimestamp } from '../../../shared/platform/time/time.ts';
import { hours, syncWorld } from '../../harness/sync-world.ts';

test('providers list says when each provider last answered and what is left of its limit, with one table call', async () => {
  const world = syncWorld();
  await world.connect(await world.user(), 'ann');
  await world.processQueue();
  world.clock.freeze();
  let calls = 0;
  const deps = world.withTable({
    ...world.table,
    async batchGet(wanted, options) {
      calls += 1;
      return world.table.batchGet(wanted, options);
    },
    get: () => Promise.reject(new Error('one call is enough')),
  });
  const run = providerCommands['providers list']?.prepare({});
  const before = await run?.(deps);
  expect(calls).toBe(1);
  const lastMs = world.fakeProvider.times.at(-1) ?? 0;
  const [line = ''] = before?.text.split('\n') ?? [];
  const [, answeredAt = '', left] =
    /^oura +configured, last answer (.*), (\d+) requests can be sent now$/.exec(line) ?? [];
  // The process stores its first answers at the end of its runs.
  expect(Math.abs(Date.parse(answeredAt) - lastMs)).toBeLessThan(60_000);
  // 40% of 5,000 requests in five minutes can be sent at once.
  expect(Number(left)).toBeLessThan(2_000);
  expect(Number(left)).toBeGreaterThan(1_800);
  expect(before?.json).toMatchObject({
    providers: [
      {
        id: 'oura',
        state: 'configured',
        last_answer_at: formatTimestamp(Date.parse(answeredAt)),
        requests_left: Number(left),
      },
      { id: 'whoop', state: 'not configured', last_answer_at: null, requests_left: null },
      ...Array.from({ length: 8 }, () => ({ last_answer_at: null, requests_left: null })),
    ],
  });
  world.clock.advance(hours(1));
  expect((await run?.(deps))?.text).toMatch(/^oura .*, 2000 requests can be sent now$/m);
});
