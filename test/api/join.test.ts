import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type NewAccount, setAccountStatus } from '../../shared/accounts/accounts.ts';
import { successIcon } from '../../shared/http/icons.ts';
import { type MailMessage, MailRefused } from '../../shared/platform/ports.ts';
import { oneTo } from '../harness/outbox.ts';
import { printLog } from '../harness/print-log.ts';
import { sendRequest } from '../harness/send-request.ts';
import { timeTravelSystem } from '../harness/shared-system.ts';
import { type System, startSystem } from '../harness/system.ts';
import { createInvitation, createMember, newEmail } from '../harness/team-members.ts';

let system: System;
let account: NewAccount;
beforeAll(async () => {
  system = await timeTravelSystem();
});
beforeEach(async () => {
  account = await system.account();
});

const roster = '/v1/team/roster';
const dayMs = 24 * 3_600_000;
const callLive = (method: string, path: string, body?: object) =>
  system.call(method, path, { token: account.live_key, ...(body ? { body } : {}) });
const inviteHere = (input = {}) => createInvitation(system.host.deps, account.account_id, input);
const openPage = (token: string, headers: Record<string, string> = {}) =>
  system.call('GET', `/join/${token}`, { headers: { accept: 'text/html', ...headers } });
const accept = (token: string) => system.call('POST', `/join/${token}`, { headers: { accept: 'text/html' } });
const acceptFrom = (token: string, zone: string) =>
  system.call('POST', `/join/${token}`, {
    raw: new URLSearchParams({ time_zone: zone }).toString(),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  });
const readStatus = async (id: string) => (await callLive('GET', `${roster}/invitations/${id}`)).body.status;
const listMembers = async () => (await callLive('GET', roster)).body.data;

/** Returns the token of the join link in the newest email. */
async function readNewestMailToken(): Promise<string> {
  await system.host.drain();
  const [newest] = system.host.mailbox.messages();
  return /\/join\/([\w-]+)/.exec(newest?.text ?? '')?.[1] ?? '';
}

async function listEventTypes(types: RegExp): Promise<string[]> {
  await system.host.drain();
  const { body } = await callLive('GET', '/v1/events?limit=1000');
  return body.events
    .map((event: Record<string, string>) => event['event_type'])
    .filter((each: string) => types.test(each));
}

describe('the invitation page', () => {
  test('says who invites whom and until when, and consumes nothing however often it is opened', async () => {
    const email = newEmail();
    const { id, token } = await inviteHere({ email, name: 'Alex Kim' });
    for (const _ of oneTo(3)) {
      const { status, text, headers } = await openPage(token);
      expect(status).toBe(200);
      for (const expectedText of ['a test', email, 'Alex Kim', 'You can join until ', '<form method="post"'])
        expect(text).toContain(expectedText);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(text).not.toContain(token);
    }
    expect(await readStatus(id)).toBe('pending');
    expect(await listMembers()).toEqual([]);
  });

  test('allows its form to be submitted, and identifies someone without a name by the address alone', async () => {
    const email = newEmail();
    const { token } = await inviteHere({ email });
    const { text, headers } = await openPage(token);
    expect(headers.get('content-security-policy')?.split('; ')).toContain("form-action 'self'");
    expect(text).toContain(email);
    expect(text).not.toContain(`, ${email}`);
  });

  test('escapes text from outside', async () => {
    const { token } = await inviteHere({ name: '<b>"Alex" & co</b>' });
    const { text } = await openPage(token);
    expect(text).toContain('&lt;b&gt;&quot;Alex&quot; &amp; co&lt;/b&gt;');
    expect(text).not.toContain('<b>');
  });

  test.each([
    ['en', 'Join the team'],
    ['de', 'Dem Team beitreten'],
    ['fr', 'Rejoindre l’équipe'],
    ['es', 'Unirse al equipo'],
  ])('is in the language of the invitation: %s', async (language, button) => {
    const { token } = await inviteHere({ language });
    const { text } = await openPage(token, { 'accept-language': 'it' });
    expect(text).toContain(`<html lang="${language}">`);
    expect(text).toContain(`${button}</button>`);
  });

  test('is in that language even if the invitation can no longer be accepted', async () => {
    const { id, token } = await inviteHere({ language: 'fr' });
    await callLive('DELETE', `${roster}/invitations/${id}`);
    const { status, text } = await openPage(token, { 'accept-language': 'de' });
    expect([status, text]).toEqual([410, expect.stringContaining('<html lang="fr">')]);
  });

  test('of an unknown link is in the language of the browser, or in English by default', async () => {
    expect((await openPage('nothing', { 'accept-language': 'de-AT,de;q=0.9' })).text).toContain('<html lang="de">');
    expect((await openPage('nothing')).text).toContain('<html lang="en">');
  });
});

