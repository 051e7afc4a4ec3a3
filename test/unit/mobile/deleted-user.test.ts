// The credentials of a deleted user are invalid while their rows still exist, before the eraser has
// run.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { acceptUpload } from '../../../shared/mobile/accept-upload.ts';
import { exchangeToken } from '../../../shared/mobile/exchange-token.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { openSession } from '../../../shared/mobile/open-session.ts';
import { refreshCredentials } from '../../../shared/mobile/refresh-credentials.ts';
import type { SdkCredentials } from '../../../shared/mobile/sdk-session.ts';
import { sdkSessionRows } from '../../../shared/mobile/sdk-session-rows.ts';
import { revokeOwnSession } from '../../../shared/mobile/sdk-sessions.ts';
import { UploadBody } from '../../../shared/providers/phone/upload.ts';
import { admitWithToken } from '../../harness/admit-with-token.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { installation } from '../../harness/sdk.ts';

let shop: EngineDomainWorld;
let client: string;
let mobile: string;
let pair: SdkCredentials;
beforeAll(async () => {
  shop = await openEngineDomainWorld();
});
afterAll(() => shop.localTable.stop());

const open = async (userId: string): Promise<string> => {
  const asked = { userId, idempotencyKey: randomUUID(), body: installation(), origin: 'x' };
  return (await openSession(shop.deps, shop.caller, asked)).bootstrap.client_token;
};

beforeEach(async () => {
  const user = await shop.user();
  pair = await exchangeToken(shop.deps, { client_token: await open(user) });
  client = await open(user);
  mobile = (await issueMobileToken(shop.deps, shop.caller, { userId: user })).token;
  await deleteUser(shop.deps, shop.caller, user);
  expect(await sdkSessionRows(shop.deps.store).listByUser(user)).toHaveLength(2);
});

const dead = { code: 'invalid_token' };
const asPhone = () => admitWithToken(shop.deps, pair.access_token);
const body = (more: object) =>
  UploadBody.parse({ time_zone: 'UTC', device: { name: 'W', model: 'W', type: 'wrist' }, ...more });

test('a refresh token is rejected', async () => {
  await expect(refreshCredentials(shop.deps, pair.refresh_token)).rejects.toMatchObject(dead);
});

test('a client token and a mobile token are rejected', async () => {
  await expect(exchangeToken(shop.deps, { client_token: client })).rejects.toMatchObject(dead);
  await expect(exchangeToken(shop.deps, { client_token: mobile })).rejects.toMatchObject(dead);
});

test.each([
  ['with records', { samples: [{ metric: 'steps', start: '2026-03-10T09:00:00Z', value: 1, unit: 'count' }] }],
  ['without any', {}],
])('an upload %s is rejected', async (_which, records) => {
  await expect(acceptUpload(shop.deps, await asPhone(), body(records))).rejects.toMatchObject(dead);
});

test('a phone that signs out is rejected', async () => {
  await expect(revokeOwnSession(shop.deps, await asPhone())).rejects.toMatchObject(dead);
});

/** Deletes the user just before the first transaction. */
const deletedMeanwhile = (user: string) => {
  const { table } = shop.localTable;
  let deleted = false;
  return shop.withTable({
    ...table,
    async transact(writes) {
      if (!deleted) {
        deleted = true;
        await deleteUser(shop.deps, shop.caller, user);
      }
      return table.transact(writes);
    },
  });
};

test('a mobile token opens no session for a user who is deleted meanwhile', async () => {
  const user = await shop.user();
  const { token } = await issueMobileToken(shop.deps, shop.caller, { userId: user });
  await expect(exchangeToken(deletedMeanwhile(user), { client_token: token })).rejects.toMatchObject(dead);
  expect(await sdkSessionRows(shop.deps.store).listByUser(user)).toEqual([]);
});

test('neither a session nor a mobile token is issued for a user who is deleted meanwhile', async () => {
  const [ada, bob] = [await shop.user(), await shop.user()];
  const asked = { userId: ada, idempotencyKey: randomUUID(), body: installation(), origin: 'x' };
  const unknown = { code: 'not_found' };
  await expect(openSession(deletedMeanwhile(ada), shop.caller, asked)).rejects.toMatchObject(unknown);
  expect(await sdkSessionRows(shop.deps.store).listByUser(ada)).toEqual([]);
  await expect(issueMobileToken(deletedMeanwhile(bob), shop.caller, { userId: bob })).rejects.toMatchObject(unknown);
});
