import { expect, test } from 'vitest';
import { beginConnection } from '../../../shared/connections/connect/begin-connection.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { eraseUser } from '../../../shared/erasure/erase-user.ts';
import { getAuthorizedUserContext } from '../../../shared/users/authorized-user.ts';
import { noInitiator } from '../../harness/browser.ts';
import { readEvents } from '../../harness/outbox.ts';
import { syncWorld } from '../../harness/sync-world.ts';

test('a connection that awaits consent is counted in the receipt, and no worker is woken to revoke it', async () => {
  const world = syncWorld();
  const { user, devices } = await getAuthorizedUserContext(world.deps, world.caller, await world.user());
  const request = { provider: 'oura', redirectUrl: null, returnTo: null, ...noInitiator } as const;
  await beginConnection(world.deps, user, devices, { ...request, origin: 'https://day.example' });
  await deleteUser(world.deps, world.caller, user.id);
  world.queued.length = 0;
  await eraseUser(world.deps, user.id);
  const receipt = readEvents(world.table.rows()).find(({ type }) => type === 'user.deleted');
  expect(receipt?.more?.erased).toMatchObject({ connections: 1 });
  expect(world.queued.filter(({ queue }) => queue === 'connection')).toEqual([]);
});