describe('accepting an invitation', () => {
  test('creates a member with a new user, and publishes an event for each', async () => {
    const email = newEmail();
    const { id, token } = await inviteHere({ email, name: 'Alex Kim' });
    expect((await accept(token)).status).toBe(200);
    const [member] = await listMembers();
    expect(member).toMatchObject({ email, name: 'Alex Kim', status: 'active', archived_at: null });
    expect((await callLive('GET', `/v1/users/${member.user_id}`)).body).toMatchObject({ external_ref: null });
    expect((await callLive('GET', `${roster}/invitations/${id}`)).body).toMatchObject({
      status: 'accepted',
      member_id: member.id,
      user_id: member.user_id,
    });
    expect(await listEventTypes(/^(member|user)\./)).toEqual(['user.created', 'member.joined']);
  });

  test('links the named user, and creates none', async () => {
    const user_id = await system.user(account.live_key);
    const { token } = await inviteHere({ user_id });
    await accept(token);
    expect(await listMembers()).toMatchObject([{ user_id }]);
    expect((await callLive('GET', '/v1/users')).body.data).toHaveLength(1);
  });

  test.each([
    ['a new user', {}, 'Asia/Tokyo', ['Asia/Tokyo', 'device']],
    ['a named user without a time zone', { timezone: null }, 'Asia/Tokyo', ['Asia/Tokyo', 'device']],
    ['a named user whose time zone is set', { timezone: 'UTC' }, 'Asia/Tokyo', ['UTC', 'caller']],
    ['an invalid time zone', {}, '(GMT+09:00) Asia/Tokyo', [null, null]],
    ['no script', {}, '', [null, null]],
  ])('sets the browser’s time zone only if the user has none: %s', async (_whom, body, zone, expected) => {
    const isNamed = 'timezone' in body;
    const { token } = await inviteHere(isNamed ? { user_id: await system.user(account.live_key, body) } : {});
    expect((await openPage(token)).headers.get('content-security-policy')).toContain("script-src 'sha256-");
    expect((await acceptFrom(token, zone)).status).toBe(200);
    const [member] = await listMembers();
    const { timezone, timezone_source } = (await callLive('GET', `/v1/users/${member.user_id}`)).body;
    expect([timezone, timezone_source]).toEqual(expected);
  });

  test('thirty times concurrently creates one member, one user and one event', async () => {
    const { token } = await inviteHere();
    const responses = await Promise.all(oneTo(30).map(() => accept(token)));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...oneTo(29).map(() => 410)]);
    expect(await listMembers()).toHaveLength(1);
    expect((await callLive('GET', '/v1/users')).body.data).toHaveLength(1);
    expect(await listEventTypes(/^(member|user)\./)).toEqual(['user.created', 'member.joined']);
  });

  test('of a named user is possible once: a second invitation for that user is rejected and names the first', async () => {
    const user_id = await system.user(account.live_key);
    const first = await inviteHere({ user_id });
    const second = await callLive('POST', `${roster}/invitations`, { email: newEmail(), user_id });
    expect([second.status, second.body.error, second.body.details]).toEqual([
      409,
      'invitation_pending',
      { invitation_id: first.id },
    ]);
    expect((await accept(first.token)).status).toBe(200);
    const third = await callLive('POST', `${roster}/invitations`, { email: newEmail(), user_id });
    expect([third.status, third.body.error]).toEqual([409, 'already_member']);
  });

  test('a second time says that there is nothing to do, on the page and on submit', async () => {
    const { token } = await inviteHere();
    await accept(token);
    for (const { status, text } of [await openPage(token), await accept(token)]) {
      expect(status).toBe(410);
      expect(text).toContain('You have already joined a test');
      expect(text).toContain(successIcon.html);
      expect(text).not.toContain('<form');
    }
  });

  test('works with every link that was sent, until one of them is used', async () => {
    const first = await inviteHere();
    await callLive('POST', `${roster}/invitations/${first.id}/resend`);
    const second = await readNewestMailToken();
    expect(second).not.toBe(first.token);
    expect((await openPage(first.token)).status).toBe(200);
    expect((await accept(second)).status).toBe(200);
    expect((await accept(first.token)).status).toBe(410);
  });

  test('restores an archived member with the same id, user and joining date', async () => {
    const email = newEmail();
    const known = await createMember(system.host.deps, account.account_id, { email, name: 'Alex Kim' });
    const path = `${roster}/${known.member}`;
    const before = (await callLive('GET', path)).body;
    await callLive('PATCH', path, { status: 'archived' });
    system.clock.advance(dayMs);
    const { token } = await inviteHere({ email: email.toUpperCase() });
    expect((await accept(token)).status).toBe(200);
    expect((await callLive('GET', path)).body).toEqual({ ...before, email: email.toUpperCase() });
    expect(await listMembers()).toHaveLength(1);
    expect(await listEventTypes(/^(member|user)\./)).toEqual([
      'user.created',
      'member.joined',
      'member.archived',
      'member.joined',
    ]);
  });

  test('fails for a member who was removed while the invitation was pending, until they are invited again', async () => {
    const email = newEmail();
    const known = await createMember(system.host.deps, account.account_id, { email });
    await callLive('PATCH', `${roster}/${known.member}`, { status: 'archived' });
    const { token } = await inviteHere({ email });
    await callLive('DELETE', `${roster}/${known.member}`);
    expect((await accept(token)).status).toBe(410);
    expect((await accept((await inviteHere({ email })).token)).status).toBe(200);
    const [member] = await listMembers();
    expect([member.id, member.user_id]).not.toEqual([known.member, known.user]);
  });
});

