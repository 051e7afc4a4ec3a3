import { expect, test } from 'vitest';
import { createConnectLink, openConnectLink } from '../../../shared/connections/connect/connect-link.ts';
import { createEraser } from '../../harness/erasure/eraser.ts';
import { listUserEvents } from '../../harness/erasure/erasure-checks.ts';
import { openWorld } from '../../harness/erasure/world.ts';

test('connect links are erased with their user and counted', async () => {
  const world = await openWorld();
  const caller = { ...world.caller, keyHash: null };
  const { url } = await createConnectLink(world.deps, caller, world.id, {}, 'https://day.example');
  await world.delete();
  const eraser = createEraser(world);
  await eraser.run();
  expect(world.table.rows().filter(({ sk }) => String(sk).startsWith('LINK#'))).toEqual([]);
  expect(listUserEvents(world).at(-1)).toMatchObject({ type: 'user.deleted', erased: { connect_links: 1 } });
  expect(await openConnectLink(world.deps, url.slice(url.lastIndexOf('/') + 1))).toBe('unknown_link');
});

test('no connect link is created for a user who is being deleted', async () => {
  const world = await openWorld();
  await world.delete();
  const caller = { ...world.caller, keyHash: null };
  const creation = createConnectLink(world.deps, caller, world.id, {}, 'https://day.example');
  await expect(creation).rejects.toMatchObject({ code: 'not_found' });
});
