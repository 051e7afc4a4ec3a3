// The message of an invitation is owed by its row: sent once, tried again for a day, and asked for again when that was not enough.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccount, setAccountStatus } from '../../../../shared/domain/access/accounts.ts';
import type { Deps } from '../../../../shared/domain/deps.ts';
import { getInvitation, revokeInvitation } from '../../../../shared/domain/team/invitations.ts';
import { inviteMember, resendInvitation } from '../../../../shared/domain/team/invite.ts';
import { acceptInvitation, openInvitation } from '../../../../shared/domain/team/join.ts';
import { pauseAfter } from '../../../../shared/domain/team/mail-pauses.ts';
import { sendInvitation } from '../../../../shared/domain/team/send-invitation.ts';
import { resumeWork } from '../../../../shared/domain/work/resume.ts';
import {
  EngineUnavailable,
  type MailMessage,
  MailRefused,
  MailThrottled,
  SenderRefused,
} from '../../../../shared/engine/ports.ts';
import type { Caller } from '../../../../shared/model/account.ts';
import type { EmailStatus } from '../../../../shared/model/team.ts';
import { keys } from '../../../../shared/store/keys.ts';
import { type MemoryDeps, memoryDeps } from '../../../harness/memory-deps.ts';
import { oneTo } from '../../../harness/outbox.ts';
import { owedTo } from '../../../harness/owed.ts';

const origin = 'https://api.example.com';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let memory: MemoryDeps;
let deps: Deps;
let caller: Caller;
let sent: MailMessage[];
let trouble: Error | undefined;
let tries: number;
/** The worker is gone before mail has answered it. */
let dies: boolean;

beforeEach(async () => {
  memory = memoryDeps();
  sent = [];
  trouble = undefined;
  tries = 0;
  dies = false;
  const send = async (message: MailMessage) => {
    tries++;
    if (dies) await new Promise(() => {});
    if (trouble) throw trouble;
    sent.push(message);
  };
  deps = { ...memory.deps, place: { kind: 'local', mailSender: 'team@example.com' }, mail: { send } };
  const { account_id } = await createAccount(deps, { name: 'The Lab' });
  caller = { kind: 'api_key', account: account_id, env: 'live', form: 2 };
});

const invite = (more = {}) => inviteMember(deps, caller, { email: 'Alex@example.com', ...more }, origin);
const deliver = (invitation_id: string) =>
  sendInvitation(deps, { account_id: caller.account, env: 'live', invitation_id });
const mailOf = async (id: string): Promise<EmailStatus> => (await getInvitation(deps, caller, id)).email_status;
const tokenIn = ({ text }: MailMessage): string => /\/join\/([\w-]+)/.exec(text)?.[1] ?? '';

describe('a message', () => {
  test('is owed with the invitation, and the queue is only told of it', async () => {
    const { id, email_status, join_url } = await invite();
    expect(email_status).toEqual({ status: 'queued', sent_at: null, error: null });
    expect(join_url).toBeUndefined();
    expect(memory.sentTo('mail')).toEqual([{ account_id: caller.account, env: 'live', invitation_id: id }]);
    expect(await owedTo(deps.store, 'mail')).toEqual([id]);
    expect(tries).toBe(0);
  });

  test('is sent once, in the language that was asked for, with a link that works; then nothing is owed', async () => {
    const { id } = await invite({ name: 'Alex Kim', language: 'de' });
    await Promise.all(oneTo(5).map(() => deliver(id)));
    await deliver(id);
    expect(sent).toHaveLength(1);
    const [message] = sent;
    expect(message?.to).toBe('Alex@example.com');
    expect(message?.subject).toContain('The Lab lädt Sie');
    expect(message?.text).toContain(`${origin}/join/`);
    expect(await mailOf(id)).toEqual({
      status: 'sent',
      sent_at: new Date(memory.clock.now()).toISOString(),
      error: null,
    });
    expect(await owedTo(deps.store, 'mail')).toEqual([]);
    expect((await acceptInvitation(deps, tokenIn(message ?? never()))).problem).toBeUndefined();
  });

  test('that is lost in the queue is found by what the row owes', async () => {
    memory.closed.add('mail');
    const { id } = await invite();
    expect(memory.sentTo('mail')).toEqual([]);
    expect(await owedTo(deps.store, 'mail')).toEqual([id]);
  });

  test('leaves no word in the table that opens the invitation', async () => {
    const { id } = await invite();
    await deliver(id);
    const token = tokenIn(sent[0] ?? never());
    expect(JSON.stringify(memory.table.rows())).not.toContain(token);
  });
});

