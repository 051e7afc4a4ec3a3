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
  const of = async () => ({ client_id: clientId, client_secret: clientSecret, ...more, limits });
  const slow: Deps = { ...world.deps, providerSettings: { get: of } };
  const askedBy = async (work: () => Promise<void>): Promise<number> => {
    world.fakeProvider.requests.length = 0;
    await work();
    return world.fakeProvider.requests.length;
  };
  expect(await askedBy(() => syncConnection(slow, user, device))).toBe(1);
  expect(await askedBy(() => renewSubscription(slow, 'oura', 'live'))).toBe(0);
  world.clock.advance(hours(5));
  expect(await askedBy(() => syncConnection(world.deps, user, device))).toBeGreaterThan(5);
  expect(await askedBy(() => renewSubscription(world.deps, 'oura', 'live'))).toBeGreaterThan(0);
});
