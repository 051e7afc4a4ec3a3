// Garmin announces some data by callback URLs, which are the only way to that data.
import { expect, test } from 'vitest';
import { recordNotifications } from '../../../../shared/connections/push/record-notifications.ts';
import { maxNotifications } from '../../../../shared/connections/sync-rows.ts';
import { EngineUnavailable } from '../../../../shared/platform/ports.ts';
import { syncWorld } from '../../../harness/sync-world.ts';

const pingAt = (second: number) =>
  ({
    account: 'ann',
    what: 'object',
    resource: 'activityDetails',
    id: `activityDetails?uploadStartTimeInSeconds=${second}&uploadEndTimeInSeconds=${second + 1}`,
  }) as const;
const oneTo = (count: number) => Array.from({ length: count }, (_none, at) => at + 1);

async function linked() {
  const world = syncWorld({ provider: 'garmin' });
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  await world.processQueue();
  return { world, link: { user, device } };
}

test('a callback URL is rejected rather than dropped while the inbox is full, and accepted once it is drained', async () => {
  const { world, link } = await linked();
  await recordNotifications(world.deps, 'garmin', link, oneTo(maxNotifications).map(pingAt));
  await expect(recordNotifications(world.deps, 'garmin', link, [pingAt(99)])).rejects.toBeInstanceOf(EngineUnavailable);
  expect((await world.readConnection(link.user, link.device))?.inbox.length).toBe(maxNotifications);
  await world.passTime(60_000);
  await recordNotifications(world.deps, 'garmin', link, [pingAt(99)]);
  expect((await world.readConnection(link.user, link.device))?.inbox).toContainEqual(
    expect.objectContaining({ id: pingAt(99).id }),
  );
});

test('a callback URL that the provider no longer serves is dropped at once and logged as such', async () => {
  const { world, link } = await linked();
  world.fakeProvider.fault(({ path }) => path.endsWith('/activityDetails'), { status: 410, headers: {}, text: '' });
  await recordNotifications(world.deps, 'garmin', link, [pingAt(1)]);
  await world.processQueue();
  expect(world.log).toMatchObject([
    {
      message: 'announced_data_refused',
      fields: { provider: 'garmin', env: 'live', user_id: link.user, device_id: link.device },
    },
  ]);
  expect(await world.readConnection(link.user, link.device)).toMatchObject({ inbox: [], failures: 0 });
});

test('a callback URL with too much data is dropped at once and logged as such', async () => {
  const { world, link } = await linked();
  world.fakeProvider.fault(({ path }) => path.endsWith('/activityDetails'), 'too_large');
  await recordNotifications(world.deps, 'garmin', link, [pingAt(1)]);
  await world.processQueue();
  expect(world.log.map(({ message }) => message)).toContain('announced_data_too_large');
  expect(await world.readConnection(link.user, link.device)).toMatchObject({ inbox: [], failures: 0 });
});
