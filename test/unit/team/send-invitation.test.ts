// The email of an invitation is pending work on the invitation's row: it is sent once, retried for
// a day, and can be requested again after that.

import { beforeEach, describe, expect, test } from 'vitest';
import { resumeWork } from '../../../infra/local/resume-work.ts';
import { setAccountStatus } from '../../../shared/accounts/accounts.ts';
import type { LogCode } from '../../../shared/platform/log-codes.ts';
import { mailRetryDelayMs } from '../../../shared/platform/mail-backoff.ts';
import { EngineUnavailable, MailRefused, MailThrottled, SenderRefused } from '../../../shared/platform/ports.ts';
import { acceptInvitation } from '../../../shared/team/accept-invitation.ts';
import { getInvitation } from '../../../shared/team/invitations.ts';
import { resendInvitation } from '../../../shared/team/invite-member.ts';
import {
  caller,
  deliver,
  deps,
  invite,
  mail,
  memory,
  newMailWorld,
  origin,
  readEmailStatus,
  sent,
  throwNotSent,
  tokenIn,
} from '../../harness/mail-world.ts';
import { oneTo } from '../../harness/outbox.ts';
import { listPendingOwners } from '../../harness/pending-work.ts';
import { printLog } from '../../harness/print-log.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

beforeEach(newMailWorld);

describe('an email', () => {
  test('is pending with the invitation, and the queue message only names the invitation', async () => {
    const { id, email_status, join_url } = await invite();
    expect(email_status).toEqual({ status: 'queued', sent_at: null, error: null });
    expect(join_url).toBeUndefined();
    expect(memory.sentTo('mail')).toEqual([{ account_id: caller.account, env: 'live', invitation_id: id }]);
    expect(await listPendingOwners(deps.store, 'mail')).toEqual([id]);
    expect(mail.tries).toBe(0);
  });

  test('is sent once, in the requested language, with a working link, and is then no longer pending', async () => {
    const { id } = await invite({ name: 'Alex Kim', language: 'de' });
    const unfreeze = memory.clock.freeze();
    await Promise.all(oneTo(5).map(() => deliver(id)));
    await deliver(id);
    expect(sent).toHaveLength(1);
    const [message] = sent;
    expect(message?.to).toBe('Alex@example.com');
    expect(message?.subject).toContain('The Lab lädt Sie');
    expect(message?.text).toContain(`${origin}/join/`);
    expect(await readEmailStatus(id)).toEqual({
      status: 'sent',
      sent_at: new Date(memory.clock.now()).toISOString(),
      error: null,
    });
    unfreeze();
    expect(await listPendingOwners(deps.store, 'mail')).toEqual([]);
    expect((await acceptInvitation(deps, tokenIn(message ?? throwNotSent()))).problem).toBeUndefined();
  });

  test('whose message is lost is found in the pending-work index', async () => {
    memory.unavailableQueues.add('mail');
    const { id } = await invite();
    expect(memory.sentTo('mail')).toEqual([]);
    expect(await listPendingOwners(deps.store, 'mail')).toEqual([id]);
  });

  test('leaves nothing in the table that opens the invitation', async () => {
    const { id } = await invite();
    await deliver(id);
    const token = tokenIn(sent[0] ?? throwNotSent());
    expect(JSON.stringify(memory.table.rows())).not.toContain(token);
  });
});

test('an unexpected error is shown as unavailable mail, logged as an error, and retried', async () => {
  mail.error = new TypeError('a bug');
  const { id } = await invite();
  await deliver(id);
  expect(await readEmailStatus(id)).toEqual({ status: 'queued', sent_at: null, error: 'mail_unavailable' });
  expect(memory.log).toContainEqual(expect.objectContaining({ level: 'error', message: 'mail_failed_unexpectedly' }));
  mail.error = undefined;
  memory.clock.advance(2 * minuteMs);
  await deliver(id);
  expect((await readEmailStatus(id)).status).toBe('sent');
});

