// A single-use step whose response is lost between the service and its table is repeated by the
// service itself, and finds its own effect.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { exchangeToken } from '../../../shared/mobile/exchange-token.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { openSession } from '../../../shared/mobile/open-session.ts';
import { refreshCredentials } from '../../../shared/mobile/refresh-credentials.ts';
import type { SdkSessionRequest } from '../../../shared/mobile/sdk-session.ts';
import { sdkSessionRows } from '../../../shared/mobile/sdk-session-rows.ts';
import { awsTable } from '../../../shared/platform/aws/table.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';
import { localDynamoDb, wrapCalls } from '../../harness/engine-clients.ts';
import { installation } from '../../harness/sdk.ts';

let shop: EngineDomainWorld;
let forgetful: Deps;
let lost: string[];
/** What happens between the lost response and the second attempt. */
let meanwhile: () => Promise<unknown>;
let user: string;
beforeAll(async () => {
  shop = await openEngineDomainWorld();
});
afterAll(() => shop.localTable.stop());

/**
 * Every write succeeds, its response is lost, and the same request is sent again, as after a
 * timeout.
 */
beforeEach(async () => {
  const { endpoint, tableName } = shop.localTable;
  lost = [];
  meanwhile = async () => {};
  const client = wrapCalls(localDynamoDb(endpoint), async (operation, send) => {
    if (operation === 'UpdateItem' || operation === 'TransactWriteItems') {
      await send().catch(() => {});
      lost.push(operation);
      await meanwhile();
    }
    return send();
  });
  forgetful = shop.withTable(awsTable({ client, tableName }));
  user = await shop.user();
});

const open = async (deps: Deps, body = installation()) => {
  const asked = { userId: user, idempotencyKey: randomUUID(), body, origin: 'x' };
  return (await openSession(deps, shop.caller, asked)).bootstrap;
};
const dead = { code: 'invalid_token' };

test('an exchanged client token returns its credentials and is used up', async () => {
  const { client_token, session_id } = await open(shop.deps);
  const pair = await exchangeToken(forgetful, { client_token });
  expect(lost).toEqual(['UpdateItem']);
  expect(pair.session_id).toBe(session_id);
  expect((await refreshCredentials(shop.deps, pair.refresh_token)).session_id).toBe(session_id);
  await expect(exchangeToken(shop.deps, { client_token })).rejects.toMatchObject(dead);
});

test('an exchanged mobile token opens one session and is used up', async () => {
  const { token } = await issueMobileToken(shop.deps, shop.caller, { userId: user });
  const pair = await exchangeToken(forgetful, { client_token: token });
  expect(lost).toEqual(['TransactWriteItems']);
  expect((await sdkSessionRows(shop.deps.store).listByUser(user)).map(({ id }) => id)).toEqual([pair.session_id]);
  expect((await refreshCredentials(shop.deps, pair.refresh_token)).session_id).toBe(pair.session_id);
  await expect(exchangeToken(shop.deps, { client_token: token })).rejects.toMatchObject(dead);
});

test('a refresh returns the next pair, and the phone can still repeat it once', async () => {
  const first = await exchangeToken(shop.deps, { client_token: (await open(shop.deps)).client_token });
  const second = await refreshCredentials(forgetful, first.refresh_token);
  expect(lost).toEqual(['UpdateItem']);
  expect(await refreshCredentials(shop.deps, first.refresh_token)).toEqual(second);
  expect((await refreshCredentials(shop.deps, second.refresh_token)).session_id).toBe(first.session_id);
});

test('the previous refresh token is still accepted once more', async () => {
  const first = await exchangeToken(shop.deps, { client_token: (await open(shop.deps)).client_token });
  const second = await refreshCredentials(shop.deps, first.refresh_token);
  expect(await refreshCredentials(forgetful, first.refresh_token)).toEqual(second);
  expect((await refreshCredentials(shop.deps, second.refresh_token)).session_id).toBe(first.session_id);
});

test('an opened session and a recovered one return a client token that works', async () => {
  const body = installation();
  const opened = await open(forgetful, body);
  const recovered = await open(forgetful, body);
  expect(lost).toEqual(['TransactWriteItems', 'TransactWriteItems']);
  expect(recovered.session_id).toBe(opened.session_id);
  await expect(exchangeToken(shop.deps, { client_token: opened.client_token })).rejects.toMatchObject(dead);
  const pair = await exchangeToken(shop.deps, { client_token: recovered.client_token });
  expect(pair.session_id).toBe(opened.session_id);
});

test('a concurrent exchange by another caller is not mistaken for its own', async () => {
  const { client_token } = await open(shop.deps);
  const told = await Promise.allSettled(Array.from({ length: 8 }, () => exchangeToken(forgetful, { client_token })));
  expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test.each([
  ['its backend', async (body: SdkSessionRequest) => (await open(shop.deps, body)).client_token],
  [
    'a mobile token',
    async (body: SdkSessionRequest) => {
      const { token } = await issueMobileToken(shop.deps, shop.caller, { userId: user });
      await exchangeToken(shop.deps, { ...body, client_token: token });
      return undefined;
    },
  ],
])('a phone whose session is recovered by %s before the second attempt is rejected', async (_who, recover) => {
  const body = installation();
  const { client_token } = await open(shop.deps, body);
  let next: string | undefined;
  meanwhile = async () => {
    next = await recover(body);
  };
  await expect(exchangeToken(forgetful, { client_token })).rejects.toMatchObject(dead);
  if (next !== undefined) await exchangeToken(shop.deps, { client_token: next });
});
