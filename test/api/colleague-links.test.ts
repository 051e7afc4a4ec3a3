// Links that a colleague made in the console end with the colleague's access, and the audit trail
// names the link and its maker for what a person does on its page.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type NewAccount, setAccountStatus } from '../../shared/accounts/accounts.ts';
import type { AuditEntry } from '../../shared/audit/audit-entry.ts';
import { endColleagueAccess } from '../../shared/console/colleagues.ts';
import { CookieJar } from '../harness/browser.ts';
import { headingOf, openPage, pathIn, redirectLocation } from '../harness/connect-steps.ts';
import { type SignedIn, signIn } from '../harness/console-session.ts';
import { type ProviderSystem, startProviderSystem } from '../harness/provider-system.ts';

let world: ProviderSystem;
let account: NewAccount;
let user: string;
let owner: SignedIn;
let maker: SignedIn;
beforeAll(async () => {
  world = await startProviderSystem({ only: ['oura'] });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.system.account();
  user = await world.system.user(account.live_key);
  owner = await signIn(world.system, account);
  maker = await signIn(world.system, account, 'developer');
});

const create = async (path: string, body: object, { headers }: SignedIn = maker) => {
  const response = await world.system.call('POST', `/v1/users/${user}/${path}`, { body, headers });
  expect(response.status, response.text).toBeLessThan(300);
  return response.body;
};
const submitChoice = (link: string, choice: string) =>
  world.system.call('POST', pathIn(link), {
    raw: choice,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const manage = (method: string, path: string, body?: object) =>
  world.system.call(method, `/console/api/colleagues/${maker.colleague.id}${path}`, {
    headers: owner.headers,
    ...(body ? { body } : {}),
  });

/** The page of a link, the consent pages that it and a connection lead to, and their callbacks. */
async function openEveryPage() {
  const jar = new CookieJar();
  const consentAt = async (url: string) =>
    world.fakeProvider.consent(redirectLocation(await openPage(world.system, url, jar)), `of ${user}`);
  const link = await create('connect-links', {});
  const consentUrl = redirectLocation(await submitChoice(link.url, 'connect=oura'));
  const { auth_url } = await create('devices', { provider: 'oura' });
  const urls = [link.url, consentUrl, auth_url, await consentAt(consentUrl), await consentAt(auth_url)];
  return { jar, link, urls };
}

async function expectOnEveryPage({ jar, link, urls }: Awaited<ReturnType<typeof openEveryPage>>, status: number) {
  for (const url of urls) expect((await openPage(world.system, url, jar)).status).toBe(status);
  expect((await submitChoice(link.url, 'connect=oura')).status).toBe(status);
}

describe('the links and pending connections of a colleague end at once', () => {
  test.each([
    ['is removed', () => manage('DELETE', '')],
    ['loses the right to make them', () => manage('PATCH', '', { role: 'support' })],
    ['has their access reset', () => manage('POST', '/link')],
    [
      'has their access reset on the command line',
      () => endColleagueAccess(world.system.host.deps, account.account_id, maker.colleague.id),
    ],
  ])('when the colleague %s', async (_what, end) => {
    const pages = await openEveryPage();
    await end();
    await expectOnEveryPage(pages, 410);
    expect(headingOf(await openPage(world.system, pages.link.url))).toBe('This link no longer works');
  });

  test('and no sooner: another name, another role that makes links and another colleague change nothing', async () => {
    const { link } = await openEveryPage();
    const other = await signIn(world.system, account, 'developer');
    await manage('PATCH', '', { name: 'Sam Doe' });
    await manage('PATCH', '', { role: 'owner' });
    await manage('PATCH', '', { role: 'developer' });
    await endColleagueAccess(world.system.host.deps, account.account_id, other.colleague.id);
    expect((await openPage(world.system, link.url)).status).toBe(200);
  });

  test('also when someone with the same address is invited again', async () => {
    const { link } = await openEveryPage();
    const { email, role } = maker.colleague;
    expect((await manage('DELETE', '')).status).toBeLessThan(300);
    const again = await world.system.call('POST', '/console/api/colleagues', {
      headers: owner.headers,
      body: { email, role },
    });
    expect(again.status).toBe(201);
    expect((await openPage(world.system, link.url)).status).toBe(410);
  });
});

test('the links of a colleague say that the account is suspended, and work again when it is resumed', async () => {
  const pages = await openEveryPage();
  await setAccountStatus(world.system.host.deps, account.account_id, 'suspended');
  await expectOnEveryPage(pages, 402);
  await setAccountStatus(world.system.host.deps, account.account_id, 'active');
  expect((await openPage(world.system, pages.link.url)).status).toBe(200);
});

test('opening a link of a colleague takes the same table calls as one of an API key', async () => {
  const { url } = await create('connect-links', {});
  await openPage(world.system, url);
  await world.system.host.drain();
  const before = world.system.calls.length;
  await openPage(world.system, url);
  expect(world.system.calls.slice(before).map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['BatchGetItem', 'GetItem', 'Query']),
  );
  expect(world.system.calls.slice(before)).toHaveLength(3);
});

describe('the audit trail', () => {
  const list = async (query: string): Promise<AuditEntry[]> => {
    const response = await world.system.call('GET', `/v1/audit?limit=200${query}`, { headers: owner.headers });
    expect(response.status).toBe(200);
    return response.body.data;
  };

  test('names the link and who made it for each connect and disconnect on its page', async () => {
    const byKey = await world.system.call('POST', `/v1/users/${user}/connect-links`, {
      token: account.live_key,
      body: {},
    });
    const listed = await world.system.call('GET', '/console/api/keys', { headers: owner.headers });
    const [key] = listed.body.data.filter(({ environment }: { environment: string }) => environment === 'live');
    const byColleague = await create('connect-links', {});
    for (const [link, makerId] of [
      [byColleague, maker.colleague.id],
      [byKey.body, key.id],
    ]) {
      expect((await submitChoice(link.url, 'connect=oura')).status).toBe(303);
      const [device] = (await world.system.call('GET', `/v1/users/${user}/devices`, { token: account.live_key })).body
        .data;
      expect((await submitChoice(link.url, `disconnect=${device.id}`)).status).toBe(303);
      const missing = 'dev_01k9p3w5e7g9j1m3p5r7t9w1y3';
      expect((await submitChoice(link.url, `disconnect=${missing}`)).status).toBe(404);
      const actor = { kind: 'connect_link', id: link.id, maker_id: makerId, email: null };
      const entry = { actor, user_id: user, environment: 'live', request_id: expect.any(String) };
      const entries = await list(`&actor=${link.id}`);
      expect(entries).toEqual(
        [
          { action: 'device.disconnected', resource_ids: [missing], outcome: 'failed', code: 'not_found' },
          { action: 'device.disconnected', resource_ids: [device.id], outcome: 'done', code: null },
          { action: 'device.connection_started', resource_ids: [device.id], outcome: 'done', code: null },
        ].map((each) => expect.objectContaining({ ...entry, ...each })),
      );
      expect(await list(`&actor=${makerId}`)).toEqual(expect.arrayContaining(entries));
    }
    expect(await list('&actor=connect_link')).toHaveLength(6);
  });
});
