import { expect, test } from 'vitest';
import { call, eventually, newAccount } from './caller.ts';
import { deployment } from './deployment.ts';
import { readMailTo, verifySender } from './mail.ts';

const roster = '/v1/team/roster';
const email = 'ada@example.org';

/** Maps a link to the emulator's address, because the gateway puts its own host name into links. */
const pathOf = (url: string): string => new URL(url).pathname;

test('a user is invited by email, joins with the link, and is on the roster and in the feed', async () => {
  const { live_key: token } = await newAccount();
  const statusOf = async (id: string) => (await call('GET', `${roster}/invitations/${id}`, { token })).body;

  const invitation = { email, name: 'Ada Lovelace', language: 'de' };
  const invited = await call('POST', `${roster}/invitations`, { token, body: invitation });
  expect(invited.status).toBe(201);
  // No link is returned if a mail sender is configured.
  expect(invited.body).not.toHaveProperty('join_url');
  const { id } = invited.body;

  // SES has not verified the sender yet: an operator has to fix that, and the email stays queued.
  await eventually(
    async () =>
      expect(await statusOf(id)).toMatchObject({ email_status: { status: 'queued', error: 'identity_unverified' } }),
    120,
  );
  expect(await readMailTo(email)).toEqual([]);
  await verifySender();
  expect((await call('POST', `${roster}/invitations/${id}/resend`, { token })).status).toBe(200);
  await eventually(async () => expect(await statusOf(id)).toMatchObject({ email_status: { status: 'sent' } }), 120);

  const mails = await readMailTo(email);
  expect(mails).toHaveLength(1);
  const [mail] = mails;
  expect(mail?.from).toBe(`=?UTF-8?B?${Buffer.from('Team Süd').toString('base64')}?= <no-reply@mail.example.com>`);
  expect(deployment.mailSender).toBe('Team Süd <no-reply@mail.example.com>');
  expect(mail?.to).toEqual([email]);
  expect(mail?.subject).toContain('lädt Sie');
  expect(mail?.text).toContain('Guten Tag Ada Lovelace,');
  const [link = ''] = /https?:\/\/\S+\/join\/\S+/.exec(mail?.text ?? '') ?? [];
  expect(mail?.html).toContain(`href="${link}"`);

  const page = await call('GET', pathOf(link), { headers: { accept: 'text/html' } });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Ada Lovelace')]);
  const joined = await call('POST', pathOf(link), { headers: { accept: 'text/html' } });
  expect(joined.status).toBe(200);

  const { body: listed } = await call('GET', roster, { token });
  expect(listed.data).toEqual([expect.objectContaining({ email, name: 'Ada Lovelace', status: 'active' })]);
  const [member] = listed.data;
  expect(await statusOf(id)).toMatchObject({ status: 'accepted', member_id: member.id });
  await eventually(async () => {
    const { body } = await call('GET', '/v1/events', { token });
    const joinedEvents = body.events.filter((event: Record<string, string>) => event['event_type'] === 'member.joined');
    expect(joinedEvents).toEqual([expect.objectContaining({ user_id: member.user_id })]);
  }, 120);
}, 600_000);