test('an error that nobody foresaw is shown as any trouble of mail, told as a fault of ours, and tried again', async () => {
  trouble = new TypeError('a bug');
  const { id } = await invite();
  await deliver(id);
  expect(await mailOf(id)).toEqual({ status: 'queued', sent_at: null, error: 'mail_unavailable' });
  expect(memory.log).toContainEqual(expect.objectContaining({ level: 'error', message: 'mail failed unexpectedly' }));
  trouble = undefined;
  memory.clock.advance(2 * minuteMs);
  await deliver(id);
  expect((await mailOf(id)).status).toBe('sent');
});

describe('when mail is away', () => {
  beforeEach(() => {
    trouble = new EngineUnavailable('away');
  });

  test('the message stays queued and says why, waits for its time, and goes out when mail is back', async () => {
    const { id } = await invite();
    await deliver(id);
    expect(await mailOf(id)).toEqual({ status: 'queued', sent_at: null, error: 'mail_unavailable' });
    await deliver(id);
    expect(tries).toBe(1);
    trouble = undefined;
    memory.clock.advance(2 * minuteMs);
    await deliver(id);
    expect(await mailOf(id)).toMatchObject({ status: 'sent', error: null });
    expect(sent).toHaveLength(1);
  });

  test('a host that begins does not hurry a message that waits for its time', async () => {
    const { id } = await invite();
    await deliver(id);
    await resumeWork(deps);
    await deliver(id);
    expect(tries).toBe(1);
  });

  test('it is given up from the very moment that a day is over', async () => {
    const { id } = await invite();
    await deliver(id);
    memory.clock.advance(24 * hourMs);
    await deliver(id);
    expect([tries, (await mailOf(id)).status]).toEqual([1, 'failed']);
  });

  test('it is tried for a day, ever more rarely, and then given up; the invitation stays pending', async () => {
    const { id } = await invite();
    const until = memory.clock.now() + 30 * hourMs;
    while (memory.clock.now() < until) {
      await deliver(id);
      memory.clock.advance(minuteMs);
    }
    expect(tries).toBeGreaterThan(8);
    expect(tries).toBeLessThan(20);
    expect(await mailOf(id)).toEqual({ status: 'failed', sent_at: null, error: 'mail_unavailable' });
    expect((await getInvitation(deps, caller, id)).status).toBe('pending');
    expect(await owedTo(deps.store, 'mail')).toEqual([]);
  });

  test('a resend begins anew, and its message arrives', async () => {
    const { id } = await invite();
    await deliver(id);
    trouble = undefined;
    const { email_status } = await resendInvitation(deps, caller, id, origin);
    expect(email_status).toEqual({ status: 'queued', sent_at: null, error: null });
    await deliver(id);
    expect(sent).toHaveLength(1);
  });
});

test('a message that is asked for again is tried for a day of its own, and often at first', async () => {
  trouble = new EngineUnavailable('away');
  const { id } = await invite();
  const until = memory.clock.now() + 30 * hourMs;
  while (memory.clock.now() < until) {
    await deliver(id);
    memory.clock.advance(minuteMs);
  }
  expect((await mailOf(id)).status).toBe('failed');
  await resendInvitation(deps, caller, id, origin);
  await deliver(id);
  expect((await mailOf(id)).status).toBe('queued');
  trouble = undefined;
  memory.clock.advance(2 * minuteMs);
  await deliver(id);
  expect((await mailOf(id)).status).toBe('sent');
});

const logged = (words: string) => memory.log.filter(({ message }) => message === words).map(({ fields }) => fields);

/** Every minute for so long, as the sweep would; when each try was, in minutes after the first moment. */
async function triedFor(id: string, minutes: number): Promise<number[]> {
  const from = memory.clock.now();
  const at: number[] = [];
  while (memory.clock.now() <= from + minutes * minuteMs) {
    const before = tries;
    await deliver(id);
    if (tries > before) at.push((memory.clock.now() - from) / minuteMs);
    memory.clock.advance(minuteMs);
  }
  return at;
}

