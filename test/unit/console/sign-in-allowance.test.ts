// What strangers can do to the mail of a colleague by requesting links: neither flood the mailbox nor
// keep its owner from signing in.
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import type { ColleagueRow } from '../../../shared/console/colleague-rows.ts';
import { createColleague, getColleague, hashColleagueEmail } from '../../../shared/console/colleagues.ts';
import { maxKnownNetworks } from '../../../shared/console/known-networks.ts';
import { sendSignInLink } from '../../../shared/console/send-sign-in-link.ts';
import { issueSignInLink, signInLinkMinutes, signInWithLink } from '../../../shared/console/sign-in-link.ts';
import { maxLinksPerHour } from '../../../shared/console/sign-in-mail-count.ts';
import { requestInvitationMail, requestSignInLink } from '../../../shared/console/sign-in-requests.ts';
import { EngineUnavailable, MailRefused } from '../../../shared/platform/ports.ts';
import { caller, deps, mail, memory, newMailWorld, origin, sent } from '../../harness/mail-world.ts';
import { fewRuns, runOptions } from '../../harness/property-runs.ts';

const minuteMs = 60_000;
const email = 'a.lex@example.com';
const office = '203.0.113.0/24';
const strangers = Array.from({ length: 200 }, (_, index) => `198.51.${index}.0/24`);
let owner: ColleagueRow;

const signInFrom = async (network: string | null, { account, id } = owner): Promise<void> => {
  const { url } = await issueSignInLink(deps, await getColleague(deps, account, id), origin);
  await signInWithLink(deps, new URL(url).hash.slice(1), { request: { network, id: 'a-request' } });
};

beforeEach(async () => {
  await newMailWorld();
  memory.clock.freeze();
  memory.clock.advance(3_600_000 - (memory.clock.now() % 3_600_000));
  owner = await createColleague(deps, caller.account, { email, role: 'owner' });
  await signInFrom(office);
});

async function workOff(first = 0): Promise<void> {
  for (const job of memory.sentTo('mail').slice(first))
    if (typeof job === 'object' && job !== null && 'sign_in_request_id' in job)
      await sendSignInLink(deps, { sign_in_request_id: String(job.sign_in_request_id) });
}

/** Returns whether a message was sent. */
async function request(network: string | null, address = email): Promise<boolean> {
  const [before, jobCount] = [sent.length, memory.sentTo('mail').length];
  await requestSignInLink(deps, { emailHash: hashColleagueEmail(deps, address), origin, network });
  await workOff(jobCount);
  return sent.length > before;
}

describe('a stranger', () => {
  test('who asks twenty times from four networks, for every spelling of the mailbox, locks nobody out', async () => {
    for (const network of strangers.slice(0, 4))
      for (const address of [email, 'A.LEX@example.com', 'a.lex+1@example.com', 'alex@example.com', email])
        await request(network, address);
    for (const network of [office, '192.0.2.0/24']) {
      memory.clock.advance(signInLinkMinutes * minuteMs);
      expect(await request(network)).toBe(true);
    }
  });

  test('does not use up anything by asking for addresses that nobody has', async () => {
    for (const network of strangers.slice(0, 30))
      for (const address of ['a.lex+tag@example.com', 'al.ex@example.com', 'alex@example.com'])
        expect(await request(network, address)).toBe(false);
    for (const network of strangers.slice(0, maxLinksPerHour.fromOthers)) expect(await request(network)).toBe(true);
  });

  test('who has every network there is leaves the network of the colleague alone', async () => {
    for (const network of strangers) await request(network);
    for (let count = 0; count < maxLinksPerHour.fromOneSource; count++) expect(await request(office)).toBe(true);
  });

  test('who asks all the time from everywhere causes at most twenty messages an hour', async () => {
    for (let minute = 0; minute < 60; minute++) {
      for (const network of strangers.slice(0, 40)) await request(network);
      memory.clock.advance(minuteMs);
    }
    expect(sent.length).toBeGreaterThan(maxLinksPerHour.fromOthers);
    expect(sent.length).toBeLessThanOrEqual(20);
  });

  test('who shares the colleague’s network, as everyone does behind a CDN, leaves a link that works', async () => {
    for (const network of [office, null, ...strangers.slice(0, 20)]) {
      for (let count = 0; count < 30; count++) await request(network);
    }
    for (let minute = 0; minute < 60; minute++) {
      await request(office);
      memory.clock.advance(minuteMs);
    }
    await request(office);
    const [, newest = ''] = /#([\w-]+)/.exec(sent.at(-1)?.text ?? '') ?? [];
    const { session } = await signInWithLink(deps, newest, { request: { network: office, id: 'a-request' } });
    expect(session.colleague).toBe(owner.id);
  });

  test('who invites the address to an account of their own does not use up the link of the colleague', async () => {
    for (let count = 0; count < 4; count++) {
      const { account_id } = await createAccount(deps, { name: `Evil ${count}` });
      const invited = await createColleague(deps, account_id, { email, role: 'support' });
      for (let message = 0; message < 6; message++) await requestInvitationMail(deps, invited, origin);
      await workOff();
    }
    expect(sent).toHaveLength(maxLinksPerHour.fromOthers);
    expect(await request('192.0.2.0/24')).toBe(true);
  });
});

