// How invitation emails end: refused, superseded, revoked or abandoned by a worker that died, and
// what becomes of their links.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { resumeWork } from '../../../infra/local/resume-work.ts';
import { EngineUnavailable, MailRefused } from '../../../shared/platform/ports.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { keys } from '../../../shared/system/keys.ts';
import { acceptInvitation, openInvitation } from '../../../shared/team/accept-invitation.ts';
import { getInvitation, revokeInvitation } from '../../../shared/team/invitations.ts';
import { resendInvitation } from '../../../shared/team/invite-member.ts';
import { sendInvitation } from '../../../shared/team/send-invitation.ts';
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
  removeSender,
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

test('a pending email ends as not configured when the sender is removed, and a resend returns the link', async () => {
  const { id } = await invite();
  removeSender();
  await deliver(id);
  expect(await readEmailStatus(id)).toEqual({ status: 'not_configured', sent_at: null, error: null });
  expect(await listPendingOwners(deps.store, 'mail')).toEqual([]);
  expect((await resendInvitation(deps, caller, id, origin)).join_url).toBeDefined();
});

test('an email that is refused permanently fails at once with the reason, and a resend works', async () => {
  mail.error = new MailRefused('address_invalid', 'no such mailbox: Alex@example.com');
  const { id } = await invite();
  await deliver(id);
  expect(await readEmailStatus(id)).toEqual({ status: 'failed', sent_at: null, error: 'address_invalid' });
  expect(await listPendingOwners(deps.store, 'mail')).toEqual([]);
  expect((await getInvitation(deps, caller, id)).status).toBe('pending');
  expect(printLog(memory.log)).not.toContain('Alex@example.com');
  mail.error = undefined;
  await resendInvitation(deps, caller, id, origin);
  await deliver(id);
  expect(await readEmailStatus(id)).toMatchObject({ status: 'sent', error: null });
});

test('an email that was never tried is tried, however late', async () => {
  const { id } = await invite();
  memory.clock.advance(3 * 24 * hourMs);
  await deliver(id);
  expect(sent).toHaveLength(1);
});

test('an alarm is raised when an email is refused, and none when its invitation has ended', async () => {
  const woken = () => memory.log.filter((line) => JSON.stringify(line).includes('mail_refused'));
  const { id: ended } = await invite();
  memory.clock.advance(14 * 24 * hourMs);
  await deliver(ended);
  expect(woken()).toEqual([]);
  mail.error = new MailRefused('address_invalid', 'no such mailbox');
  await deliver((await invite()).id);
  expect(woken()).toHaveLength(1);
});

async function diesWith(id: string): Promise<void> {
  mail.crashes = true;
  void deliver(id);
  await vi.waitFor(() => expect(mail.tries).toBe(1));
  mail.crashes = false;
}

test('an email of a worker that dies is sent by the next one', async () => {
  const { id } = await invite();
  await diesWith(id);
  await deliver(id);
  expect(sent).toEqual([]);
  memory.clock.advance(2 * minuteMs);
  await deliver(id);
  expect(sent).toHaveLength(1);
});

test('a starting host does not wait for a worker that is gone', async () => {
  const { id } = await invite();
  await diesWith(id);
  await resumeWork(deps);
  await deliver(id);
  expect(sent).toHaveLength(1);
});

test('no email is sent for an invitation that has ended', async () => {
  const { id } = await invite();
  await revokeInvitation(deps, caller, id);
  await deliver(id);
  expect(await readEmailStatus(id)).toMatchObject({ status: 'failed', error: 'invitation_ended' });
  const late = await invite();
  memory.clock.advance(14 * 24 * hourMs);
  await deliver(late.id);
  expect(await readEmailStatus(late.id)).toMatchObject({ status: 'failed', error: 'invitation_ended' });
  expect(mail.tries).toBe(0);
  expect(await listPendingOwners(deps.store, 'mail')).toEqual([]);
});

test('an expired invitation is not sent again, and the error states it', async () => {
  const { id } = await invite();
  memory.clock.advance(14 * 24 * hourMs);
  await expect(resendInvitation(deps, caller, id, origin)).rejects.toMatchObject({
    code: 'invitation_inactive',
    message: expect.stringContaining('is expired'),
  });
});

test('an invitation has no pending email and no links from the moment it ends', async () => {
  const revoked = await invite();
  await deliver(revoked.id);
  await resendInvitation(deps, caller, revoked.id, origin);
  await revokeInvitation(deps, caller, revoked.id);
  const accepted = await invite();
  await deliver(accepted.id);
  await resendInvitation(deps, caller, accepted.id, origin);
  await acceptInvitation(deps, tokenIn(sent.at(-1) ?? throwNotSent()));
  for (const { id } of [revoked, accepted]) {
    expect(await readEmailStatus(id)).toMatchObject({ status: 'failed', error: 'invitation_ended' });
    expect(memory.table.rows().find((row) => row['id'] === id)).toMatchObject({ links: [] });
  }
});

test('every email has its own link, and the older links stay valid', async () => {
  const { id } = await invite();
  await deliver(id);
  for (const _ of oneTo(9)) {
    memory.clock.advance(24 * hourMs);
    await resendInvitation(deps, caller, id, origin);
    await deliver(id);
  }
  const tokens = sent.map(tokenIn);
  expect(new Set(tokens).size).toBe(10);
  for (const token of tokens) expect((await openInvitation(deps, token)).problem).toBeUndefined();
});

test('a link uses the origin at which its email was requested', async () => {
  const { id } = await invite();
  await resendInvitation(deps, caller, id, 'https://other.example.com');
  await deliver(id);
  expect(sent[0]?.text).toContain('https://other.example.com/join/');
});

