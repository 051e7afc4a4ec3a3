// Signing in to the console with links, and what a session's cookie is worth without the rest of the
// request.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type NewAccount, setAccountStatus } from '../../shared/accounts/accounts.ts';
import { addColleague, asBrowser, linkSecretFor, ownPage, signIn, signInWith } from '../harness/console-session.ts';
import { sharedSystem, timeTravelSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
let account: NewAccount;

beforeAll(async () => {
  system = await sharedSystem();
  account = await system.account();
});
beforeEach(() => system.clock.advance(100));

const refused = async (response: Promise<{ status: number; body: { error: string } }>) => {
  const { status, body } = await response;
  return [status, body.error];
};

describe('a sign-in link', () => {
  test('begins a session whose cookie only the console’s own host gets, and no script reads', async () => {
    const colleague = await addColleague(system, account, 'owner');
    const { response, cookie } = await signInWith(system, await linkSecretFor(system, colleague));
    expect(response.status).toBe(201);
    const { port } = new URL(system.host.baseUrl);
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        new RegExp(`^daybook_${port}=[\\w-]{51}; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict$`),
      ),
    ]);
    const me = await system.call('GET', '/console/api/me', { headers: asBrowser(cookie) });
    expect(me.status).toBe(200);
    expect(me.body).toMatchObject({
      colleague: { id: colleague.id, email: colleague.email, name: null, role: 'owner' },
      account: { id: account.account_id, name: 'a test', form: 2, requests_per_second: 100, burst: 200 },
      environments: ['live', 'sandbox'],
      deployment: 'local',
      mail: true,
    });
    expect(me.headers.get('cache-control')).toBe('private, no-store');
  });

  test('works once', async () => {
    const secret = await linkSecretFor(system, await addColleague(system, account, 'owner'));
    expect((await signInWith(system, secret)).response.status).toBe(201);
    const { response, cookie } = await signInWith(system, secret);
    expect([response.status, response.body.error, cookie]).toEqual([401, 'invalid_token', '']);
  });

  test('begins one session when two browsers use it at the same moment', async () => {
    const secret = await linkSecretFor(system, await addColleague(system, account, 'owner'));
    const answers = await Promise.all(Array.from({ length: 4 }, () => signInWith(system, secret)));
    expect(answers.map(({ response }) => response.status).sort()).toEqual([201, 401, 401, 401]);
  });

  test('ends after ten minutes, although its row may still be there', async () => {
    const later = await timeTravelSystem();
    const colleague = await addColleague(later, await later.account(), 'owner');
    const [early, late] = [await linkSecretFor(later, colleague), await linkSecretFor(later, colleague)];
    later.clock.advance(9 * 60_000 + 30_000);
    expect((await signInWith(later, early)).response.status).toBe(201);
    later.clock.advance(60_000);
    expect(await refused(signInWith(later, late).then(({ response }) => response))).toEqual([401, 'invalid_token']);
  });

  test('is not accepted when invented, from another page, or of a colleague who was removed', async () => {
    const colleague = await addColleague(system, account, 'developer');
    const secret = await linkSecretFor(system, colleague);
    const call = (sent: string, headers: Record<string, string>) =>
      refused(system.call('POST', '/console/api/sign-in/sessions', { body: { secret: sent }, headers }));
    expect(await call('x'.repeat(51), ownPage)).toEqual([401, 'invalid_token']);
    expect(await call(secret, {})).toEqual([401, 'unauthorized']);
    expect(await call(secret, { 'sec-fetch-site': 'same-site' })).toEqual([401, 'unauthorized']);
    expect(await call(secret, { origin: 'https://evil.example' })).toEqual([401, 'unauthorized']);
    expect((await signInWith(system, secret)).response.status).toBe(201);
  });
});

