import { afterEach, describe, expect, test } from 'vitest';
import { EngineUnavailable, type Mail, type MailMessage, MailRefused } from '../../shared/platform/ports.ts';
import { type System, startSystem } from '../harness/system.ts';

let system: System;
afterEach(() => system.stop());

const roster = '/v1/team/roster';
const email = 'ada@example.com';

async function startAndInvite(options: Parameters<typeof startSystem>[0]) {
  system = await startSystem(options);
  const { live_key: token } = await system.account();
  const { body } = await system.call('POST', `${roster}/invitations`, { token, body: { email } });
  await system.host.drain();
  const invitation = async () => (await system.call('GET', `${roster}/invitations/${body.id}`, { token })).body;
  return { token, body, invitation };
}

const refusedMailFields = () =>
  system.log.filter(({ message }) => message === 'mail_refused').map(({ fields }) => fields);

describe('the email of an invitation', () => {
  test('lands in the local mailbox, with a link that joins', async () => {
    const { token, body, invitation } = await startAndInvite({});
    expect(body).not.toHaveProperty('join_url');
    expect(await invitation()).toMatchObject({ email_status: { status: 'sent' } });
    const [mail, ...others] = system.host.mailbox.messages();
    expect([mail?.to, others]).toEqual([email, []]);
    const [, path = ''] = /^http:\/\/localhost:\d+(\/join\/\S+)$/m.exec(mail?.text ?? '') ?? [];
    expect((await system.call('POST', path, { headers: { accept: 'text/html' } })).status).toBe(200);
    const { body: members } = await system.call('GET', roster, { token });
    expect(members.data).toEqual([expect.objectContaining({ email, status: 'active' })]);
  });

  test('stays queued while the mail service is unavailable, and is sent once it is back', async () => {
    const sent: MailMessage[] = [];
    let isAway = true;
    const mail: Mail = {
      async send(message) {
        if (isAway) throw new EngineUnavailable('away');
        sent.push(message);
      },
    };
    const { body, invitation } = await startAndInvite({ mail });
    expect(await invitation()).toMatchObject({ email_status: { status: 'queued', error: 'mail_unavailable' } });
    expect(system.log).toContainEqual({
      level: 'warn',
      message: 'mail_unavailable',
      fields: {
        account_id: expect.stringMatching(/^acc_/),
        env: 'live',
        invitation_id: body.id,
        reason: 'mail_unavailable',
        failures: 1,
        pending_seconds: expect.any(Number),
        detail: 'SES did not accept a message: ServiceUnavailable',
      },
    });
    isAway = false;
    system.clock.advance(5 * 60_000);
    await system.host.runSchedule('sweep');
    await system.host.drain();
    expect(await invitation()).toMatchObject({ email_status: { status: 'sent', error: null } });
    expect(sent.map(({ to }) => to)).toEqual([email]);
    expect(refusedMailFields()).toEqual([]);
  });

  test('that is rejected permanently is tried once, reported to the caller, and logged without the address', async () => {
    let tries = 0;
    const mail: Mail = {
      async send() {
        tries += 1;
        throw new MailRefused('message_rejected', 'MessageRejected');
      },
    };
    const { body, invitation } = await startAndInvite({ mail });
    system.clock.advance(24 * 3_600_000);
    await system.host.runSchedule('sweep');
    await system.host.drain();
    expect(await invitation()).toMatchObject({ email_status: { status: 'failed', error: 'message_rejected' } });
    expect(tries).toBe(1);
    expect(refusedMailFields()).toEqual([
      {
        account_id: expect.stringMatching(/^acc_/),
        env: 'live',
        invitation_id: body.id,
        reason: 'message_rejected',
      },
    ]);
  });

  test('is not sent if no sender is configured, and its link is returned instead', async () => {
    const { body } = await startAndInvite({ env: { ...process.env, DAYBOOK_MAIL_SENDER: '' } });
    expect(body.join_url).toMatch(/\/join\//);
    expect(system.host.mailbox.messages()).toEqual([]);
  });
});
