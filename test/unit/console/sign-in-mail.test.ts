// Sign-in links by mail: who gets one, how often, and what becomes of a message that is not accepted
// or whose worker is gone.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { resumeWork } from '../../../infra/local/resume-work.ts';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { type ColleagueRow, colleagueRows } from '../../../shared/console/colleague-rows.ts';
import { createColleague, hashColleagueEmail } from '../../../shared/console/colleagues.ts';
import { sendSignInLink } from '../../../shared/console/send-sign-in-link.ts';
import { issueSignInLink, signInLinkMinutes, signInWithLink } from '../../../shared/console/sign-in-link.ts';
import { type SignInRequestRow, signInRequestRows } from '../../../shared/console/sign-in-request-rows.ts';
import { requestInvitationMail, requestSignInLink } from '../../../shared/console/sign-in-requests.ts';
import { EngineUnavailable, MailRefused, MailThrottled, SenderRefused } from '../../../shared/platform/ports.ts';
import { consoleKeys } from '../../../shared/system/console-keys.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { consoleRequest } from '../../harness/console-world.ts';
import { interleavedTable } from '../../harness/interleaved-table.ts';
import { caller, deps, mail, memory, newMailWorld, origin, removeSender, sent } from '../../harness/mail-world.ts';
import { listPendingOwners } from '../../harness/pending-work.ts';
import { printLog } from '../../harness/print-log.ts';

const minuteMs = 60_000;
const leaseMs = 2 * minuteMs;
const windowMs = signInLinkMinutes * minuteMs;
const email = 'Alex@example.com';
let colleague: ColleagueRow;

beforeEach(async () => {
  await newMailWorld();
  colleague = await createColleague(deps, caller.account, { email, role: 'support' });
});

const listJobs = (): { sign_in_request_id: string }[] =>
  memory.sentTo('mail').flatMap((job) => {
    const id = typeof job === 'object' && job !== null && 'sign_in_request_id' in job ? job.sign_in_request_id : '';
    return typeof id === 'string' && id !== '' ? [{ sign_in_request_id: id }] : [];
  });

/** Returns the job that wakes the worker; without an id if the request was not accepted. */
async function request(address = email, network = '192.0.2.0/24'): Promise<{ sign_in_request_id: string }> {
  const before = listJobs().length;
  const emailHash = hashColleagueEmail(deps, address);
  await requestSignInLink(deps, { emailHash, origin, network });
  return listJobs()[before] ?? { sign_in_request_id: '' };
}

const deliver = (job: { sign_in_request_id: string }, on: Deps = deps) => sendSignInLink(on, job);
const readRow = ({ sign_in_request_id }: { sign_in_request_id: string }): Promise<SignInRequestRow | undefined> =>
  signInRequestRows(deps.store).find(sign_in_request_id);