describe('whose link it is', () => {
  const describeLink = (secret: string, headers: Record<string, string> = ownPage) =>
    system.call('POST', '/console/api/sign-in/links/description', { body: { secret }, headers });

  test('costs three reads of single rows, and none for an invented link', async () => {
    const colleague = await addColleague(system, account, 'owner');
    const secret = await linkSecretFor(system, colleague);
    await describeLink(secret);
    system.calls.length = 0;
    const { status, body, headers } = await describeLink(secret);
    expect([status, body]).toEqual([
      200,
      { account: { id: account.account_id, name: 'a test' }, email: colleague.email.replace(/^(.)[^@]*/, '$1***') },
    ]);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.getSetCookie()).toEqual([]);
    expect(system.calls.map(({ operation }) => operation)).toEqual(['GetItem', 'GetItem', 'GetItem']);
    system.calls.length = 0;
    expect(await refused(describeLink('x'.repeat(51)))).toEqual([401, 'invalid_token']);
    expect(system.calls).toEqual([]);
    expect((await signInWith(system, secret)).response.status).toBe(201);
    expect(await refused(describeLink(secret))).toEqual([401, 'invalid_token']);
  });

  test('is said to our own page only', async () => {
    const secret = await linkSecretFor(system, await addColleague(system, account, 'owner'));
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
      expect(await refused(describeLink(secret, headers))).toEqual([401, 'unauthorized']);
  });
});

