// Pushes about nights of users who have linked an Oura ring.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isDataCall } from '../../../harness/fake-provider.ts';
import { hours, minutes, ouraNight, syncWorld } from '../../../harness/sync-world.ts';

export const sleepNotification = (account: string, id: string, more: object = {}) => ({
  event_type: 'update',
  data_type: 'sleep',
  object_id: id,
  user_id: account,
  event_time: '2026-03-12T12:00:00Z',
  ...more,
});

export async function connectAccounts(accounts: readonly string[] = ['ann']) {
  const world = syncWorld();
  const users: string[] = [];
  for (const account of accounts) {
    users.push(await world.user());
    await world.connect(users.at(-1) ?? '', account);
  }
  await world.processQueue();
  world.fakeProvider.requests.length = 0;
  const [user = ''] = users;
  return { world, user, users };
}

/** Defines the test with the given number of random orders. */
export function testOrders(numRuns: number): void {
  test('any order and repetition of pushes and polls of the same data ends in the same nights', async () => {
    const days = ['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12'];
    const truth = days.map((day, at) => ouraNight(`n${at}`, day));
    const step = fc.oneof(
      fc.record({ what: fc.constant('push' as const), at: fc.nat(4), again: fc.nat(2) }),
      fc.record({ what: fc.constant('later' as const), minutes: fc.integer({ min: 1, max: 400 }) }),
      fc.record({ what: fc.constant('work' as const) }),
      fc.record({ what: fc.constant('fault' as const), times: fc.integer({ min: 1, max: 4 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { world, user } = await connectAccounts();
        world.fakeProvider.fixtures.write('oura', 'ann', { sleep: truth });
        for (const each of steps) {
          if (each.what === 'push')
            await world.push(
              sleepNotification('ann', `n${each.at}`, { event_time: `2026-03-12T12:00:0${each.again}Z` }),
            );
          if (each.what === 'later') await world.passTime(minutes(each.minutes));
          if (each.what === 'work') await world.processQueue();
          if (each.what === 'fault')
            world.fakeProvider.fault(isDataCall, { status: 500, headers: {}, text: '' }, each.times);
        }
        for (const at of days.keys())
          await world.push(sleepNotification('ann', `n${at}`, { event_time: '2026-03-12T12:00:09Z' }));
        for (let i = 0; i < 60; i++) await world.passTime(minutes(30));
        expect(await world.nights(user)).toEqual(
          days.map((date, at) => ({
            date,
            id: `n${at}`,
            start: new Date(Date.parse(`${date}T00:00:00Z`) - hours(1)).toISOString(),
          })),
        );
      }),
      { numRuns },
    );
  });
}
