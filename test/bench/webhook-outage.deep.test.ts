// A receiver that takes half a second and was down: it is level again, and no other webhook is late.
// `npm run bench -- webhook-outage` has an hour of 200,000 users.
import { expect, test } from 'vitest';
import { measureOutage } from './webhook-outage.ts';

test('a slow receiver of 20,000 users that was down for five minutes is level within half an hour', async () => {
  const outage = await measureOutage({ users: 20_000, receiverMs: 500, outageMinutes: 5, maxMinutes: 30, others: 5 });
  process.stdout.write(`${JSON.stringify(outage)}\n`);
  // One worker with ten events at a time sends 20 a second, fewer than are published.
  expect(outage.eventsPerSecond).toBeGreaterThan(60);
  expect(outage.levelMinutes).toBeLessThanOrEqual(30);
  expect(outage.freshMinutes).toBeLessThanOrEqual(12);
  expect(outage.doubled).toBe(0);
  expect(outage.rowWrites).toBeLessThan(0.02);
  expect(outage.others.p99).toBeLessThan(1);
  expect(outage.maxRuns).toBeLessThanOrEqual(120);
});
