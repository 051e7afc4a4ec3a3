// How messages of invitations end: refused, overtaken, revoked or left by a worker that died; and the links that they had.
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

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

beforeEach(newMailWorld);

test('what is owed when the sender is taken away ends as that, and a resend hands out the link', async () => {
  const { id } = await invite();
  removeSender();
  await deliver(id);
  expect(await readEmailStatus(id)).toEqual({ status: 'not_configured', sent_at: null, error: null });
  expect(await listPendingOwners(deps.store, 'mail')).toEqual([]);
  expect((await resendInvitation(deps, caller, id, origin)).join_url).toBeDefined();
});

test('a message that is refused for good is failed at once, with the reason; a resend works', async () => {
  mail.error = new MailRefused('address_invalid', 'no such box: Alex@example.com');
  const { id } = await invite();
  await deliver(id);
  expect(await readEmailStatus(id)).toEqual({ status: 'failed', sent_at: null, error: 'address_invalid' });
  expect(await listPendingOwners(deps.store, 'mail')).toEqual([]);
  expect((await getInvitation(deps, caller, id)).status).toBe('pending');
  expect(JSON.stringify(memory.log)).not.toContain('Alex@example.com');
  mail.error = undefined;
  await resendInvitation(deps, caller, id, origin);
  await deliver(id);
  expect(await readEmailStatus(id)).toMatchObject({ status: 'sent', error: null });
});

test('a message that nobody has tried yet is tried, however late', async () => {
  const { id } = await invite();
  memory.clock.advance(3 * 24 * hourMs);
  await deliver(id);
  expect(sent).toHaveLength(1);
});

test('somebody is woken when a message is refused, and nobody when its invitation has ended', async () => {
  const woken = () => memory.log.filter((line) => JSON.stringify(line).includes('mail refused'));
  const { id: ended } = await invite();
  memory.clock.advance(14 * 24 * hourMs);
  await deliver(ended);
  expect(woken()).toEqual([]);
  mail.error = new MailRefused('address_invalid', 'no such box');
  await deliver((await invite()).id);
  expect(woken()).toHaveLength(1);
});

async function diesWith(id: string): Promise<void> {
  mail.crashes = true;
  void deliver(id);
  await vi.waitFor(() => expect(mail.tries).toBe(1));
  mail.crashes = false;
}

test('a worker that dies with the message in hand leaves it to the next', async () => {
  const { id } = await invite();
  await diesWith(id);
  await deliver(id);
  expect(sent).toEqual([]);
  memory.clock.advance(2 * minuteMs);
  await deliver(id);
  expect(sent).toHaveLength(1);
});

test('a host that begins waits for nobody who is gone', async () => {
  const { id } = await invite();
  await diesWith(id);
  await resumeWork(deps);
  await deliver(id);
  expect(sent).toHaveLength(1);
});

test('nobody is written to whose invitation has ended', async () => {
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

test('one that has expired is not sent again, and says so', async () => {
  const { id } = await invite();
  memory.clock.advance(14 * 24 * hourMs);
  await expect(resendInvitation(deps, caller, id, origin)).rejects.toMatchObject({
    code: 'invitation_inactive',
    message: expect.stringContaining('is expired'),
  });
});

test('an invitation owes no message and knows no link from the moment it ends, whoever looks first', async () => {
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

test('every message has a link of its own, and the older ones stay good', async () => {
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

test('a link leads to the address at which its message was asked for', async () => {
  const { id } = await invite();
  await resendInvitation(deps, caller, id, 'https://other.example.com');
  await deliver(id);
  expect(sent[0]?.text).toContain('https://other.example.com/join/');
});

test('the link that somebody has stays good while a resend is tried in vain for a day', async () => {
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

test('a message whose answer was lost arrives with a good link, however often it is tried', async () => {
  const { id } = await invite();
  const tokens: string[] = [];
  const lost: Deps = {
    ...deps,
    mail: {
      async send(message) {
        tokens.push(tokenIn(message));
        throw new EngineUnavailable('the answer was lost');
      },
    },
  };
  while (tokens.length < 11) {
    await sendInvitation(lost, { account_id: caller.account, env: 'live', invitation_id: id });
    memory.clock.advance(minuteMs);
  }
  for (const token of tokens) expect((await openInvitation(deps, token)).problem).toBeUndefined();
});

test('a resend while a message is under way is not undone by how that went', async () => {
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

test('how an older message went says nothing of the newer one that another worker is at', async () => {
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

test('an invitation that is revoked while its message is tried in vain owes nothing', async () => {
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

test('how a try went says nothing of another that was made since and did send it', async () => {
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

test('without a sender nothing is owed, and the caller is handed the link, once', async () => {
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

describe('an address', () => {
  test('gets five messages a day, however often it is revoked and invited again, and more on the next', async () => {
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

  test('counts its messages on the day, those that are sent again too', async () => {
    const { id } = await invite();
    await resendInvitation(deps, caller, id, origin);
    const day = new Date(memory.clock.now()).toISOString().slice(0, 10);
    expect(await deps.store.table.get(keys.invitationCount(caller.account, 'live', day))).toMatchObject({ count: 2 });
  });
});
