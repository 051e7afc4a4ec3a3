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

let world: EngineDomainWorld;
let client: string;
let mobile: string;
let pair: SdkCredentials;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

const open = async (userId: string): Promise<string> => {
  const request = { userId, idempotencyKey: randomUUID(), body: installation(), origin: 'x' };
  return (await openSession(world.deps, world.caller, request)).bootstrap.client_token;
};

beforeEach(async () => {
  const user = await world.user();
  pair = await exchangeToken(world.deps, { client_token: await open(user) });
  client = await open(user);
  mobile = (await issueMobileToken(world.deps, world.caller, { userId: user })).token;
  await deleteUser(world.deps, world.caller, user);
  expect(await sdkSessionRows(world.deps.store).listByUser(user)).toHaveLength(2);
});

const invalidToken = { code: 'invalid_token' };
const admitAsPhone = () => admitWithToken(world.deps, pair.access_token);
const body = (more: object) =>
  UploadBody.parse({ time_zone: 'UTC', device: { name: 'W', model: 'W', type: 'wrist' }, ...more });

test('a refresh token is rejected', async () => {
  await expect(refreshCredentials(world.deps, pair.refresh_token)).rejects.toMatchObject(invalidToken);
});

test('a client token and a mobile token are rejected', async () => {
  await expect(exchangeToken(world.deps, { client_token: client })).rejects.toMatchObject(invalidToken);
  await expect(exchangeToken(world.deps, { client_token: mobile })).rejects.toMatchObject(invalidToken);
});

test.each([
  ['with records', { samples: [{ metric: 'steps', start: '2026-03-10T09:00:00Z', value: 1, unit: 'count' }] }],
  ['without any', {}],
])('an upload %s is rejected', async (_which, records) => {
  await expect(acceptUpload(world.deps, await admitAsPhone(), body(records))).rejects.toMatchObject(invalidToken);
});

test('a phone that signs out is rejected', async () => {
  await expect(revokeOwnSession(world.deps, await admitAsPhone())).rejects.toMatchObject(invalidToken);
});

/** Deletes the user just before the first transaction. */
const deleteMeanwhile = (user: string) => {
  const { table } = world.localTable;
  let deleted = false;
  return world.withTable({
    ...table,
    async transact(writes) {
      if (!deleted) {
        deleted = true;
        await deleteUser(world.deps, world.caller, user);
      }
      return table.transact(writes);
    },
  });
};

test('a mobile token opens no session for a user who is deleted in the meantime', async () => {
  const user = await world.user();
  const { token } = await issueMobileToken(world.deps, world.caller, { userId: user });
  await expect(exchangeToken(deleteMeanwhile(user), { client_token: token })).rejects.toMatchObject(invalidToken);
  expect(await sdkSessionRows(world.deps.store).listByUser(user)).toEqual([]);
});

test('neither a session nor a mobile token is issued for a user who is deleted in the meantime', async () => {
  const [ada, bob] = [await world.user(), await world.user()];
  const request = { userId: ada, idempotencyKey: randomUUID(), body: installation(), origin: 'x' };
  const unknown = { code: 'not_found' };
  await expect(openSession(deleteMeanwhile(ada), world.caller, request)).rejects.toMatchObject(unknown);
  expect(await sdkSessionRows(world.deps.store).listByUser(ada)).toEqual([]);
  await expect(issueMobileToken(deleteMeanwhile(bob), world.caller, { userId: bob })).rejects.toMatchObject(unknown);
});
