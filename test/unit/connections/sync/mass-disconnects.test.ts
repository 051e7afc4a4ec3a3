import { expect, test } from 'vitest';
import { endedConsentRows } from '../../../../shared/connections/sync/ended-consent-rows.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { wakeDue } from '../../../../shared/system/wake-pending.ts';
import { listDevices } from '../../../../shared/users/devices.ts';
import { isRefreshCall } from '../../../harness/fake-provider.ts';
import { hours, minutes, type SyncWorld, syncWorld } from '../../../harness/sync-world.ts';

const invalidGrant = { status: 400, headers: {}, text: JSON.stringify({ error: 'invalid_grant' }) };
const startOfHour = (ms: number): number => Math.ceil(ms / hours(1)) * hours(1);

/** Uses Google Health, whose token counts as dead when it is refused twice, ten minutes apart. */
async function connectUsers(userCount: number, settings: object = {}) {
  const world = syncWorld({ provider: 'google_health' });
  const { clientId, clientSecret, more } = world.fakeProvider.credentials;
  const providerConfig = { client_id: clientId, client_secret: clientSecret, ...more, ...settings };
  const deps: Deps = { ...world.deps, providerSettings: { get: async () => providerConfig } };
  const users: string[] = [];
  for (let at = 0; at < userCount; at++) {
    const user = await world.user();
    users.push(user);
    await world.connect(user, `person${at}`);
  }
  await world.processQueue(deps);
  world.clock.advance(startOfHour(world.clock.now() + hours(12)) - world.clock.now());
  const later = async (ms: number) => {
    world.clock.advance(ms);
    await wakeDue(deps, 'sync');
    await world.processQueue(deps);
  };
  return { world, deps, users, later };
}

const readStates = async ({ deps, caller }: SyncWorld, users: readonly string[]) =>
  (await Promise.all(users.map((user) => listDevices(deps, caller, user))))
    .flat()
    .map(({ status, sync }) => (status === 'active' ? sync?.state : status))
    .sort();

const repeatState = (count: number, state: string): string[] => Array.from({ length: count }, () => state);

test('when a provider reports very many ended consents at once, the rest stay connected and are rechecked every hour', async () => {
  const { world, users, later } = await connectUsers(6, { disconnects_per_hour: 2 });
  world.fakeProvider.fault(isRefreshCall, invalidGrant);
  for (let i = 0; i < 5; i++) await later(minutes(11));
  expect(await readStates(world, users)).toEqual([...repeatState(2, 'disconnected'), ...repeatState(4, 'waiting')]);
  const doubted = world.log.filter(({ message }) => message === 'too_many_consents_ended');
  expect(doubted).toHaveLength(4);
  expect(doubted[0]).toMatchObject({
    level: 'error',
    fields: { provider: 'google_health', env: 'live', max_per_hour: 2 },
  });
  const requestCount = world.fakeProvider.requests.length;
  for (let i = 0; i < 6; i++) await later(minutes(11));
  expect(world.fakeProvider.requests.length - requestCount).toBe(4);
  expect(await readStates(world, users)).toEqual([...repeatState(4, 'disconnected'), ...repeatState(2, 'waiting')]);
  expect(world.events('device.disconnected')).toHaveLength(4);
});

test('connections that stayed resume if the provider was wrong', async () => {
  const { world, users, later } = await connectUsers(3, { disconnects_per_hour: 0 });
  const end = world.fakeProvider.fault(isRefreshCall, invalidGrant);
  for (let i = 0; i < 20; i++) await later(minutes(11));
  expect(await readStates(world, users)).toEqual(repeatState(3, 'waiting'));
  end();
  for (let i = 0; i < 24; i++) await later(minutes(11));
  expect(await readStates(world, users)).toEqual(repeatState(3, 'current'));
  expect(world.events('device.disconnected')).toEqual([]);
});

test('by default at most 100 consents end per provider, environment and hour', async () => {
  const { world, deps, users, later } = await connectUsers(3);
  world.fakeProvider.fault(isRefreshCall, invalidGrant);
  await later(minutes(1));
  const consentRows = endedConsentRows(deps.store);
  for (let i = 0; i < 98; i++)
    expect(await consentRows.countIfBelow('google_health', 'live', world.clock.now(), 100)).toBe(true);
  await consentRows.countIfBelow('google_health', 'sandbox', world.clock.now(), 100);
  await later(minutes(14));
  expect(await readStates(world, users)).toEqual([...repeatState(2, 'disconnected'), 'waiting']);
  const [row] = world.table.rows().filter(({ pk }) => String(pk).startsWith('ENDED#google_health#live'));
  expect(row).toMatchObject({ count: 100, ttl: Math.floor(world.clock.now() / hours(1)) * 3_600 + 86_400 });
});
