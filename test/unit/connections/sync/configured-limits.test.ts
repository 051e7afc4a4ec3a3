import { expect, test } from 'vitest';
import { renewSubscription } from '../../../../shared/connections/sync/renew-subscription.ts';
import { syncConnection } from '../../../../shared/connections/sync/sync-connection.ts';
import type { Deps } from '../../../../shared/system/deps.ts';
import { hours, syncWorld } from '../../../harness/sync-world.ts';

test('configured limits apply to user requests and to subscriptions', async () => {
  const world = syncWorld();
  const user = await world.user();
  const device = await world.connect(user, 'ann');
  const limits = [{ requests: 2, seconds: 3600, per: 'deployment' }];
  const { clientId, clientSecret, more } = world.fakeProvider.credentials;
  const getSettings = async () => ({ client_id: clientId, client_secret: clientSecret, ...more, limits });
  const limitedDeps: Deps = { ...world.deps, providerSettings: { get: getSettings } };
  const countRequests = async (work: () => Promise<void>): Promise<number> => {
    world.fakeProvider.requests.length = 0;
    await work();
    return world.fakeProvider.requests.length;
  };
  expect(await countRequests(() => syncConnection(limitedDeps, user, device))).toBe(1);
  expect(await countRequests(() => renewSubscription(limitedDeps, 'oura', 'live'))).toBe(0);
  world.clock.advance(hours(5));
  expect(await countRequests(() => syncConnection(world.deps, user, device))).toBeGreaterThan(5);
  expect(await countRequests(() => renewSubscription(world.deps, 'oura', 'live'))).toBeGreaterThan(0);
});