describe('an operator hears of it', () => {
  test('each time nobody takes a message, by its own error and with no address; three times within a quarter of an hour', async () => {
    trouble = new EngineUnavailable('SES did not take a mail: InternalServiceErrorException');
    const { id } = await invite();
    await triedFor(id, 15);
    expect(logged('mail was not taken; it is tried again later')).toEqual(
      oneTo(3).map((failures) => ({
        account: caller.account,
        env: 'live',
        invitation: id,
        reason: 'mail_unavailable',
        failures,
        owed_seconds: expect.any(Number),
        message: trouble?.message,
      })),
    );
    expect(JSON.stringify(memory.log)).not.toContain('example.com');
  });

  test('at the first message when the sender is refused, which is tried each hour and arrives once that is put right', async () => {
    trouble = new SenderRefused('identity_unverified', 'SES did not take a mail: MailFromDomainNotVerifiedException');
    const { id } = await invite();
    const at = await triedFor(id, 5 * 60);
    expect(at.length).toBe(5);
    expect(logged('mail of this sender is refused; it is tried again hourly')).toContainEqual(
      expect.objectContaining({ invitation: id, reason: 'identity_unverified', failures: 1, owed_seconds: 0 }),
    );
    expect(await mailOf(id)).toEqual({ status: 'queued', sent_at: null, error: 'identity_unverified' });
    trouble = undefined;
    await triedFor(id, 66);
    expect((await mailOf(id)).status).toBe('sent');
  });

  test('when a message is given up, which is a day after it was asked for and no later', async () => {
    trouble = new EngineUnavailable('away');
    const { id } = await invite();
    await triedFor(id, 24 * 60 - 1);
    expect((await mailOf(id)).status).toBe('queued');
    await deliver(id);
    expect((await mailOf(id)).status).toBe('failed');
    expect(logged('mail was given up')).toEqual([
      { account: caller.account, env: 'live', invitation: id, reason: 'mail_unavailable' },
    ]);
  });

  test('not when one message is refused for what is in it', async () => {
    trouble = new MailRefused('message_rejected', 'SES did not take a mail: MessageRejected');
    const { id } = await invite();
    await deliver(id);
    expect(memory.log.filter(({ level }) => level !== 'info').map(({ message }) => message)).toEqual(['mail refused']);
  });
});

describe('too many messages at once', () => {
  test('come back within seconds by a message of their own, however often, and do not count as failures', async () => {
    trouble = new MailThrottled('SES did not take a mail: TooManyRequestsException');
    const { id } = await invite();
    for (const _ of oneTo(100)) {
      const before = tries;
      await deliver(id);
      expect(tries).toBe(before + 1);
      memory.clock.advance(121_000);
    }
    expect(memory.sentTo('mail')).toHaveLength(101);
    expect((await mailOf(id)).status).toBe('queued');
    expect(logged('mail is throttled; it is tried again soon').at(-1)).toMatchObject({
      invitation: id,
      throttles: 100,
      owed_seconds: 99 * 121,
    });
    trouble = new EngineUnavailable('away');
    await deliver(id);
    expect(logged('mail was not taken; it is tried again later')).toEqual([expect.objectContaining({ failures: 1 })]);
  });

  test('do not come back together', () => {
    const mail = { failures: 0, throttles: 3 } as const;
    const pauses = [0, 0.25, 0.5, 0.999].map((share) => pauseAfter(new MailThrottled('busy'), mail, share));
    expect(pauses).toEqual([1_000, 31_000, 61_000, 120_880]);
  });
});

describe('while its account is suspended', () => {
  const become = (status: 'active' | 'suspended') => setAccountStatus(deps, caller.account, status);

  test('nobody is written to and nobody woken; the message goes out once the account is active again', async () => {
    const { id } = await invite();
    await become('suspended');
    await triedFor(id, 120);
    expect(tries).toBe(0);
    expect(await mailOf(id)).toEqual({ status: 'queued', sent_at: null, error: 'account_suspended' });
    expect(memory.log.filter(({ level }) => level !== 'info')).toEqual([]);
    await become('active');
    await triedFor(id, 66);
    expect(sent).toHaveLength(1);
  });

  test('it is given up after a day, and a resend works', async () => {
    const { id } = await invite();
    await become('suspended');
    await triedFor(id, 24 * 60);
    expect(await mailOf(id)).toEqual({ status: 'failed', sent_at: null, error: 'account_suspended' });
    expect(logged('mail was given up')).toEqual([]);
    await become('active');
    await resendInvitation(deps, caller, id, origin);
    await deliver(id);
    expect(sent).toHaveLength(1);
  });
});