describe('when mail is unavailable', () => {
  beforeEach(() => {
    mail.error = new EngineUnavailable('away');
  });

  test('the email stays queued with the reason, waits until it is due, and is sent when mail is available again', async () => {
    const { id } = await invite();
    await deliver(id);
    expect(await readEmailStatus(id)).toEqual({ status: 'queued', sent_at: null, error: 'mail_unavailable' });
    await deliver(id);
    expect(mail.tries).toBe(1);
    mail.error = undefined;
    memory.clock.advance(2 * minuteMs);
    await deliver(id);
    expect(await readEmailStatus(id)).toMatchObject({ status: 'sent', error: null });
    expect(sent).toHaveLength(1);
  });

  test('a starting host does not send an email before it is due', async () => {
    const { id } = await invite();
    await deliver(id);
    await resumeWork(deps);
    await deliver(id);
    expect(mail.tries).toBe(1);
  });

  test('the email fails after exactly one day', async () => {
    const { id } = await invite();
    await deliver(id);
    memory.clock.advance(24 * hourMs);
    await deliver(id);
    expect([mail.tries, (await readEmailStatus(id)).status]).toEqual([1, 'failed']);
  });

  test('the email is retried for a day with growing delays, then fails, and the invitation stays pending', async () => {
    const { id } = await invite();
    const until = memory.clock.now() + 30 * hourMs;
    while (memory.clock.now() < until) {
      await deliver(id);
      memory.clock.advance(minuteMs);
    }
    expect(mail.tries).toBeGreaterThan(8);
    expect(mail.tries).toBeLessThan(20);
    expect(await readEmailStatus(id)).toEqual({ status: 'failed', sent_at: null, error: 'mail_unavailable' });
    expect((await getInvitation(deps, caller, id)).status).toBe('pending');
    expect(await listPendingOwners(deps.store, 'mail')).toEqual([]);
  });

  test('a resend starts over, and its email arrives', async () => {
    const { id } = await invite();
    await deliver(id);
    mail.error = undefined;
    const { email_status } = await resendInvitation(deps, caller, id, origin);
    expect(email_status).toEqual({ status: 'queued', sent_at: null, error: null });
    await deliver(id);
    expect(sent).toHaveLength(1);
  });
});

test('an email that is requested again is retried for another day, frequently at first', async () => {
  mail.error = new EngineUnavailable('away');
  const { id } = await invite();
  const until = memory.clock.now() + 30 * hourMs;
  while (memory.clock.now() < until) {
    await deliver(id);
    memory.clock.advance(minuteMs);
  }
  expect((await readEmailStatus(id)).status).toBe('failed');
  await resendInvitation(deps, caller, id, origin);
  await deliver(id);
  expect((await readEmailStatus(id)).status).toBe('queued');
  mail.error = undefined;
  memory.clock.advance(2 * minuteMs);
  await deliver(id);
  expect((await readEmailStatus(id)).status).toBe('sent');
});

const logged = (code: LogCode) => memory.log.filter(({ message }) => message === code).map(({ fields }) => fields);

/**
 * Delivers every minute for this long, as the sweep would, and returns the time of each attempt, in
 * minutes after the start.
 */
async function deliverFor(id: string, minutes: number): Promise<number[]> {
  const from = memory.clock.now();
  const at: number[] = [];
  while (memory.clock.now() <= from + minutes * minuteMs) {
    const before = mail.tries;
    await deliver(id);
    if (mail.tries > before) at.push((memory.clock.now() - from) / minuteMs);
    memory.clock.advance(minuteMs);
  }
  return at;
}

