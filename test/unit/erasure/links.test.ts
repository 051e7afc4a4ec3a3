import { expect, test } from 'vitest';
import { createConnectLink, openConnectLink } from '../../../shared/connections/connect/connect-link.ts';
import { keys } from '../../../shared/system/keys.ts';
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

test('a pointer to a provider account is erased with the row that it points to, and is no connect link', async () => {
  const world = await openWorld();
  const device = 'dev_ring';
  const pointed = keys.providerAccount('oura', 'live', 'ann#1', world.id, device);
  await world.table.write({ kind: 'put', item: { ...pointed, user: world.id, device } });
  const pointer = keys.providerAccountPointer(world.id, 'oura', 'live', device, 'ann#1');
  await world.table.write({ kind: 'put', item: { ...pointer } });
  await createConnectLink(world.deps, { ...world.caller, keyHash: null }, world.id, {}, 'https://day.example');
  await world.delete();
  await createEraser(world).run();
  expect([await world.table.get(pointed), await world.table.get(pointer)]).toEqual([undefined, undefined]);
  expect(listUserEvents(world).at(-1)).toMatchObject({ type: 'user.deleted', erased: { connect_links: 1 } });
});

test('no connect link is created for a user who is being deleted', async () => {
  const world = await openWorld();
  await world.delete();
  const caller = { ...world.caller, keyHash: null };
  const creation = createConnectLink(world.deps, caller, world.id, {}, 'https://day.example');
  await expect(creation).rejects.toMatchObject({ code: 'not_found' });
});
