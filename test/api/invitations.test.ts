// Tests invitations over HTTP: who can be invited, and the states of an invitation.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type NewAccount, setAccountStatus } from '../../shared/accounts/accounts.ts';
import { keys } from '../../shared/system/keys.ts';
import { maxInvitationsPerDay } from '../../shared/team/team.ts';
import { avoidMidnight } from '../harness/clock.ts';
import { oneTo } from '../harness/outbox.ts';
import { timeTravelSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
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
const invitations = `${roster}/invitations`;
const dayMs = 24 * 3_600_000;
const callLive = (method: string, path: string, body?: object) =>
  system.call(method, path, { token: account.live_key, ...(body ? { body } : {}) });
const invite = (body: object) => callLive('POST', invitations, body);
const addMember = (input = {}) => createMember(system.host.deps, account.account_id, input);

describe('creating an invitation', () => {
  test('returns a pending invitation that is valid for 14 days', async () => {
    const email = newEmail();
    const { status, body } = await invite({ email, name: 'Alex Kim' });
    expect(status).toBe(201);
    expect(body).toMatchObject({ email, name: 'Alex Kim', status: 'pending', member_id: null, user_id: null });
    expect(body.id).toMatch(/^inv_/);
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(14 * dayMs);
    const { join_url: _once, email_status: _mail, ...rest } = body;
    expect((await callLive('GET', `${invitations}/${body.id}`)).body).toMatchObject(rest);
  });

  test('accepts a name, a user and a language, or none of them', async () => {
    const user_id = await system.user(account.live_key);
    const requested = { email: newEmail(), name: null, user_id, language: 'fr' };
    expect((await invite(requested)).body).toMatchObject({ name: null, user_id, language: 'fr' });
    expect((await invite({ email: newEmail() })).body).toMatchObject({ name: null, user_id: null, language: 'en' });
  });

  test.each([
    ['a missing address', {}],
    ['an address with two @ signs', { email: 'a@b@example.com' }],
    ['an address with a space', { email: 'a b@example.com' }],
    ['an address with a line break', { email: 'a@example.com\nbcc: b@example.com' }],
    ['an address that is too long', { email: `a@${`${'x'.repeat(60)}.`.repeat(5)}com` }],
    ['a blank name', { email: 'a@example.com', name: ' ' }],
    ['a name with a line break', { email: 'a@example.com', name: 'Alex\nKim' }],
    ['a name with a text-direction override', { email: 'a@example.com', name: 'Alex \u202e Kim' }],
    ['a name with a link', { email: 'a@example.com', name: 'Win at http://a' }],
    ['a name that mail clients turn into a link', { email: 'a@example.com', name: 'Win at example.com' }],
    ['a name that is too long', { email: 'a@example.com', name: 'x'.repeat(101) }],
    ['an unsupported language', { email: 'a@example.com', language: 'tlh' }],
    ['an unknown field', { email: 'a@example.com', role: 'admin' }],
  ])('rejects %s', async (_what, body) => {
    const refused = await invite(body);
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_body']);
  });

  test.each(['Dr. Anna-Lena Øst', "J. O'Neill", '山田太郎', 'علی\u200cرضا'])('accepts the name %s', async (name) => {
    expect((await invite({ email: newEmail(), name })).body.name).toBe(name);
  });

  test('ignores letter case and surrounding spaces in the address, and returns it as sent, trimmed', async () => {
    const email = newEmail();
    const { body } = await invite({ email: ` ${email.replace('person', 'Person')} ` });
    expect(body.email).toBe(email.replace('person', 'Person'));
    const again = await invite({ email: email.toUpperCase() });
    expect([again.status, again.body.error]).toEqual([409, 'invitation_pending']);
    expect(again.body.details).toEqual({ invitation_id: body.id });
  });

  test('creates one invitation out of thirty concurrent ones, in any letter case', async () => {
    const email = newEmail();
    const spelled = oneTo(30).map((n) => (n % 2 ? email : email.toUpperCase()));
    const responses = await Promise.all(spelled.map((each) => invite({ email: each })));
    const succeeded = responses.filter(({ status }) => status === 201);
    expect(succeeded).toHaveLength(1);
    for (const { status, body } of responses.filter((each) => each !== succeeded[0])) {
      expect([status, body.error]).toEqual([409, 'invitation_pending']);
      expect(body.details.invitation_id).toBe(succeeded[0]?.body.id);
    }
  });

  test('is rejected for a member until the member is archived', async () => {
    const email = newEmail();
    const { member: member_id } = await addMember({ email });
    const refused = await invite({ email: email.toUpperCase() });
    expect([refused.status, refused.body.error, refused.body.details]).toEqual([409, 'already_member', { member_id }]);
    await callLive('PATCH', `${roster}/${member_id}`, { status: 'archived' });
    expect((await invite({ email })).status).toBe(201);
  });

  test('for the same address in another account or environment is independent', async () => {
    const email = newEmail();
    const other = await system.account();
    expect((await invite({ email })).status).toBe(201);
    const response = await system.call('POST', invitations, { token: other.live_key, body: { email } });
    expect(response.status).toBe(201);
  });

  test('is not blocked by an expired or revoked invitation', async () => {
    const email = newEmail();
    const first = (await invite({ email })).body;
    expect((await callLive('DELETE', `${invitations}/${first.id}`)).status).toBe(204);
    const second = await createInvitation(system.host.deps, account.account_id, { email });
    system.clock.advance(14 * dayMs);
    const third = await invite({ email });
    expect(third.status).toBe(201);
    const states = await Promise.all(
      [first.id, second.id, third.body.id].map(
        async (id) => (await callLive('GET', `${invitations}/${id}`)).body.status,
      ),
    );
    expect(states).toEqual(['revoked', 'expired', 'pending']);
  });

  test('accepts only a user of the environment: one of another account, a deleted and a missing one return the same 404', async () => {
    const other = await system.account();
    const foreign = await system.user(other.live_key);
    const deleted = await system.user(account.live_key);
    await callLive('DELETE', `/v1/users/${deleted}`);
    const inSandbox = await system.user(account.sandbox_key);
    const missing = 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7';
    const responses = await Promise.all(
      [foreign, deleted, inSandbox, missing].map(async (user_id) => {
        const { status, text } = await invite({ email: newEmail(), user_id });
        return [status, text.replaceAll(user_id, missing)];
      }),
    );
    expect(new Set(responses.map(String)).size).toBe(1);
    expect(responses[0]?.[0]).toBe(404);
  });

  test('is rejected for a user who is already a member, and for an archived member with another user', async () => {
    const email = newEmail();
    const known = await addMember({ email });
    const conflict = await invite({ email: newEmail(), user_id: known.user });
    expect([conflict.status, conflict.body.error]).toEqual([409, 'already_member']);
    expect(conflict.body.details).toEqual({ member_id: known.member });
    await callLive('PATCH', `${roster}/${known.member}`, { status: 'archived' });
    const other = await invite({ email, user_id: await system.user(account.live_key) });
    expect([other.status, other.body.details]).toEqual([409, { member_id: known.member }]);
    expect((await invite({ email, user_id: known.user })).status).toBe(201);
  });

  test('is limited to 1,000 per day', async () => {
    avoidMidnight(system.clock);
    const utcDay = new Date(system.clock.now()).toISOString().slice(0, 10);
    const key = keys.invitationCount(account.account_id, 'live', utcDay);
    await system.host.deps.store.table.write({ kind: 'put', item: { ...key, count: maxInvitationsPerDay - 1 } });
    const email = newEmail();
    expect((await invite({ email })).status).toBe(201);
    const refused = await invite({ email: newEmail() });
    expect([refused.status, refused.body.error, refused.body.details]).toEqual([409, 'limit_reached', { limit: 1000 }]);
    expect((await invite({ email })).body.error).toBe('invitation_pending');
    system.clock.advance(dayMs);
    expect((await invite({ email: newEmail() })).status).toBe(201);
  });

  test('requires a live key, and so does every call that changes members', async () => {
    const token = account.sandbox_key;
    const id = 'mem_01k9p3wq4r6t8w0y2a4c6e8g0j';
    const refused = [
      await system.call('POST', invitations, { token, body: { email: newEmail() } }),
      await system.call('POST', `${invitations}/inv_01k9p3wm1n3q5s7v9x1z3b5d7f/resend`, { token }),
      await system.call('PATCH', `${roster}/${id}`, { token, body: { status: 'archived' } }),
      await system.call('DELETE', `${roster}/${id}`, { token }),
    ];
    for (const { status, body } of refused) {
      expect([status, body.error]).toEqual([403, 'insufficient_scope']);
      expect(body.message).toMatch(/use a live key/i);
    }
    expect((await system.call('GET', roster, { token })).body).toEqual({ data: [], next_cursor: null });
    expect((await system.call('GET', `${roster}/${id}`, { token })).status).toBe(404);
    expect((await system.call('DELETE', `${invitations}/inv_01k9p3wm1n3q5s7v9x1z3b5d7f`, { token })).status).toBe(404);
  });
});

describe('an invitation', () => {
  test('is pending, and expired from the exact millisecond in expires_at', async () => {
    const { id } = await createInvitation(system.host.deps, account.account_id);
    const { body } = await callLive('GET', `${invitations}/${id}`);
    system.clock.advance(Date.parse(body.expires_at) - system.clock.now() - 60_000);
    expect((await callLive('GET', `${invitations}/${id}`)).body.status).toBe('pending');
    system.clock.advance(60_000);
    expect((await callLive('GET', `${invitations}/${id}`)).body.status).toBe('expired');
  });

  test('can be revoked once; revoked, accepted and expired invitations keep their status', async () => {
    const pending = await createInvitation(system.host.deps, account.account_id);
    const path = `${invitations}/${pending.id}`;
    expect((await callLive('DELETE', path)).status).toBe(204);
    expect((await callLive('GET', path)).body.status).toBe('revoked');
    expect((await callLive('DELETE', path)).status).toBe(204);
    const accepted = await addMember();
    expect((await callLive('DELETE', `${invitations}/${accepted.id}`)).status).toBe(204);
    expect((await callLive('GET', `${invitations}/${accepted.id}`)).body).toMatchObject({
      status: 'accepted',
      member_id: accepted.member,
      user_id: accepted.user,
    });
    expect((await callLive('GET', `${roster}/${accepted.member}`)).status).toBe(200);
    const old = await createInvitation(system.host.deps, account.account_id);
    system.clock.advance(14 * dayMs);
    expect((await callLive('DELETE', `${invitations}/${old.id}`)).status).toBe(204);
    expect((await callLive('GET', `${invitations}/${old.id}`)).body.status).toBe('expired');
  });

  test('of another account looks like a missing one', async () => {
    const other = await system.account();
    const { id } = await createInvitation(system.host.deps, other.account_id);
    const missing = 'inv_01k9p3wm1n3q5s7v9x1z3b5d7f';
    for (const [method, tail] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/resend'],
    ] as const) {
      const foreign = await callLive(method, `${invitations}/${id}${tail}`);
      const unknown = await callLive(method, `${invitations}/${missing}${tail}`);
      expect([foreign.status, foreign.text.replaceAll(id, missing)]).toEqual([404, unknown.text]);
    }
    expect((await callLive('GET', `${invitations}/nothing`)).status).toBe(404);
  });

  test('can be sent ten times, and not at all once it has ended', async () => {
    const { id } = await createInvitation(system.host.deps, account.account_id);
    for (const _ of oneTo(9)) {
      system.clock.advance(dayMs / 2);
      expect((await callLive('POST', `${invitations}/${id}/resend`)).status).toBe(200);
    }
    const tooMany = await callLive('POST', `${invitations}/${id}/resend`);
    expect([tooMany.status, tooMany.body.error, tooMany.body.details]).toEqual([409, 'limit_reached', { limit: 10 }]);
    const { id: ended } = await createInvitation(system.host.deps, account.account_id);
    await callLive('DELETE', `${invitations}/${ended}`);
    const refused = await callLive('POST', `${invitations}/${ended}/resend`);
    expect([refused.status, refused.body.error]).toEqual([409, 'invitation_inactive']);
  });
});

test('a suspended account cannot invite anyone or read anything', async () => {
  const { member: id } = await addMember();
  await setAccountStatus(system.host.deps, account.account_id, 'suspended');
  for (const [method, path, body] of [
    ['POST', invitations, { email: newEmail() }],
    ['GET', roster],
    ['GET', `${roster}/${id}`],
    ['DELETE', `${roster}/${id}`],
  ] as const)
    expect((await callLive(method, path, body)).status).toBe(402);
});
