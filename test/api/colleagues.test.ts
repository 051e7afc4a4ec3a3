// Colleagues and API keys, as the console manages them.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewAccount } from '../../shared/accounts/accounts.ts';
import {
  addColleague,
  asBrowser,
  linkSecretFor,
  type SignedIn,
  signIn,
  signInWith,
} from '../harness/console-session.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;
let owner: SignedIn;

beforeAll(async () => {
  system = await sharedSystem();
});
beforeEach(async () => {
  system.clock.advance(500);
  account = await system.account();
  owner = await signIn(system, account, 'owner');
});

const call = (method: string, path: string, { headers }: SignedIn, body?: object) =>
  system.call(method, `/console/api${path}`, { headers, ...(body ? { body } : {}) });
const refused = async (...request: Parameters<typeof call>) => {
  const { status, body } = await call(...request);
  return [status, body?.error];
};

describe('an invitation', () => {
  test('adds a colleague, who signs in with the link of the mail', async () => {
    const email = `new-${account.account_id}@example.com`;
    const invited = await call('POST', '/colleagues', owner, { email, name: 'Alex Kim', role: 'support' });
    expect([invited.status, invited.body]).toMatchObject([201, { link: null, colleague: { email, joined_at: null } }]);
    await system.settle();
    const [message] = system.host.mailbox.messages().filter(({ to }) => to === email);
    const [, secret = ''] = /\/console\/sign-in#([\w-]+)/.exec(message?.text ?? '') ?? [];
    const { cookie } = await signInWith(system, secret);
    const { body } = await system.call('GET', '/console/api/me', { headers: asBrowser(cookie) });
    expect(body.colleague).toMatchObject({ email, name: 'Alex Kim', role: 'support' });
    const list = await call('GET', '/colleagues', owner);
    expect(
      list.body.data.map((each: { role: string; joined_at: string }) => [each.role, each.joined_at !== null]),
    ).toEqual([
      ['owner', true],
      ['support', true],
    ]);
  });

  test('is not sent twice, in any spelling of the address', async () => {
    const email = owner.colleague.email.toUpperCase();
    const again = await call('POST', '/colleagues', owner, { email, role: 'support' });
    expect([again.status, again.body.error, again.body.details]).toEqual([
      409,
      'already_colleague',
      { colleague_id: owner.colleague.id },
    ]);
  });
});

describe('a role', () => {
  test('holds from the next request on', async () => {
    const developer = await signIn(system, account, 'developer');
    const user = await system.user(account.live_key);
    const read = async () =>
      (await system.call('GET', `/v1/users/${user}/daily`, { headers: developer.headers })).status;
    expect(await read()).toBe(200);
    const path = `/colleagues/${developer.colleague.id}`;
    expect((await call('PATCH', path, owner, { role: 'support' })).body.role).toBe('support');
    expect(await read()).toBe(403);
    await call('PATCH', path, owner, { role: 'developer' });
    expect(await read()).toBe(200);
  });

  test('of the last owner stays, also when two owners leave at the same moment', async () => {
    const path = `/colleagues/${owner.colleague.id}`;
    expect(await refused('PATCH', path, owner, { role: 'support' })).toEqual([409, 'last_owner']);
    expect(await refused('DELETE', path, owner)).toEqual([409, 'last_owner']);
    const second = await signIn(system, account, 'owner');
    const answers = await Promise.all([
      call('DELETE', path, owner),
      call('PATCH', `/colleagues/${second.colleague.id}`, second, { role: 'support' }),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status === 409)).toHaveLength(1);
    expect(answers.map(({ status }) => status).filter((status) => status < 300)).toHaveLength(1);
  });
});

describe('a colleague', () => {
  test('who was removed has no session and no way back', async () => {
    const support = await signIn(system, account, 'support');
    const secret = await linkSecretFor(system, support.colleague);
    expect((await call('DELETE', `/colleagues/${support.colleague.id}`, owner)).status).toBe(204);
    expect(await refused('GET', '/me', support)).toEqual([401, 'invalid_token']);
    expect((await signInWith(system, secret)).response.status).toBe(401);
    expect((await call('POST', '/colleagues', owner, { email: support.colleague.email, role: 'support' })).status).toBe(
      201,
    );
  });

  test('of another account does not exist', async () => {
    const foreign = await addColleague(system, await system.account(), 'support');
    const path = `/colleagues/${foreign.id}`;
    const missing = await call('DELETE', '/colleagues/col_0', owner);
    expect(missing.status).toBe(404);
    expect(await refused('DELETE', path, owner)).toEqual([404, 'not_found']);
    expect(await refused('PATCH', path, owner, { role: 'owner' })).toEqual([404, 'not_found']);
    expect(await refused('POST', `${path}/link`, owner)).toEqual([404, 'not_found']);
  });

  test('who gets a link from an owner loses every session and earlier link', async () => {
    const support = await signIn(system, account, 'support');
    const earlier = await linkSecretFor(system, support.colleague);
    const { status, body } = await call('POST', `/colleagues/${support.colleague.id}/link`, owner);
    expect(status).toBe(201);
    expect(await refused('GET', '/me', support)).toEqual([401, 'invalid_token']);
    expect((await signInWith(system, earlier)).response.status).toBe(401);
    expect((await signInWith(system, new URL(body.url).hash.slice(1))).response.status).toBe(201);
  });
});

describe('API keys', () => {
  test('are replaced with an overlap, and shown once', async () => {
    const { status, body } = await call('POST', '/keys', owner, { environment: 'live', overlap_hours: 24 });
    expect(status).toBe(201);
    expect(body.previous_key_ends_at).not.toBeNull();
    for (const token of [account.live_key, body.key])
      expect((await system.call('GET', '/v1/users', { token })).status).toBe(200);
    const list = await call('GET', '/keys', owner);
    expect(list.text).not.toContain(body.key);
    expect(
      list.body.data.map((key: { environment: string; status: string; last_used_at: string }) => [
        key.environment,
        key.status,
        key.last_used_at !== null,
      ]),
    ).toEqual([
      ['live', 'active', true],
      ['sandbox', 'active', false],
      ['live', 'ending', true],
    ]);
    expect((await call('DELETE', '/keys/live', owner)).status).toBe(204);
    expect((await system.call('GET', '/v1/users', { token: body.key })).status).toBe(401);
  });

  test('of the sandbox alone are a developer’s, and none are support’s', async () => {
    const developer = await signIn(system, account, 'developer');
    const support = await signIn(system, account, 'support');
    expect((await call('POST', '/keys', developer, { environment: 'sandbox' })).status).toBe(201);
    expect(await refused('POST', '/keys', developer, { environment: 'live' })).toEqual([403, 'insufficient_scope']);
    expect(await refused('DELETE', '/keys/live', developer)).toEqual([403, 'insufficient_scope']);
    const { body } = await call('GET', '/keys', developer);
    expect(new Set(body.data.map(({ environment }: { environment: string }) => environment))).toEqual(
      new Set(['sandbox']),
    );
    expect(await refused('GET', '/keys', support)).toEqual([403, 'insufficient_scope']);
    expect(await refused('GET', '/colleagues', developer)).toEqual([403, 'insufficient_scope']);
  });
});
