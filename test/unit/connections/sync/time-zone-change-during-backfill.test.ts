// The time zone of the user changes during a backfill, whose windows are each bounded by the zone
// at that time.
import { expect, test } from 'vitest';
import { updateUser } from '../../../../shared/users/users.ts';
import { minutes, syncWorld } from '../../../harness/sync-world.ts';
import { sleep } from '../../providers/whoop/records.ts';

/**
 * On the last day before the first window by the clock of Honolulu; in Auckland that day is already
 * over.
 */
const night = {
  ...sleep,
  start: '2026-02-10T12:00:00.000Z',
  end: '2026-02-10T20:00:00.000Z',
  timezone_offset: '-10:00',
};

async function nightsAfter(zones: readonly [before: string, after: string]) {
  const world = syncWorld({ provider: 'whoop' });
  const user = await world.user({ timezone: zones[0] });
  world.fakeProvider.fixtures.write('whoop', '10129', { sleep: [night] });
  await world.connect(user, '10129');
  let isChanged = false;
  world.fakeProvider.beforeReply = async ({ path }) => {
    if (isChanged || !path.endsWith('/cycle')) return;
    isChanged = true;
    await updateUser(world.deps, world.caller, user, { timezone: zones[1] });
  };
  await world.processQueue();
  for (let i = 0; i < 3; i++) await world.passTime(minutes(1));
  const windows = world.fakeProvider.requests.filter(({ path }) => path.endsWith('/cycle')).length;
  return { windows, nights: (await world.nights(user)).map(({ date }) => date) };
}

test('a night between two windows of different time zones is read again', async () => {
  const moved = await nightsAfter(['Pacific/Honolulu', 'Pacific/Auckland']);
  expect(moved.nights).toEqual(['2026-02-11']);
  const stayed = await nightsAfter(['Pacific/Honolulu', 'Pacific/Honolulu']);
  expect(stayed.nights).toEqual(['2026-02-10']);
  // One window more than without the change, for the two days at the seam.
  expect(moved.windows - stayed.windows).toBe(1);
});
