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

let world: EngineDomainWorld;
let lossyDeps: Deps;
let lost: string[];
/** What happens between the lost response and the second attempt. */
let meanwhile: () => Promise<unknown>;
let user: string;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

/**
 * Every write succeeds, its response is lost, and the same request is sent again, as after a
 * timeout.
 */
beforeEach(async () => {
  const { endpoint, tableName } = world.localTable;
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
  lossyDeps = world.withTable(awsTable({ client, tableName }));
  user = await world.user();
});

const open = async (deps: Deps, body = installation()) => {
  const request = { userId: user, idempotencyKey: randomUUID(), body, origin: 'x' };
  return (await openSession(deps, world.caller, request)).bootstrap;
};
const invalidToken = { code: 'invalid_token' };

test('an exchanged client token returns its credentials and is used up', async () => {
  const { client_token, session_id } = await open(world.deps);
  const pair = await exchangeToken(lossyDeps, { client_token });
  expect(lost).toEqual(['UpdateItem']);
  expect(pair.session_id).toBe(session_id);
  expect((await refreshCredentials(world.deps, pair.refresh_token)).session_id).toBe(session_id);
  await expect(exchangeToken(world.deps, { client_token })).rejects.toMatchObject(invalidToken);
});

test('an exchanged mobile token opens one session and is used up', async () => {
  const { token } = await issueMobileToken(world.deps, world.caller, { userId: user });
  const pair = await exchangeToken(lossyDeps, { client_token: token });
  expect(lost).toEqual(['TransactWriteItems']);
  expect((await sdkSessionRows(world.deps.store).listByUser(user)).map(({ id }) => id)).toEqual([pair.session_id]);
  expect((await refreshCredentials(world.deps, pair.refresh_token)).session_id).toBe(pair.session_id);
  await expect(exchangeToken(world.deps, { client_token: token })).rejects.toMatchObject(invalidToken);
});

test('a refresh returns the next pair, and the phone can still repeat it once', async () => {
  const first = await exchangeToken(world.deps, { client_token: (await open(world.deps)).client_token });
  const second = await refreshCredentials(lossyDeps, first.refresh_token);
  expect(lost).toEqual(['UpdateItem']);
  expect(await refreshCredentials(world.deps, first.refresh_token)).toEqual(second);
  expect((await refreshCredentials(world.deps, second.refresh_token)).session_id).toBe(first.session_id);
});

test('the previous refresh token is still accepted once more', async () => {
  const first = await exchangeToken(world.deps, { client_token: (await open(world.deps)).client_token });
  const second = await refreshCredentials(world.deps, first.refresh_token);
  expect(await refreshCredentials(lossyDeps, first.refresh_token)).toEqual(second);
  expect((await refreshCredentials(world.deps, second.refresh_token)).session_id).toBe(first.session_id);
});

test('an opened session and a recovered one return a client token that works', async () => {
  const body = installation();
  const opened = await open(lossyDeps, body);
  const recovered = await open(lossyDeps, body);
  expect(lost).toEqual(['TransactWriteItems', 'TransactWriteItems']);
  expect(recovered.session_id).toBe(opened.session_id);
  await expect(exchangeToken(world.deps, { client_token: opened.client_token })).rejects.toMatchObject(invalidToken);
  const pair = await exchangeToken(world.deps, { client_token: recovered.client_token });
  expect(pair.session_id).toBe(opened.session_id);
});

test('a concurrent exchange by another caller is not mistaken for its own', async () => {
  const { client_token } = await open(world.deps);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => exchangeToken(lossyDeps, { client_token })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test.each([
  ['its backend', async (body: SdkSessionRequest) => (await open(world.deps, body)).client_token],
  [
    'a mobile token',
    async (body: SdkSessionRequest) => {
      const { token } = await issueMobileToken(world.deps, world.caller, { userId: user });
      await exchangeToken(world.deps, { ...body, client_token: token });
      return undefined;
    },
  ],
])('a phone whose session is recovered by %s before the second attempt is rejected', async (_who, recover) => {
  const body = installation();
  const { client_token } = await open(world.deps, body);
  let next: string | undefined;
  meanwhile = async () => {
    next = await recover(body);
  };
  await expect(exchangeToken(lossyDeps, { client_token })).rejects.toMatchObject(invalidToken);
  if (next !== undefined) await exchangeToken(world.deps, { client_token: next });
});
