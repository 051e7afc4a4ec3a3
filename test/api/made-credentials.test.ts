// What a colleague made for users, over HTTP: which routes record it, who may list it, and that it is
// refused at once.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { consoleContract, contract } from '../../functions/api/reference/contract.ts';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import { type MadeCredentialKind, madeCredentialRows } from '../../shared/system/made-credential-rows.ts';
import { type SignedIn, signIn } from '../harness/console-session.ts';
import { exchange, installation } from '../harness/sdk.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { pathOf, samples } from './samples.ts';

let system: System;
let account: NewAccount;
let user: string;
let owner: SignedIn;
let maker: SignedIn;
beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  user = await system.user(account.live_key);
});
beforeEach(async () => {
  system.clock.advance(1_000);
  owner = await signIn(system, account);
  maker = await signIn(system, account, 'developer');
});

const send = async (method: string, path: string, by: SignedIn, body?: object, headers: object = {}) =>
  system.call(method, path, { ...(body ? { body } : {}), headers: { ...by.headers, ...headers } });
const pathOfMaker = () => `/console/api/colleagues/${maker.colleague.id}`;

async function makeBoth() {
  const token = (await send('POST', '/v1/auth/user-token', maker, { user_id: user })).body.token;
  const key = { 'idempotency-key': crypto.randomUUID() };
  const opened = await send('POST', `/v1/users/${user}/sdk-sessions`, maker, installation(), key);
  const phone = (await exchange(system, opened.body.client_token)).body;
  const read = async () => (await system.call('GET', `/v1/users/${user}/devices`, { token })).status;
  const leave = async () =>
    (await system.call('DELETE', '/v1/sdk/sessions/current', { token: phone.access_token })).status;
  return { read, leave, sessionId: phone.session_id };
}

test.each([
  ['removal', (query: string) => send('DELETE', `${pathOfMaker()}${query}`, owner)],
  ['demotion', (query: string) => send('PATCH', `${pathOfMaker()}${query}`, owner, { role: 'support' })],
  ['reset', (query: string) => send('POST', `${pathOfMaker()}/link${query}`, owner)],
])(
  'after a %s the very next request with a credential of the colleague is refused, unless it is kept',
  async (_name, end) => {
    const ended = await makeBoth();
    expect(await ended.read()).toBe(200);
    expect((await end('')).status).toBeLessThan(300);
    expect([await ended.read(), await ended.leave()]).toEqual([401, 401]);
    maker = await signIn(system, account, 'developer');
    const kept = await makeBoth();
    expect((await end('?credentials=keep')).status).toBeLessThan(300);
    expect([await kept.read(), await kept.leave()]).toEqual([200, 204]);
  },
);

test('owners list what a colleague made before they end it, and nobody else does', async () => {
  const { sessionId } = await makeBoth();
  const { status, body } = await send('GET', `${pathOfMaker()}/credentials`, owner);
  expect([status, body]).toEqual([
    200,
    {
      credentials: ['sdk_session', 'user_token'].map((kind) => ({
        kind,
        environment: 'live',
        count: 1,
        last_expires_at: expect.any(String),
      })),
      to_rotate: [],
    },
  ]);
  const unchanged = await send('GET', `${pathOfMaker()}/credentials?new_role=owner`, owner);
  expect(unchanged.body).toEqual({ credentials: [], to_rotate: [] });
  expect((await send('GET', `${pathOfMaker()}/credentials`, maker)).status).toBe(403);
  const stranger = await signIn(system, await system.account());
  expect((await send('GET', `${pathOfMaker()}/credentials`, stranger)).status).toBe(404);
  await send('DELETE', pathOfMaker(), owner);
  const trail = await send('GET', `/v1/audit?actor=${owner.colleague.id}&action=sdk_session.ended`, owner);
  expect(trail.body.data).toMatchObject([{ outcome: 'done', resource_ids: [maker.colleague.id, sessionId] }]);
});

/** Reviewed by hand: what each route that hands out credentials records, or why nothing. */
const recorded: Readonly<Record<string, MadeCredentialKind | { nothing: string }>> = {
  createConnectLink: 'connect_link',
  issueUserToken: 'user_token',
  refreshUserToken: 'user_token',
  issueMobileToken: 'mobile_token',
  openSdkSession: 'sdk_session',
  connectDevice: { nothing: 'the consent that waits names its colleague, and lasts 15 minutes' },
  inviteMember: { nothing: 'the team sees and revokes it; the link after joining acts for the API key' },
  resendInvitation: { nothing: 'the team sees and revokes it; the link after joining acts for the API key' },
  registerWebhook: { nothing: 'a secret keeps working, and is listed to be replaced' },
  updateWebhook: { nothing: 'it hands out nothing; it decides where events are sent' },
  rotateWebhookSecret: { nothing: 'a secret keeps working, and is listed to be replaced' },
};

describe('a route that hands out credentials', () => {
  const routes = [...contract, ...consoleContract].filter(
    ({ changes, callers }) => changes === 'credentials' && callers.some(({ name }) => name === 'colleague'),
  );

  test('is in the list of what is recorded', () => {
    expect(routes.map(({ route }) => route.operationId).sort()).toEqual(Object.keys(recorded).sort());
  });

  test.each(routes.map(({ route }) => [route.operationId, route] as const))(
    'records what a colleague made: %s',
    async (operationId, route) => {
      const sample = await samples[operationId]?.({ system, token: account.live_key, userId: user });
      if (!sample) throw new Error(`${operationId} has no sample`);
      const path = pathOf(route.path, sample.params);
      const body = sample.body === undefined ? undefined : Object(sample.body);
      const response = await send(route.method.toUpperCase(), path, maker, body, sample.headers);
      expect(response.status).toBe(sample.status);
      const rows = await madeCredentialRows(system.host.deps.store).list(maker.colleague.id);
      const expected = recorded[operationId];
      expect(rows.map(({ kind }) => kind)).toEqual(typeof expected === 'string' ? [expected] : []);
    },
  );
});
