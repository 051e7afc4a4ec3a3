import { expect, test } from 'vitest';
import {
  connectFromLink,
  createConnectLink,
  openConnectLink,
} from '../../../../shared/connections/connect/connect-link.ts';
import { deleteUser } from '../../../../shared/erasure/delete-user.ts';
import { minutes, startMs, syncWorld } from '../../../harness/sync-world.ts';

const origin = 'https://day.example';

async function createLink(providers?: string[]) {
  const world = syncWorld();
  const user = await world.user();
  const { url, expires_at } = await createConnectLink(
    world.deps,
    world.caller,
    user,
    providers ? { providers } : {},
    origin,
  );
  const token = url.slice(url.lastIndexOf('/') + 1);
  return { world, token, expiresMs: Date.parse(expires_at) };
}

test('a link offers each named provider once, and only providers this deployment can connect', async () => {
  const named = await createLink(['oura', 'oura']);
  expect(await openConnectLink(named.world.deps, named.token)).toMatchObject({ offered: ['oura'] });
  const all = await createLink();
  expect(await openConnectLink(all.world.deps, all.token)).toMatchObject({ offered: ['oura'] });
  await expect(createLink(['oura', 'whoop'])).rejects.toMatchObject({ code: 'unconnectable_provider' });
});

test.each([
  ['fitbit', 'Unknown provider `fitbit`. Fitbit devices connect through `google_health`.'],
  [
    'ouraa',
    'Unknown provider `ouraa`. Did you mean `oura`? GET /v1/providers?connection=all lists those that users can connect.',
  ],
  ['health_kit', 'Unknown provider `health_kit`. GET /v1/providers?connection=all lists those that users can connect.'],
  [
    'x'.repeat(60),
    `Unknown provider \`${'x'.repeat(40)}…\`. GET /v1/providers?connection=all lists those that users can connect.`,
  ],
  ['', 'Unknown provider ``. GET /v1/providers?connection=all lists those that users can connect.'],
])('the unknown provider %j is named, with the one that was meant', async (provider, message) => {
  await expect(createLink([provider])).rejects.toMatchObject({ code: 'unconnectable_provider', message });
});

test('a provider that the link does not offer cannot be connected', async () => {
  const { world, token } = await createLink();
  const openedLink = await openConnectLink(world.deps, token);
  if (typeof openedLink === 'string') throw new Error(openedLink);
  const narrowed = { ...openedLink, offered: [] };
  const connecting = connectFromLink(world.deps, narrowed, 'oura', { origin, token });
  await expect(connecting).rejects.toMatchObject({ code: 'unconnectable_provider' });
});

test('a link is valid for a day', async () => {
  const { world, token, expiresMs } = await createLink();
  world.clock.freeze();
  expect(Math.floor((expiresMs - startMs) / minutes(1))).toBe(24 * 60);
  world.clock.advance(expiresMs - 1 - world.clock.now());
  expect(await openConnectLink(world.deps, token)).toHaveProperty('offered');
  world.clock.advance(1);
  expect(await openConnectLink(world.deps, token)).toBe('link_expired');
});

test('a link whose row is gone counts as revoked', async () => {
  const { world, token } = await createLink();
  const [row] = world.table.rows().filter(({ sk }) => String(sk).startsWith('LINK#'));
  if (!row) throw new Error('The link row is missing.');
  await world.table.write({ kind: 'delete', key: { pk: String(row['pk']), sk: String(row['sk']) } });
  expect(await openConnectLink(world.deps, token)).toBe('link_revoked');
});

test('no link is created for a user who is deleted at the same time', async () => {
  const world = syncWorld();
  const user = await world.user();
  const { store } = world.deps;
  const commit: typeof store.commit = async (writes) => {
    await deleteUser(world.deps, world.caller, user);
    await store.commit(writes);
  };
  const deps = { ...world.deps, store: { ...store, commit } };
  await expect(createConnectLink(deps, world.caller, user, {}, origin)).rejects.toMatchObject({ code: 'not_found' });
  expect(world.table.rows().filter(({ sk }) => String(sk).startsWith('LINK#'))).toEqual([]);
});