describe('an invalid link', () => {
  test.each(['nothing', 'x'.repeat(2_000), '%00', 'AAAA'])(
    'that Daybook did not issue is unknown: %s',
    async (token) => {
      expect((await openPage(token)).status).toBe(404);
      expect((await accept(token)).status).toBe(404);
    },
  );

  test('altered in any place is unknown', async () => {
    const { token } = await inviteHere();
    for (const at of [0, 10, token.length - 1]) {
      const altered = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      expect((await accept(altered)).status).toBe(404);
    }
    expect((await accept(token)).status).toBe(200);
  });

  test('of a revoked invitation is gone', async () => {
    const { id, token } = await inviteHere();
    await callLive('DELETE', `${roster}/invitations/${id}`);
    for (const { status, text } of [await openPage(token), await accept(token)]) {
      expect(status).toBe(410);
      expect(text).toContain('no longer valid');
    }
    expect(await listMembers()).toEqual([]);
  });

  test('of an expired invitation is gone', async () => {
    const { token } = await inviteHere();
    system.clock.advance(14 * dayMs);
    for (const { status, text } of [await openPage(token), await accept(token)]) {
      expect(status).toBe(410);
      expect(text).toContain('has expired');
    }
    expect(await listMembers()).toEqual([]);
  });

  test('whose user was deleted is gone, immediately and after the erasure', async () => {
    const user_id = await system.user(account.live_key);
    const { id, token } = await inviteHere({ user_id });
    await callLive('DELETE', `/v1/users/${user_id}`);
    expect((await accept(token)).status).toBe(410);
    await system.settle();
    expect((await accept(token)).status).toBe(410);
    expect((await callLive('GET', `${roster}/invitations/${id}`)).body).toMatchObject({
      status: 'revoked',
      email: null,
      user_id: null,
    });
    expect(await listMembers()).toEqual([]);
  });

  test('an invitation that is revoked and accepted concurrently ends in exactly one of these states', async () => {
    for (const _ of oneTo(5)) {
      const { id, token } = await inviteHere();
      const [response] = await Promise.all([accept(token), callLive('DELETE', `${roster}/invitations/${id}`)]);
      expect([response.status, await readStatus(id)]).toEqual(
        response.status === 200 ? [200, 'accepted'] : [410, 'revoked'],
      );
    }
  });
});