test('what is owed when the sender is taken away ends as that, and a resend hands out the link', async () => {
  const { id } = await invite();
  deps = { ...deps, place: { kind: 'local' } };
  await deliver(id);
  expect(await mailOf(id)).toEqual({ status: 'not_configured', sent_at: null, error: null });
  expect(await owedTo(deps.store, 'mail')).toEqual([]);
  expect((await resendInvitation(deps, caller, id, origin)).join_url).toBeDefined();
});

test('a message that is refused for good is failed at once, with the reason; a resend works', async () => {
  trouble = new MailRefused('address_invalid', 'no such box: Alex@example.com');
  const { id } = await invite();
  await deliver(id);
  expect(await mailOf(id)).toEqual({ status: 'failed', sent_at: null, error: 'address_invalid' });
  expect(await owedTo(deps.store, 'mail')).toEqual([]);
  expect((await getInvitation(deps, caller, id)).status).toBe('pending');
  expect(JSON.stringify(memory.log)).not.toContain('Alex@example.com');
  trouble = undefined;
  await resendInvitation(deps, caller, id, origin);
  await deliver(id);
  expect(await mailOf(id)).toMatchObject({ status: 'sent', error: null });
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
  trouble = new MailRefused('address_invalid', 'no such box');
  await deliver((await invite()).id);
  expect(woken()).toHaveLength(1);
});

async function diesWith(id: string): Promise<void> {
  dies = true;
  void deliver(id);
  await vi.waitFor(() => expect(tries).toBe(1));
  dies = false;
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
  expect(await mailOf(id)).toMatchObject({ status: 'failed', error: 'invitation_ended' });
  const late = await invite();
  memory.clock.advance(14 * 24 * hourMs);
  await deliver(late.id);
  expect(await mailOf(late.id)).toMatchObject({ status: 'failed', error: 'invitation_ended' });
  expect(tries).toBe(0);
  expect(await owedTo(deps.store, 'mail')).toEqual([]);
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
  await acceptInvitation(deps, tokenIn(sent.at(-1) ?? never()));
  for (const { id } of [revoked, accepted]) {
    expect(await mailOf(id)).toMatchObject({ status: 'failed', error: 'invitation_ended' });
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
  trouble = new EngineUnavailable('away');
  const until = memory.clock.now() + 30 * hourMs;
  while (memory.clock.now() < until) {
    await deliver(id);
    memory.clock.advance(15 * minuteMs);
  }
  expect(tries).toBeGreaterThan(8);
  expect((await mailOf(id)).status).toBe('failed');
  expect((await openInvitation(deps, tokenIn(sent[0] ?? never()))).problem).toBeUndefined();
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
  expect((await mailOf(id)).status).toBe('queued');
  await deliver(id);
  expect(sent).toHaveLength(2);
  expect((await mailOf(id)).status).toBe('sent');
});

test('how an older message went says nothing of the newer one that another worker is at', async () => {
  const { id } = await invite();
  const slow: Deps = {
    ...deps,
    mail: {
      async send() {
        await resendInvitation(deps, caller, id, origin);
        trouble = new EngineUnavailable('away');
        await deliver(id);
      },
    },
  };
  await sendInvitation(slow, { account_id: caller.account, env: 'live', invitation_id: id });
  expect(await mailOf(id)).toEqual({ status: 'queued', sent_at: null, error: 'mail_unavailable' });
  expect(await owedTo(deps.store, 'mail')).toEqual([id]);
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
  expect(await mailOf(id)).toEqual({ status: 'failed', sent_at: null, error: 'invitation_ended' });
  expect(await owedTo(deps.store, 'mail')).toEqual([]);
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
  expect([sent.length, (await mailOf(id)).status]).toEqual([1, 'sent']);
  expect(await owedTo(deps.store, 'mail')).toEqual([]);
});

test('without a sender nothing is owed, and the caller is handed the link, once', async () => {
  deps = { ...deps, place: { kind: 'local' } };
  const { id, join_url, email_status } = await invite();
  expect(email_status).toEqual({ status: 'not_configured', sent_at: null, error: null });
  expect(join_url).toMatch(/^https:\/\/api\.example\.com\/join\/[\w-]{100,}$/);
  expect(await owedTo(deps.store, 'mail')).toEqual([]);
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

const never = (): never => {
  throw new Error('nothing was sent');
};