describe('operators are alerted', () => {
  test('at each failed attempt, with its error but no address, three times within 15 minutes', async () => {
    mail.error = new EngineUnavailable('SES did not accept a message: InternalServiceErrorException');
    const { id } = await invite();
    await deliverFor(id, 15);
    expect(logged('mail_unavailable')).toEqual(
      oneTo(3).map((failures) => ({
        account_id: caller.account,
        env: 'live',
        invitation_id: id,
        reason: 'mail_unavailable',
        failures,
        pending_seconds: expect.any(Number),
        detail: mail.error?.message,
      })),
    );
    expect(printLog(memory.log)).not.toContain('example.com');
  });

  test('at the first email from a refused sender, which is retried hourly and arrives once the sender is fixed', async () => {
    mail.error = new SenderRefused(
      'identity_unverified',
      'SES did not accept a message: MailFromDomainNotVerifiedException',
    );
    const { id } = await invite();
    const at = await deliverFor(id, 5 * 60);
    expect(at.length).toBe(5);
    expect(logged('mail_sender_refused')).toContainEqual(
      expect.objectContaining({ invitation_id: id, reason: 'identity_unverified', failures: 1, pending_seconds: 0 }),
    );
    expect(await readEmailStatus(id)).toEqual({ status: 'queued', sent_at: null, error: 'identity_unverified' });
    mail.error = undefined;
    await deliverFor(id, 66);
    expect((await readEmailStatus(id)).status).toBe('sent');
  });

  test('when an email is given up, exactly a day after it was requested', async () => {
    memory.clock.freeze();
    mail.error = new EngineUnavailable('away');
    const { id } = await invite();
    await deliverFor(id, 24 * 60 - 1);
    expect((await readEmailStatus(id)).status).toBe('queued');
    await deliver(id);
    expect((await readEmailStatus(id)).status).toBe('failed');
    expect(logged('mail_given_up')).toEqual([
      { account_id: caller.account, env: 'live', invitation_id: id, reason: 'mail_unavailable' },
    ]);
  });

  test('only of a refusal when one email is refused for its content', async () => {
    mail.error = new MailRefused('message_rejected', 'SES did not accept a message: MessageRejected');
    const { id } = await invite();
    await deliver(id);
    expect(memory.log.filter(({ level }) => level !== 'info').map(({ message }) => message)).toEqual(['mail_refused']);
  });
});

describe('throttled emails', () => {
  test('are retried within seconds by their own message, however often, and do not count as failures', async () => {
    mail.error = new MailThrottled('SES did not accept a message: TooManyRequestsException');
    const { id } = await invite();
    for (const _ of oneTo(100)) {
      const before = mail.tries;
      await deliver(id);
      expect(mail.tries).toBe(before + 1);
      memory.clock.advance(121_000);
    }
    expect(memory.sentTo('mail')).toHaveLength(101);
    expect((await readEmailStatus(id)).status).toBe('queued');
    expect(logged('mail_throttled').at(-1)).toMatchObject({
      invitation_id: id,
      throttles: 100,
      pending_seconds: 99 * 121,
    });
    mail.error = new EngineUnavailable('away');
    await deliver(id);
    expect(logged('mail_unavailable')).toEqual([expect.objectContaining({ failures: 1 })]);
  });

  test('are not retried all at once', () => {
    const mail = { failures: 0, throttles: 3 } as const;
    const delays = [0, 0.25, 0.5, 0.999].map((share) => mailRetryDelayMs(new MailThrottled('busy'), mail, share));
    expect(delays).toEqual([1_000, 31_000, 61_000, 120_880]);
  });
});

describe('while the account is suspended', () => {
  const setStatus = (status: 'active' | 'suspended') => setAccountStatus(deps, caller.account, status);

  test('no email is sent and nothing is logged, and the email is sent once the account is active again', async () => {
    const { id } = await invite();
    await setStatus('suspended');
    await deliverFor(id, 120);
    expect(mail.tries).toBe(0);
    expect(await readEmailStatus(id)).toEqual({ status: 'queued', sent_at: null, error: 'account_suspended' });
    expect(memory.log.filter(({ level }) => level !== 'info')).toEqual([]);
    await setStatus('active');
    await deliverFor(id, 66);
    expect(sent).toHaveLength(1);
  });

  test('the email fails after a day, and a resend works', async () => {
    memory.clock.freeze();
    const { id } = await invite();
    await setStatus('suspended');
    await deliverFor(id, 24 * 60);
    expect(await readEmailStatus(id)).toEqual({ status: 'failed', sent_at: null, error: 'account_suspended' });
    expect(logged('mail_given_up')).toEqual([]);
    await setStatus('active');
    await resendInvitation(deps, caller, id, origin);
    await deliver(id);
    expect(sent).toHaveLength(1);
  });
});
