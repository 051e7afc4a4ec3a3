// What ends a link before it expires: its account is suspended, its API key ends, it is revoked, or
// the member is removed.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey, type NewAccount, revokeKey, setAccountStatus } from '../../shared/accounts/accounts.ts';
import { readUserContextIncludingUnshared } from '../../shared/users/user-context.ts';
import { CookieJar } from '../harness/browser.ts';
import { headingOf, openPage, pathIn, readDeviceState, redirectLocation } from '../harness/connect-steps.ts';
import { type ProviderSystem, startProviderSystem } from '../harness/provider-system.ts';
import { createMember } from '../harness/team-members.ts';

let world: ProviderSystem;
let account: NewAccount;
let user: string;
beforeAll(async () => {
  world = await startProviderSystem({ only: ['oura'] });
});
afterAll(() => world.stop());
beforeEach(async () => {
  account = await world.system.account();
  user = await world.system.user(account.live_key);
});

const call = (method: string, path: string, body?: object) =>
  world.system.call(method, `/v1/users/${user}/${path}`, { token: account.live_key, ...(body ? { body } : {}) });
const submitChoice = (link: string, choice: string) =>
  world.system.call('POST', pathIn(link), {
    raw: choice,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
const createLink = async (): Promise<{ id: string; url: string }> => (await call('POST', 'connect-links', {})).body;
const countTokenRequests = () => world.fakeProvider.requests.filter(({ form }) => 'code' in form).length;

/**
 * Opens every page that a user can be on: a link to one provider, the page of a connect link, and
 * the callbacks of both.
 */
async function openEveryPage() {
  const jar = new CookieJar();
  const consentAt = async (link: string) =>
    world.fakeProvider.consent(redirectLocation(await openPage(world.system, link, jar)), `of ${user}`);
  const link = await createLink();
  const consentUrl = redirectLocation(await submitChoice(link.url, 'connect=oura'));
  const { auth_url } = (await call('POST', 'devices', { provider: 'oura' })).body;
  const callbacks = { there: await consentAt(consentUrl), own: await consentAt(auth_url) };
  return { jar, link, consentUrl, authUrl: auth_url as string, callbacks };
}
type OpenPages = Awaited<ReturnType<typeof openEveryPage>>;

async function expectOnEveryPage(
  { jar, link, consentUrl, authUrl, callbacks }: OpenPages,
  status: number,
  heading: string,
) {
  const before = countTokenRequests();
  const devices = (await readDevices()).length;
  const expected = [status, heading];
  const open = async (url: string) => {
    const response = await openPage(world.system, url, jar);
    return [response.status, headingOf(response)];
  };
  for (const url of [link.url, consentUrl, authUrl, callbacks.there, callbacks.own])
    expect(await open(url)).toEqual(expected);
  const pressed = await submitChoice(link.url, 'connect=oura');
  expect([pressed.status, headingOf(pressed)]).toEqual(expected);
  expect([countTokenRequests(), (await readDevices()).length]).toEqual([before, devices]);
}

/** Reads from the table, because a suspended account's own key is rejected. */
const readDevices = async () => (await readUserContextIncludingUnshared(world.system.host.deps, user))?.devices ?? [];

test('links of a suspended account say so on every page, and work again when the account is resumed', async () => {
  const openPages = await openEveryPage();
  await setAccountStatus(world.system.host.deps, account.account_id, 'suspended');
  await expectOnEveryPage(openPages, 402, 'Connecting is paused');
  await setAccountStatus(world.system.host.deps, account.account_id, 'active');
  expect((await openPage(world.system, openPages.link.url)).status).toBe(200);
  expect((await openPage(world.system, openPages.callbacks.own, openPages.jar)).status).toBe(200);
});

test('a suspended account can revoke its links, and they stay revoked when it is resumed', async () => {
  const { link } = await openEveryPage();
  await setAccountStatus(world.system.host.deps, account.account_id, 'suspended');
  expect((await call('DELETE', `connect-links/${link.id}`)).status).toBe(204);
  await setAccountStatus(world.system.host.deps, account.account_id, 'active');
  expect((await openPage(world.system, link.url)).status).toBe(410);
});

test.each([
  ['revoked', () => revokeKey(world.system.host.deps, account.account_id, 'live')],
  ['rotated', () => createKey(world.system.host.deps, account.account_id, 'live')],
])('links end immediately when the API key that created them is %s', async (_what, end) => {
  const openPages = await openEveryPage();
  await end();
  await expectOnEveryPage(openPages, 410, 'This link no longer works');
});

test('links end when the member is removed from the team, and stay ended when they join again', async () => {
  const { deps } = world.system.host;
  const member = await createMember(deps, account.account_id);
  user = member.user;
  const openPages = await openEveryPage();
  await world.system.call('DELETE', `/v1/team/roster/${member.member}`, { token: account.live_key });
  await expectOnEveryPage(openPages, 410, 'This link no longer works');
  await createMember(deps, account.account_id, { user_id: user });
  await expectOnEveryPage(openPages, 410, 'This link no longer works');
  expect((await openPage(world.system, (await createLink()).url)).status).toBe(200);
});

test('links created with a new key work after the previous key has ended', async () => {
  account = { ...account, live_key: await createKey(world.system.host.deps, account.account_id, 'live') };
  expect((await openPage(world.system, (await createLink()).url)).status).toBe(200);
});

test('a link ends when its API key expires', async () => {
  world.system.clock.advance(90 * 86_400_000 - 3_600_000);
  const { url } = await createLink();
  expect((await openPage(world.system, url)).status).toBe(200);
  world.system.clock.advance(3_600_000);
  expect((await openPage(world.system, url)).status).toBe(410);
});

describe('a revoked connect link', () => {
  test('ends immediately, together with the connections started on it; other links stay valid', async () => {
    const openPages = await openEveryPage();
    const other = await createLink();
    expect((await call('DELETE', `connect-links/${openPages.link.id}`)).status).toBe(204);
    for (const url of [openPages.link.url, openPages.consentUrl, openPages.callbacks.there]) {
      const response = await openPage(world.system, url, openPages.jar);
      expect([response.status, headingOf(response)]).toEqual([410, 'This link no longer works']);
    }
    expect((await submitChoice(openPages.link.url, 'connect=oura')).status).toBe(410);
    expect((await openPage(world.system, other.url)).status).toBe(200);
    expect((await openPage(world.system, openPages.callbacks.own, openPages.jar)).status).toBe(200);
  });

  test('can be revoked again, even after it has expired', async () => {
    const { id } = await createLink();
    expect(id).toMatch(/^lnk_[0-9a-z]{26}$/);
    world.system.clock.advance(25 * 3_600_000);
    for (let times = 0; times < 3; times++) expect((await call('DELETE', `connect-links/${id}`)).status).toBe(204);
  });

  test('leaves the devices that were connected through it connected', async () => {
    const { jar, link, callbacks } = await openEveryPage();
    expect((await openPage(world.system, callbacks.there, jar)).status).toBe(302);
    await call('DELETE', `connect-links/${link.id}`);
    const [device] = (await call('GET', 'devices')).body.data.filter(
      ({ status }: { status: string }) => status === 'active',
    );
    expect(await readDeviceState(world.system, account.live_key, user, device.id)).toMatchObject({ status: 'active' });
  });

  test.each(['lnk_01k9p3w5e7g9j1m3p5r7t9w1y3', 'dev_01k9p3w5e7g9j1m3p5r7t9w1y3', 'x'])(
    'must belong to this user: %s is not found',
    async (id) => {
      expect((await call('DELETE', `connect-links/${id}`)).status).toBe(404);
    },
  );

  test("cannot be revoked by another account, not even through that account's own user", async () => {
    const { id, url } = await createLink();
    const otherAccount = await world.system.account();
    const theirs = await world.system.user(otherAccount.live_key);
    for (const owner of [user, theirs]) {
      const path = `/v1/users/${owner}/connect-links/${id}`;
      expect((await world.system.call('DELETE', path, { token: otherAccount.live_key })).status).toBe(404);
    }
    expect((await openPage(world.system, url)).status).toBe(200);
  });
});

test('opening a link costs two more table calls than reading its user, and the name of the account is read once', async () => {
  const { url } = await createLink();
  await world.system.host.drain();
  const listCalls = async () => {
    const before = world.system.calls.length;
    await openPage(world.system, url);
    const calls = world.system.calls.slice(before);
    return calls.map(({ operation }) => operation).toSorted();
  };
  expect(await listCalls()).toEqual(['BatchGetItem', 'GetItem', 'GetItem', 'Query']);
  expect(await listCalls()).toEqual(['BatchGetItem', 'GetItem', 'Query']);
});
