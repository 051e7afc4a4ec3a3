// A provider whose pushes carry the data itself is polled when pushes may have been lost.
import { expect, test } from 'vitest';
import { hours, syncWorld } from '../../../harness/sync-world.ts';

/** COROS is polled twelve hours after it was last heard from, give or take a tenth. */
async function wearer() {
  const world = syncWorld({ provider: 'coros' });
  await world.connect(await world.user(), 'ann');
  await world.processQueue();
  world.fakeProvider.requests.length = 0;
  const { clientId: client, clientSecret: secret } = world.fakeProvider.credentials;
  const push = (calorie: number) =>
    world.pushRaw(
      JSON.stringify({
        batchDailyList: [{ openId: 'ann', dailyList: [{ happenDay: 20260312, calorie, step: 5000 }] }],
      }),
      { headers: { client, secret } },
    );
  return { world, push, polls: () => world.fakeProvider.requests.filter(({ path }) => path.includes('daily')).length };
}

test('a provider that has pushed is polled only if it has been silent since', async () => {
  const { world, push, polls } = await wearer();
  await world.passTime(hours(8));
  const unproven = polls();
  expect(unproven).toBeGreaterThan(0);
  expect((await push(1_000_000)).status).toBe(200);
  await world.passTime(hours(8));
  expect(polls()).toBe(unproven);
  await world.passTime(hours(5));
  expect(polls()).toBe(unproven + 1);
});

test('a provider that pushes all the time is still polled once a day', async () => {
  const { world, push, polls } = await wearer();
  for (let hour = 1; hour <= 23; hour++) {
    await push(hour * 1_000);
    await world.passTime(hours(1));
  }
  expect(polls()).toBe(0);
  for (let hour = 24; hour <= 26; hour++) {
    await push(hour * 1_000);
    await world.passTime(hours(1));
  }
  expect(polls()).toBe(1);
});