test('a suspended team accepts no members, and its invitations stay pending', async () => {
  const { id, token } = await inviteHere();
  await setAccountStatus(system.host.deps, account.account_id, 'suspended');
  for (const { status, text } of [await openPage(token), await accept(token)]) {
    expect(status).toBe(409);
    expect(text).toContain('cannot add members');
  }
  await setAccountStatus(system.host.deps, account.account_id, 'active');
  expect(await readStatus(id)).toBe('pending');
  expect((await accept(token)).status).toBe(200);
});

test('a link with a trailing slash is the same link, and a broken one is answered with a page', async () => {
  const { token } = await inviteHere();
  const page = await openPage(`${token}/`);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('<form')]);
  expect((await accept(`${token}/`)).status).toBe(200);
  // Not sent with `openPage`, because the OpenAPI document cannot describe a path with extra
  // segments.
  const torn = await sendRequest(system.host.baseUrl, 'GET', `/join/${token.slice(0, 20)}/${token.slice(20)}`, {
    headers: { accept: 'text/html' },
  });
  expect([torn.status, torn.text]).toEqual([404, expect.stringContaining('<h1>')]);
  expect(torn.text).not.toContain(token.slice(0, 20));
});

test('links, addresses and names are never logged', async () => {
  const email = newEmail();
  const { token } = await inviteHere({ email, name: 'Somebody Special' });
  await accept(token);
  await system.host.drain();
  const logged = printLog(system.log);
  for (const secret of [token, email, 'Somebody Special']) expect(logged).not.toContain(secret);
  expect(logged).toContain('/join/{token+}');
});

test('end to end: invited over the API, emailed, and a member through the link in the email', async () => {
  const email = newEmail();
  const { body: invitation } = await callLive('POST', `${roster}/invitations`, {
    email,
    name: 'Alex Kim',
    language: 'es',
  });
  expect(invitation).not.toHaveProperty('join_url');
  expect(invitation.email_status.status).toBe('queued');
  const token = await readNewestMailToken();
  const [mail] = system.host.mailbox.messages();
  expect([mail?.to, mail?.subject]).toEqual([email, 'a test le invita a su equipo en Daybook']);
  expect(mail?.text).toContain(`${system.host.baseUrl}/join/`);
  const { body: written } = await callLive('GET', `${roster}/invitations/${invitation.id}`);
  expect(written.email_status).toEqual({ status: 'sent', sent_at: expect.any(String), error: null });
  expect((await openPage(token)).text).toContain('Unirse a a test');
  expect((await accept(token)).text).toContain('Se ha unido a a test');
  expect(await listMembers()).toMatchObject([{ email, name: 'Alex Kim', status: 'active' }]);
});

test('an invitation shows that its email failed, and a resend delivers it once the problem is resolved', async () => {
  let mailError: Error | undefined = new MailRefused('message_rejected', 'refused');
  const sent: string[] = [];
  const send = async ({ to }: MailMessage) => {
    if (mailError) throw mailError;
    sent.push(to);
  };
  const other = await startSystem({ mail: { send } });
  const { live_key: token } = await other.account();
  const email = newEmail();
  const { body } = await other.call('POST', `${roster}/invitations`, { token, body: { email } });
  const path = `${roster}/invitations/${body.id}`;
  await other.host.drain();
  expect((await other.call('GET', path, { token })).body).toMatchObject({
    status: 'pending',
    email_status: { status: 'failed', sent_at: null, error: 'message_rejected' },
  });
  mailError = undefined;
  expect((await other.call('POST', `${path}/resend`, { token })).body.email_status.status).toBe('queued');
  await other.host.drain();
  expect((await other.call('GET', path, { token })).body.email_status).toMatchObject({ status: 'sent', error: null });
  expect(sent).toEqual([email]);
  expect(printLog(other.log)).not.toContain(email);
  await other.stop();
});