test('what is refused is logged without the address, and costs nobody else anything', async () => {
  for (let count = 0; count < 6; count++) await request(office);
  expect(sent).toHaveLength(maxLinksPerHour.fromOneSource);
  expect(memory.log.filter(({ message }) => message === 'sign_in_requests_limited')).toMatchObject([
    { level: 'warn', fields: { sign_in_request_id: expect.any(String) } },
  ]);
  await createColleague(deps, caller.account, { email: 'robin@example.com', role: 'support' });
  expect(await request(office, 'robin@example.com')).toBe(true);
});

test('a message counts once, however often it is tried, and not at all if it is given up', async () => {
  mail.error = new EngineUnavailable('mail is unavailable');
  for (let count = 0; count < 5; count++) await request('192.0.2.0/24');
  memory.clock.advance(signInLinkMinutes * minuteMs);
  await workOff();
  mail.error = undefined;
  for (let count = 0; count < maxLinksPerHour.fromOneSource; count++) expect(await request('192.0.2.0/24')).toBe(true);
  expect(await request('192.0.2.0/24')).toBe(false);
});

test('two colleagues with addresses of one mailbox share its messages', async () => {
  const variant = 'A.LEX+lab@example.com';
  await createColleague(deps, caller.account, { email: variant, role: 'support' });
  for (const network of strangers.slice(0, maxLinksPerHour.fromOthers)) expect(await request(network)).toBe(true);
  expect(await request('192.0.2.0/24', variant)).toBe(false);
});

describe('a message that is given up', () => {
  const giveUpFrom = async (network: string): Promise<void> => {
    mail.error = new MailRefused('address_invalid', 'no such mailbox');
    expect(await request(network)).toBe(false);
    mail.error = undefined;
  };

  test('counts as no link that works', async () => {
    for (let count = 0; count < maxLinksPerHour.fromOneSource; count++) await request('192.0.2.0/24');
    memory.clock.advance(signInLinkMinutes * minuteMs);
    await giveUpFrom('192.0.2.0/24');
    expect(await request('192.0.2.0/24')).toBe(true);
  });

  test('in a network of the colleague leaves strangers no more messages', async () => {
    for (const network of strangers.slice(0, maxLinksPerHour.fromOthers)) expect(await request(network)).toBe(true);
    for (let count = 0; count < 4; count++) await giveUpFrom(office);
    const outcomes: boolean[] = [];
    for (const network of strangers.slice(20, 30)) outcomes.push(await request(network));
    // The first, because no link is known to work.
    expect(outcomes.filter((isSent) => isSent)).toHaveLength(1);
  });
});

test('a network in which the colleague signed in to any of their accounts is known', async () => {
  const { account_id } = await createAccount(deps, { name: 'The Second Lab' });
  const second = await createColleague(deps, account_id, { email, role: 'owner' });
  memory.clock.advance(minuteMs);
  await signInFrom('192.0.2.0/24', second);
  for (const network of strangers.slice(0, maxLinksPerHour.fromOthers)) await request(network);
  expect([await request(office), await request('192.0.2.0/24')]).toEqual([true, true]);
});

test('the last networks of a colleague are known, each once, and never as text', async () => {
  for (const network of [...strangers.slice(0, maxKnownNetworks + 3), null, office, office]) {
    memory.clock.advance(1);
    await signInFrom(network);
  }
  const { networks } = await getColleague(deps, caller.account, owner.id);
  expect([networks.length, new Set(networks).size]).toEqual([maxKnownNetworks, maxKnownNetworks]);
  expect(networks.join()).not.toMatch(/203|198/);
});

test('what is sent is what the sentence of the security page says', async () => {
  const Step = fc.record({
    waitMinutes: fc.constantFrom(0, 0, 0, 1, 9, 10, 11),
    from: fc.integer({ min: -1, max: 6 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { minLength: 20, maxLength: 60 }), async (steps) => {
      memory.clock.advance(7_200_000 - (memory.clock.now() % 3_600_000));
      const history: { atMs: number; from: number }[] = [];
      for (const { waitMinutes, from } of steps) {
        memory.clock.advance(waitMinutes * minuteMs);
        const atMs = memory.clock.now();
        const thisHour = history.filter((each) => Math.floor(each.atMs / 3_600_000) === Math.floor(atMs / 3_600_000));
        const fromHere = thisHour.filter((each) => each.from === from).length;
        const fromOthers = thisHour.filter((each) => each.from !== -1).length;
        const isWithin = fromHere < 5 && (from === -1 || fromOthers < 14);
        const doesLinkWork = thisHour.some((each) => atMs - each.atMs < 600_000);
        const isSent = await request(from === -1 ? office : (strangers[from] ?? null));
        expect(isSent).toBe(isWithin || !doesLinkWork);
        if (isSent) history.push({ atMs, from });
      }
    }),
    runOptions(fewRuns(0.2)),
  );
});