const listPending = () => listPendingOwners(deps.store, 'mail');
const secretsIn = (text = ''): string[] =>
  [...text.matchAll(/\/console\/sign-in#([\w-]+)/g)].map(([, one = '']) => one);
const signInWith = (secret: string) => signInWithLink(deps, secret, { request: consoleRequest });
const logged = (code: string) => memory.log.filter(({ message }) => message === code);

/** The worker that holds the lease never gets an answer. */
async function startWorkerThatDies(job: { sign_in_request_id: string }): Promise<void> {
  const { tries } = mail;
  mail.crashes = true;
  void deliver(job);
  await vi.waitFor(() => expect(mail.tries).toBe(tries + 1));
  mail.crashes = false;
}

describe('a request', () => {
  test('sends one message whose link signs in, and leaves no work behind', async () => {
    const job = await request();
    await deliver(job);
    await deliver(job);
    expect(sent.map(({ to }) => to)).toEqual([email]);
    const [secret = '', ...others] = secretsIn(sent[0]?.text);
    expect([others, (await signInWith(secret)).session.colleague]).toEqual([[], colleague.id]);
    expect([await readRow(job), await listPending()]).toEqual([undefined, []]);
  });

  test('for an address that nobody has ends without a message, as if it had been sent', async () => {
    const job = await request('stranger@example.com');
    expect(await listPending()).toHaveLength(1);
    await deliver(job);
    expect([sent, mail.tries, await listPending()]).toEqual([[], 0, []]);
  });

  test('of a colleague who is removed meanwhile ends without a message', async () => {
    const job = await request();
    const remove = () => deps.store.commit(colleagueRows(deps.store).buildDelete(colleague));
    // After the request was read and the address was found.
    const { table, hasRun } = interleavedTable(memory.table, 3, remove);
    await deliver(job, { ...memory.withTable(table), deployment: deps.deployment, mail: deps.mail });
    expect([hasRun(), mail.tries, await listPending()]).toEqual([true, 0, []]);
  });

  test('names an account in one line and without a link, whatever its name', async () => {
    for (const name of ['Evil\nhttps://evil.example', '\u200b']) {
      const { account_id } = await createAccount(deps, { name });
      await createColleague(deps, account_id, { email: 'robin@example.com', role: 'support' });
    }
    await deliver(await request('robin@example.com'));
    expect(sent[0]?.text).not.toContain('https://evil.example');
    expect(sent[0]?.text).not.toMatch(/^.*evil\.example/m);
    expect(sent[0]?.text).toContain('Sign in to Daybook:\n');
  });

  test('stores nothing when the deployment sends no mail', async () => {
    removeSender();
    expect((await request()).sign_in_request_id).toBe('');
    expect([await listPending(), listJobs(), logged('sign_in_requests_limited')]).toEqual([[], [], []]);
  });

  test('has a link for each account of the address, and an invitation only one for its own', async () => {
    const { account_id } = await createAccount(deps, { name: 'The Club' });
    const invited = await createColleague(deps, account_id, { email, role: 'owner' });
    await deliver(await request());
    expect(sent[0]?.text).toContain('Sign in to The Lab:');
    expect(secretsIn(sent[0]?.text)).toHaveLength(2);
    await requestInvitationMail(deps, invited, origin);
    await deliver(listJobs().at(-1) ?? { sign_in_request_id: '' });
    const [secret = '', ...others] = secretsIn(sent[1]?.text);
    expect([others, (await signInWith(secret)).session.account]).toEqual([[], account_id]);
    expect([sent[1]?.subject, sent[1]?.text]).toEqual([
      'You can now use the Daybook console of The Club',
      expect.not.stringContaining('The Lab'),
    ]);
  });

  test('of someone in very many accounts has links to the twenty that they used last, and says so', async () => {
    const join = async (name: string, uses: boolean): Promise<void> => {
      const { account_id } = await createAccount(deps, { name });
      const row = await createColleague(deps, account_id, { email, role: 'support' });
      const { url } = await issueSignInLink(deps, row, origin);
      if (uses) await signInWith(new URL(url).hash.slice(1));
    };
    for (let count = 0; count < 21; count++) await join(`Unused ${count}`, false);
    await join('Used first', true);
    await join('Used last', true);
    await deliver(await request());
    const { text = '' } = sent[0] ?? {};
    expect(secretsIn(text)).toHaveLength(20);
    expect([...text.matchAll(/^Sign in to (.*):$/gm)].slice(0, 3).map(([, name]) => name)).toEqual([
      'Used last',
      'Used first',
      'The Lab',
    ]);
    expect(text).toContain('For 4 more, ask an owner of the account for a link.');
  });
});

describe('a message', () => {
  test('that mail cannot take is tried again after some time, with a new link each time', async () => {
    const job = await request();
    mail.error = new EngineUnavailable('mail is unavailable');
    await deliver(job);
    await deliver(job);
    expect([mail.tries, logged('mail_unavailable')]).toMatchObject([1, [{ fields: { failures: 1, throttles: 0 } }]]);
    expect(await readRow(job)).toMatchObject({ tries: 1, failures: 1, throttles: 0, isLeased: false });
    expect(listJobs()).toEqual([job, job]);
    mail.error = undefined;
    memory.clock.advance(1.2 * minuteMs);
    await deliver(job);
    expect([sent.length, await listPending()]).toEqual([1, []]);
    await signInWith(secretsIn(sent[0]?.text)[0] ?? '');
  });

  test.each([
    [new MailThrottled('slower'), 'mail_throttled', { failures: 0, throttles: 1 }],
    [new SenderRefused('identity_unverified', 'no'), 'mail_sender_refused', { failures: 1, throttles: 0 }],
    [new EngineUnavailable('away'), 'mail_unavailable', { failures: 1, throttles: 0 }],
  ])('that fails with %s is logged as %s and counted', async (error, code, counts) => {
    const job = await request();
    mail.error = error;
    await deliver(job);
    expect(logged(code)).toMatchObject([{ level: 'warn', fields: counts }]);
    expect(await readRow(job)).toMatchObject(counts);
    expect(printLog(memory.log)).not.toMatch(/alex@example/i);
  });

  test('is tried for ten minutes at most, and the last try is not later', async () => {
    const job = await request();
    const { requestedMs = 0 } = (await readRow(job)) ?? {};
    mail.error = new SenderRefused('identity_unverified', 'an operator has to fix this');
    await deliver(job);
    expect((await readRow(job))?.nextMs).toBe(requestedMs + windowMs);
    memory.clock.freeze();
    memory.clock.advance(requestedMs + windowMs - memory.clock.now());
    mail.error = undefined;
    await deliver(job);
    expect([sent, await listPending(), logged('sign_in_mail_given_up')]).toMatchObject([
      [],
      [],
      [{ fields: { sign_in_request_id: job.sign_in_request_id, reason: 'mail_unavailable' } }],
    ]);
  });

  test('is sent in the last moment of the ten minutes', async () => {
    const job = await request();
    const { requestedMs = 0 } = (await readRow(job)) ?? {};
    memory.clock.freeze();
    memory.clock.advance(requestedMs + windowMs - memory.clock.now() - 1);
    await deliver(job);
    expect(sent).toHaveLength(1);
  });

  test('that is refused for good is given up at once with the reason', async () => {
    const job = await request();
    mail.error = new MailRefused('address_invalid', 'no such mailbox: Alex@example.com');
    await deliver(job);
    expect([await readRow(job), await listPending(), logged('sign_in_mail_given_up')]).toMatchObject([
      undefined,
      [],
      [{ fields: { reason: 'address_invalid' } }],
    ]);
    expect(printLog(memory.log)).not.toMatch(/alex@example/i);
  });

  test('is given up if the sender was removed', async () => {
    const job = await request();
    removeSender();
    await deliver(job);
    expect([mail.tries, await listPending(), logged('sign_in_mail_given_up')]).toMatchObject([
      0,
      [],
      [{ fields: { reason: 'not_configured' } }],
    ]);
  });

  test('that fails because of a bug fails loudly, and is tried again after the lease', async () => {
    const job = await request();
    mail.error = new Error('a bug');
    await expect(deliver(job)).rejects.toThrow('a bug');
    expect(await readRow(job)).toMatchObject({ failures: 0, isLeased: true });
    mail.error = undefined;
    memory.clock.advance(leaseMs);
    await deliver(job);
    expect(sent).toHaveLength(1);
  });
});

describe('a lease', () => {
  test('lets one of two workers send that begin at the same moment', async () => {
    const job = await request();
    await deliver(job, { ...memory.interruptedBy(() => deliver(job)), deployment: deps.deployment, mail: deps.mail });
    expect([sent.length, await listPending()]).toEqual([1, []]);
  });

  test('of a worker that dies ends after two minutes, and the next one sends the message', async () => {
    const job = await request();
    memory.clock.freeze();
    await startWorkerThatDies(job);
    expect(await readRow(job)).toMatchObject({ tries: 1, isLeased: true });
    memory.clock.advance(leaseMs - 1);
    await deliver(job);
    expect(sent).toEqual([]);
    memory.clock.advance(1);
    await deliver(job);
    expect([sent.length, await listPending()]).toEqual([1, []]);
  });

  test('ends when a host starts, because no worker is running then', async () => {
    const job = await request();
    await startWorkerThatDies(job);
    await resumeWork(deps);
    await deliver(job);
    expect(sent).toHaveLength(1);
  });

  test('that no worker holds is not ended, so a message that waits goes on waiting', async () => {
    const job = await request();
    mail.error = new EngineUnavailable('mail is unavailable');
    await deliver(job);
    const before = await readRow(job);
    const key = consoleKeys.signInRequest(job.sign_in_request_id);
    await signInRequestRows(deps.store).endLease(key, memory.clock.now());
    expect(await readRow(job)).toEqual(before);
    await signInRequestRows(deps.store).endLease(consoleKeys.signInRequest('nobody'), memory.clock.now());
  });

  test('that another worker took over is not changed by the one that comes too late', async () => {
    const job = await request();
    const failing: Deps = {
      ...deps,
      mail: {
        send: async () => {
          memory.clock.advance(leaseMs);
          await startWorkerThatDies(job);
          throw new EngineUnavailable('an answer that comes too late');
        },
      },
    };
    const jobs = listJobs().length;
    await deliver(job, failing);
    expect(await readRow(job)).toMatchObject({ tries: 2, failures: 0, isLeased: true });
    expect(listJobs()).toHaveLength(jobs);
  });
});
