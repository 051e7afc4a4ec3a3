// What colleagues leave in the audit trail, and which roles read it.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { colleague as colleagueKind } from '../../functions/api/callers/colleague.ts';
import { contract } from '../../functions/api/reference/contract.ts';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import type { AuditEntry } from '../../shared/audit/audit-entry.ts';
import { type SignedIn, signIn } from '../harness/console-session.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { pathOf, samples } from './samples.ts';

let system: System;
let account: NewAccount;
let user: string;
let owner: SignedIn;
beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
  user = await system.user(account.live_key);
  owner = await signIn(system, account);
});
beforeEach(() => system.clock.advance(1_000));

const list = async (query = '', headers = owner.headers): Promise<AuditEntry[]> => {
  const response = await system.call('GET', `/v1/audit?limit=200&actor=colleague${query}`, { headers });
  expect(response.status).toBe(200);
  return response.body.data;
};

const acts = contract
  .filter(({ callers, audits }) => callers.includes(colleagueKind) && audits && audits !== 'user.looked_at')
  .map((endpoint) => ({ name: endpoint.route.operationId, endpoint }));

describe.each(acts)('$name', ({ endpoint: { route, audits } }) => {
  test('leaves exactly one entry with what it was about', async () => {
    const sample = await samples[route.operationId]?.({ system, token: account.live_key, userId: user });
    const before = await list(`&action=${audits}`);
    const response = await system.call(
      route.method.toUpperCase(),
      pathOf(route.path, sample?.params) + (sample?.query ?? ''),
      {
        ...(sample?.body === undefined ? {} : { body: sample.body }),
        headers: { ...sample?.headers, ...owner.headers },
      },
    );
    expect(response.status).toBe(sample?.status);
    const after = await list(`&action=${audits}`);
    expect(after.slice(1)).toEqual(before);
    const { id, email } = owner.colleague;
    expect(after[0]).toMatchObject({
      actor: { kind: 'colleague', id, email },
      action: audits,
      outcome: 'done',
      code: null,
      request_id: response.headers.get('x-request-id'),
    });
    expect([after[0]?.user_id, ...(after[0]?.resource_ids ?? [])].filter(Boolean).length).toBeGreaterThan(0);
  });
});

test('there are acts of colleagues to test', () => expect(acts.length).toBeGreaterThan(20));

test('signing in, signing out and revoking a session are recorded with the session', async () => {
  const other = await signIn(system, account, 'developer');
  const me = await system.call('GET', '/console/api/me', { headers: other.headers });
  expect((await system.call('DELETE', '/console/api/session', { headers: other.headers })).status).toBe(204);
  const own = (await list()).filter(({ actor }) => actor.id === other.colleague.id);
  expect(own.map(({ action, environment, outcome }) => [action, environment, outcome])).toEqual([
    ['session.ended', null, 'done'],
    ['session.created', null, 'done'],
  ]);
  expect(own[1]).toMatchObject({ resource_ids: [me.body.session.id], network: expect.stringMatching(/\/(24|48)$/) });
});

describe('a look at a user', () => {
  const looksOf = async (who: SignedIn) =>
    (await list('&action=user.looked_at')).filter(({ actor }) => actor.id === who.colleague.id);

  test('is one entry an hour, whatever was read and in which function', async () => {
    const developer = await signIn(system, account, 'developer');
    const read = (path: string) => system.call('GET', `/v1/users/${user}${path}`, { headers: developer.headers });
    const responses = await Promise.all([read(''), read(''), read('/devices'), read('/scores'), read('/daily')]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await looksOf(developer)).toMatchObject([{ user_id: user, outcome: 'done', environment: 'live' }]);
    system.clock.advance(3_600_000);
    await read('');
    expect(await looksOf(developer)).toHaveLength(2);
  });

  test('by support is recorded, a missing user and a list are no looks', async () => {
    const support = await signIn(system, account, 'support');
    const { headers } = support;
    const missing = await system.call('GET', '/v1/users/usr_01k9p3w0b1c3e5g7j9m1p3r5t7/devices', { headers });
    await system.call('GET', '/v1/users', { headers });
    expect([missing.status, await looksOf(support)]).toEqual([404, []]);
    expect((await system.call('GET', `/v1/users/${user}/devices`, { headers })).status).toBe(200);
    expect(await looksOf(support)).toHaveLength(1);
  });
});

describe('the trail', () => {
  test.each([
    ['owner', 200],
    ['developer', 200],
    ['support', 403],
  ] as const)('answers a colleague in the role %s with %i', async (role, status) => {
    const { headers } = await signIn(system, account, role);
    const response = await system.call('GET', '/v1/audit', { headers });
    expect([response.status, response.body.error]).toEqual([status, status === 403 ? 'insufficient_scope' : undefined]);
  });

  test('of another account is not visible to its colleagues', async () => {
    const foreign = await signIn(system, await system.account());
    const entries = await list('', foreign.headers);
    expect(entries.map(({ actor }) => actor.id)).toEqual([foreign.colleague.id]);
  });
});