describe('a session', () => {
  test('is a new one with every sign-in, and never the one that a browser brought along', async () => {
    const victim = await addColleague(system, account, 'support');
    const attacker = await signIn(system, account, 'support');
    const secret = await linkSecretFor(system, victim);
    const { cookie } = await signInWith(system, secret, { cookie: attacker.cookie });
    expect(cookie).not.toBe(attacker.cookie);
    const as = async (headers: Record<string, string>) =>
      (await system.call('GET', '/console/api/me', { headers })).body.colleague.id;
    expect(await as(asBrowser(cookie))).toBe(victim.id);
    expect(await as(attacker.headers)).toBe(attacker.colleague.id);
  });

  test('ends when the same colleague signs in again in the same browser', async () => {
    const { colleague, cookie: first, headers } = await signIn(system, account, 'developer');
    const { cookie } = await signInWith(system, await linkSecretFor(system, colleague), { cookie: first });
    expect(await refused(system.call('GET', '/console/api/me', { headers }))).toEqual([401, 'invalid_token']);
    const { body } = await system.call('GET', '/console/api/sessions', { headers: asBrowser(cookie) });
    expect(body.data).toEqual([
      expect.objectContaining({ colleague_id: colleague.id, method: 'link', is_current: true }),
    ]);
  });

  test.each([
    ['without the header Daybook-Environment', { 'daybook-environment': undefined }],
    ['with an unknown environment', { 'daybook-environment': 'production' }],
    ['without a word on where it comes from', { 'sec-fetch-site': undefined }],
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another port or subdomain', { 'sec-fetch-site': 'same-site' }],
    ['opened from the address bar', { 'sec-fetch-site': 'none' }],
    ['from another origin', { 'sec-fetch-site': undefined, origin: 'http://localhost:1' }],
    ['from another origin that claims to be our own', { origin: 'http://localhost:1' }],
  ])('is worth nothing %s', async (_how, change) => {
    const { headers } = await signIn(system, account, 'owner');
    const sent = Object.fromEntries(
      Object.entries({ ...headers, ...change }).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
    for (const path of ['/v1/users', '/console/api/me'])
      expect(await refused(system.call('GET', path, { headers: sent }))).toEqual([401, 'unauthorized']);
  });

  test('counts from our own origin where a browser does not send Sec-Fetch-Site', async () => {
    const { cookie } = await signIn(system, account, 'owner');
    const headers = { cookie, origin: system.host.baseUrl, 'daybook-environment': 'live' };
    expect((await system.call('GET', '/v1/users', { headers })).status).toBe(200);
  });

  test('counts for nothing beside an Authorization header', async () => {
    const { headers } = await signIn(system, account, 'owner');
    const other = await system.account();
    const own = await system.user(other.live_key);
    const { body } = await system.call('GET', '/v1/users', { headers, token: other.live_key });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([own]);
    expect(await refused(system.call('GET', '/v1/users', { headers, token: 'sk_live_x' }))).toEqual([
      401,
      'invalid_token',
    ]);
    for (const token of [other.live_key, 'x'])
      expect(await refused(system.call('GET', '/console/api/me', { headers, token }))).toEqual([401, 'invalid_token']);
  });

  test('is refused together with a second cookie of its name, which another port of localhost can set', async () => {
    const [own, planted] = [await signIn(system, account), await signIn(system, await system.account())];
    for (const cookie of [`${planted.cookie}; ${own.cookie}`, `${own.cookie}; ${planted.cookie}`]) {
      const headers = { ...own.headers, cookie };
      for (const path of ['/v1/users', '/console/api/me'])
        expect(await refused(system.call('GET', path, { headers }))).toEqual([401, 'unauthorized']);
    }
    const secret = await linkSecretFor(system, own.colleague);
    const { response } = await signInWith(system, secret, { cookie: `${planted.cookie}; ${own.cookie}` });
    expect([response.status, response.body.message]).toEqual([401, expect.stringContaining('Delete the cookies')]);
    expect((await signInWith(system, secret)).response.status).toBe(201);
  });

  test('reads the environment of its header, and nothing of another account', async () => {
    const { cookie } = await signIn(system, account, 'owner');
    const user = await system.user(account.live_key);
    const foreign = await system.user((await system.account()).live_key);
    const status = async (id: string, env: 'live' | 'sandbox') =>
      (await system.call('GET', `/v1/users/${id}`, { headers: asBrowser(cookie, env) })).status;
    expect(await Promise.all([status(user, 'live'), status(user, 'sandbox'), status(foreign, 'live')])).toEqual([
      200, 404, 404,
    ]);
  });

  test('never lets a response be stored, with a tag or without', async () => {
    const { headers } = await signIn(system, account, 'owner');
    const first = await system.call('GET', '/v1/users', { headers });
    const etag = first.headers.get('etag') ?? '';
    const again = await system.call('GET', '/v1/users', { headers: { ...headers, 'if-none-match': etag } });
    const missing = await system.call('GET', '/v1/users/nobody', { headers });
    expect([first.status, again.status, missing.status]).toEqual([200, 304, 404]);
    for (const response of [first, again, missing])
      expect(response.headers.get('cache-control')).toBe('private, no-store');
    const withKey = await system.call('GET', '/v1/users', { token: account.live_key });
    expect(withKey.headers.get('cache-control')).toBe('no-store');
  });

  test('ends after 12 hours, although its row may still be there', async () => {
    const later = await timeTravelSystem();
    const { headers } = await signIn(later, await later.account(), 'owner');
    later.clock.advance(12 * 3_600_000 - 60_000);
    expect((await later.call('GET', '/console/api/me', { headers })).status).toBe(200);
    later.clock.advance(60_000);
    expect(await refused(later.call('GET', '/console/api/me', { headers }))).toEqual([401, 'token_expired']);
  });

  test('ends with signing out, and with an owner who ends it, at once', async () => {
    const [owner, support] = [await signIn(system, account, 'owner'), await signIn(system, account, 'support')];
    const { body } = await system.call('GET', '/console/api/me', { headers: support.headers });
    const path = `/console/api/sessions/${body.session.id}`;
    const stranger = await signIn(system, await system.account(), 'owner');
    for (const { headers } of [await signIn(system, account, 'developer'), stranger])
      expect(await refused(system.call('DELETE', path, { headers }))).toEqual([404, 'not_found']);
    expect((await system.call('DELETE', path, { headers: owner.headers })).status).toBe(204);
    const me = (headers: Record<string, string>) => refused(system.call('GET', '/console/api/me', { headers }));
    expect(await me(support.headers)).toEqual([401, 'invalid_token']);
    const out = await system.call('DELETE', '/console/api/session', { headers: owner.headers });
    expect([out.status, out.headers.getSetCookie()[0]]).toEqual([
      204,
      expect.stringMatching(/=; Path=\/; Max-Age=0; /),
    ]);
    expect(await me(owner.headers)).toEqual([401, 'invalid_token']);
  });

  test('is the oldest of six no longer', async () => {
    const { colleague, headers } = await signIn(system, account, 'support');
    for (let count = 0; count < 5; count++) await signInWith(system, await linkSecretFor(system, colleague));
    expect(await refused(system.call('GET', '/console/api/me', { headers }))).toEqual([401, 'invalid_token']);
  });

  test('of a suspended account gets what its keys get', async () => {
    const suspended = await system.account();
    const { headers } = await signIn(system, suspended, 'owner');
    await setAccountStatus(system.host.deps, suspended.account_id, 'suspended');
    expect(await refused(system.call('GET', '/v1/users', { headers }))).toEqual([402, 'payment_required']);
    expect((await system.call('GET', '/console/api/me', { headers })).status).toBe(200);
    await setAccountStatus(system.host.deps, suspended.account_id, 'active');
    expect((await system.call('GET', '/v1/users', { headers })).status).toBe(200);
  });

  test('has a bucket of its own', async () => {
    const { headers } = await signIn(system, account, 'owner');
    const { headers: received } = await system.call('GET', '/console/api/me', { headers });
    expect(received.get('ratelimit-policy')).toBe('"default";q=100;w=10');
  });

  test('costs one write and one read of the account, besides what the endpoint reads', async () => {
    const { headers } = await signIn(system, account, 'owner');
    await system.call('GET', '/v1/metrics', { headers });
    system.calls.length = 0;
    await system.call('GET', '/v1/metrics', { headers });
    expect(system.calls.map(({ operation }) => operation).sort()).toEqual(['GetItem', 'UpdateItem']);
  });
});

describe('a link by mail', () => {
  const request = (email: string) =>
    system.call('POST', '/console/api/sign-in/links', { body: { email }, headers: ownPage });
  const mailTo = (email: string) => system.host.mailbox.messages().filter(({ to }) => to === email);

  test('signs in, and goes to colleagues only', async () => {
    const { email, id } = await addColleague(system, account, 'developer');
    const stranger = 'stranger-to-the-console@example.com';
    const answers = [await request(email.toUpperCase()), await request(stranger)];
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [202, ''],
      [202, ''],
    ]);
    await system.settle();
    expect(mailTo(stranger)).toEqual([]);
    const [message, ...others] = mailTo(email);
    expect(others).toEqual([]);
    const [, secret = ''] = /\/console\/sign-in#([\w-]+)/.exec(message?.text ?? '') ?? [];
    const { cookie } = await signInWith(system, secret);
    const { body } = await system.call('GET', '/console/api/me', { headers: asBrowser(cookie) });
    expect(body.colleague.id).toBe(id);
  });

  test('is sent five times an hour to a mailbox at most, and the response does not say so', async () => {
    const { email } = await addColleague(system, account, 'developer');
    for (let count = 0; count < 7; count++) expect((await request(email)).status).toBe(202);
    await system.settle();
    expect(mailTo(email)).toHaveLength(5);
  });

  test('has links to every account of the address', async () => {
    const { email } = await addColleague(system, account, 'developer');
    const { createColleague } = await import('../../shared/console/colleagues.ts');
    await createColleague(system.host.deps, (await system.account()).account_id, { email, role: 'support' });
    await request(email);
    await system.settle();
    expect(mailTo(email)[0]?.text.match(/\/console\/sign-in#/g)).toHaveLength(2);
  });

  test('needs an address, from our own page', async () => {
    expect(await refused(request('nobody'))).toEqual([400, 'invalid_body']);
    const elsewhere = system.call('POST', '/console/api/sign-in/links', { body: { email: 'a@example.com' } });
    expect(await refused(elsewhere)).toEqual([401, 'unauthorized']);
  });
});