test('an earlier link stays valid while a resend fails for a day', async () => {
  const { id } = await invite();
  await deliver(id);
  await resendInvitation(deps, caller, id, origin);
  mail.error = new EngineUnavailable('away');
  const until = memory.clock.now() + 30 * hourMs;
  while (memory.clock.now() < until) {
    await deliver(id);
    memory.clock.advance(15 * minuteMs);
  }
  expect(mail.tries).toBeGreaterThan(8);
  expect((await readEmailStatus(id)).status).toBe('failed');
  expect((await openInvitation(deps, tokenIn(sent[0] ?? throwNotSent()))).problem).toBeUndefined();
});

test('an email whose response was lost arrives with a valid link, however often it is tried', async () => {
  const { id } = await invite();
  const tokens: string[] = [];
  const lost: Deps = {
    ...deps,
    mail: {
      async send(message) {
        tokens.push(tokenIn(message));
        throw new EngineUnavailable('the response was lost');
      },
    },
  };
  while (tokens.length < 11) {
    await sendInvitation(lost, { account_id: caller.account, env: 'live', invitation_id: id });
    memory.clock.advance(minuteMs);
  }
  for (const token of tokens) expect((await openInvitation(deps, token)).problem).toBeUndefined();
});

test('a resend during a delivery is not undone by the outcome of that delivery', async () => {
  const { id } = await invite();
  const send = deps.mail.send;
  const slow: Deps = {
    ...deps,
    mail: {
      async send(message) {
        await resendInvitation(deps, caller, id, origin);
        await send(message);
      },
    },
  };
  await sendInvitation(slow, { account_id: caller.account, env: 'live', invitation_id: id });
  expect((await readEmailStatus(id)).status).toBe('queued');
  await deliver(id);
  expect(sent).toHaveLength(2);
  expect((await readEmailStatus(id)).status).toBe('sent');
});

test('the outcome of an older email does not affect the newer one that another worker sends', async () => {
  const { id } = await invite();
  const slow: Deps = {
    ...deps,
    mail: {
      async send() {
        await resendInvitation(deps, caller, id, origin);
        mail.error = new EngineUnavailable('away');
        await deliver(id);
      },
    },
  };
  await sendInvitation(slow, { account_id: caller.account, env: 'live', invitation_id: id });
  expect(await readEmailStatus(id)).toEqual({ status: 'queued', sent_at: null, error: 'mail_unavailable' });
  expect(await listPendingOwners(deps.store, 'mail')).toEqual([id]);
});

test('an invitation that is revoked while its email fails has nothing pending', async () => {
  const { id } = await invite();
  const slow: Deps = {
    ...deps,
    mail: {
      async send() {
        await revokeInvitation(deps, caller, id);
        throw new EngineUnavailable('away');
      },
    },
  };
  await sendInvitation(slow, { account_id: caller.account, env: 'live', invitation_id: id });
  expect(await readEmailStatus(id)).toEqual({ status: 'failed', sent_at: null, error: 'invitation_ended' });
  expect(await listPendingOwners(deps.store, 'mail')).toEqual([]);
});

test('the outcome of an attempt does not affect a later one that succeeded', async () => {
  const { id } = await invite();
  const slow: Deps = {
    ...deps,
    mail: {
      async send() {
        memory.clock.advance(2 * minuteMs);
        await deliver(id);
        throw new EngineUnavailable('away');
      },
    },
  };
  await sendInvitation(slow, { account_id: caller.account, env: 'live', invitation_id: id });
  expect([sent.length, (await readEmailStatus(id)).status]).toEqual([1, 'sent']);
  expect(await listPendingOwners(deps.store, 'mail')).toEqual([]);
});

test('without a sender nothing is pending, and the caller receives the link once', async () => {
  removeSender();
  const { id, join_url, email_status } = await invite();
  expect(email_status).toEqual({ status: 'not_configured', sent_at: null, error: null });
  expect(join_url).toMatch(/^https:\/\/api\.example\.com\/join\/[\w-]{100,}$/);
  expect(await listPendingOwners(deps.store, 'mail')).toEqual([]);
  expect(memory.sentTo('mail')).toEqual([]);
  expect(await getInvitation(deps, caller, id)).not.toHaveProperty('join_url');
  const again = await resendInvitation(deps, caller, id, origin);
  expect(again.join_url).not.toBe(join_url);
  for (const url of [join_url, again.join_url]) {
    const token = url?.split('/').at(-1) ?? '';
    expect((await openInvitation(deps, token)).problem).toBeUndefined();
  }
});

describe('an email address', () => {
  test('gets five emails a day, however often it is revoked and invited again, and more on the next day', async () => {
    let { id } = await invite();
    await resendInvitation(deps, caller, id, origin);
    for (const _ of oneTo(3)) {
      await revokeInvitation(deps, caller, id);
      ({ id } = await invite());
    }
    const midnight = new Date(Math.ceil(memory.clock.now() / (24 * hourMs)) * 24 * hourMs).toISOString();
    const refusal = { code: 'limit_reached', details: { limit: 5 }, message: expect.stringContaining(midnight) };
    await expect(resendInvitation(deps, caller, id, origin)).rejects.toMatchObject(refusal);
    await revokeInvitation(deps, caller, id);
    await expect(invite({ email: 'aLEX@example.com' })).rejects.toMatchObject(refusal);
    await invite({ email: 'somebody.else@example.com' });
    memory.clock.advance(24 * hourMs);
    await invite();
  });

  test('counts its emails of the day, including resent ones', async () => {
    const { id } = await invite();
    await resendInvitation(deps, caller, id, origin);
    const day = new Date(memory.clock.now()).toISOString().slice(0, 10);
    expect(await deps.store.table.get(keys.invitationCount(caller.account, 'live', day))).toMatchObject({ count: 2 });
  });
});
