import { expect, test } from 'vitest';
import { connectWithNights } from './crashed-workers.ts';
import { testFailuresAtCalls } from './failing-calls.ts';

testFailuresAtCalls(7);

test('duplicate, late and needless messages cause no further request', async () => {
  const { world, user, device } = await connectWithNights();
  const body = { user_id: user, device_id: device };
  const more = [body, body, { ...body, revoke: true }].map((each) => ({ queue: 'connection', body: each }));
  await world.processQueue();
  const requests = world.fakeProvider.requests.length;
  const before = structuredClone(world.table.rows());
  world.queued.push(...more);
  await world.processQueue();
  expect(world.fakeProvider.requests).toHaveLength(requests);
  expect(world.table.rows()).toEqual(before);
});
