// Sessions of colleagues: how long each lasts, how often it is used, and what ends it.
import { beforeEach, describe, expect, test } from 'vitest';
import { recentSignInMs } from '../../../shared/console/admit-session.ts';
import { removeColleague, resetColleagueAccess, updateColleague } from '../../../shared/console/colleagues.ts';
import { listConsoleSessions, revokeConsoleSession } from '../../../shared/console/console-sessions.ts';
import { maxSessions, type OpenedConsoleSession } from '../../../shared/console/open-console-session.ts';
import { signInWithLink } from '../../../shared/console/sign-in-link.ts';
import { consoleRateLimit } from '../../../shared/platform/rate-limit.ts';
import { RateLimited } from '../../../shared/system/admission.ts';
import { consoleKeys } from '../../../shared/system/console-keys.ts';
import { keys } from '../../../shared/system/keys.ts';
import { type ConsoleWorld, consoleOrigin, consoleRequest, openConsoleWorld } from '../../harness/console-world.ts';

const hourMs = 3_600_000;
const ended = { code: 'invalid_token' };
let world: ConsoleWorld;
beforeEach(async () => {
  world = await openConsoleWorld();
});

describe('a session', () => {
  test('lasts exactly twelve hours, although its row is still there', async () => {
    const opened = await world.signIn(await world.add());
    world.clock.freeze();
    world.clock.advance(opened.session.expiresMs - world.clock.now() - 1);
    await world.admit(opened);
    world.clock.advance(1);
    await expect(world.admit(opened)).rejects.toMatchObject({ code: 'token_expired' });
    expect(opened.session.expiresMs - opened.session.createdMs).toBe(12 * hourMs);
  });

  test('counts as a recent sign-in for exactly ten minutes', async () => {
    const opened = await world.signIn(await world.add());
    world.clock.freeze();
    world.clock.advance(opened.session.createdMs + recentSignInMs - world.clock.now() - 1);
    expect((await world.admit(opened)).hasRecentSignIn).toBe(true);
    world.clock.advance(1);
    expect((await world.admit(opened)).hasRecentSignIn).toBe(false);
    expect(recentSignInMs).toBe(600_000);
  });

  test('makes as many requests at once as its bucket holds', async () => {
    const opened = await world.signIn(await world.add());
    world.clock.freeze();
    for (let count = 0; count < consoleRateLimit.burst; count++) await world.admit(opened);
    await expect(world.admit(opened)).rejects.toThrow(RateLimited);
    world.clock.advance(1_000);
    await world.admit(opened);
  });

  test('of an account that no longer exists has ended', async () => {
    const opened = await world.signIn(await world.add());
    await world.table.write({ kind: 'delete', key: keys.account(world.account) });
    await expect(world.admit(opened)).rejects.toMatchObject(ended);
  });
});

describe('a revoked session', () => {
  const revocations = {
    'that its colleague ended': async ({ session }: OpenedConsoleSession) =>
      revokeConsoleSession(
        world.deps,
        await world.admit(await world.signIn(await world.read({ id: session.colleague }))),
        session.id,
      ),
    'that an owner ended': async ({ session }: OpenedConsoleSession) =>
      revokeConsoleSession(world.deps, await world.callerOf('owner'), session.id),
    'of a removed colleague': async ({ session }: OpenedConsoleSession) =>
      removeColleague(world.deps, await world.callerOf('owner'), session.colleague),
    'of a colleague whose access was reset': async ({ session }: OpenedConsoleSession) =>
      resetColleagueAccess(world.deps, await world.callerOf('owner'), session.colleague, consoleOrigin),
  };

  test.each(Object.entries(revocations))(
    '%s is refused at once, also by a process that knows it',
    async (_how, revoke) => {
      const opened = await world.signIn(await world.add('support'));
      const otherProcess = world.withTable(world.table);
      await world.admit(opened, otherProcess);
      await revoke(opened);
      await expect(world.admit(opened, otherProcess)).rejects.toMatchObject(ended);
      await expect(world.admit(opened)).rejects.toMatchObject(ended);
    },
  );

  test('leaves the other sessions of its colleague alone', async () => {
    const support = await world.add('support');
    const [first, second] = [await world.signIn(support), await world.signIn(support)];
    await revokeConsoleSession(world.deps, await world.admit(second), first.session.id);
    expect((await world.admit(second)).sessionId).toBe(second.session.id);
    expect((await world.read(support)).sessions.map(({ id }) => id)).toEqual([second.session.id]);
  });

  test('is missing for everyone but its colleague and owners', async () => {
    const { session } = await world.signIn(await world.add('owner'));
    for (const role of ['support', 'developer'] as const)
      await expect(revokeConsoleSession(world.deps, await world.callerOf(role), session.id)).rejects.toMatchObject({
        code: 'not_found',
      });
  });
});

describe('the list of sessions', () => {
  test('has those that the caller may end, newest first, and says which is the current one', async () => {
    const support = await world.add('support');
    const [first, second] = [await world.signIn(support), await world.signIn(support)];
    const [owner, caller] = [await world.callerOf('owner'), await world.admit(second)];
    expect((await listConsoleSessions(world.deps, caller)).map(({ id, is_current }) => [id, is_current])).toEqual([
      [second.session.id, true],
      [first.session.id, false],
    ]);
    expect((await listConsoleSessions(world.deps, owner)).map(({ id }) => id)).toEqual([
      owner.sessionId,
      second.session.id,
      first.session.id,
    ]);
  });

  test('orders sessions of the same moment by their ids', async () => {
    world.clock.freeze();
    const support = await world.add('support');
    for (let count = 0; count < 4; count++) await world.signIn(support);
    const ids = (await listConsoleSessions(world.deps, await world.admit(await world.signIn(support)))).map(
      ({ id }) => id,
    );
    expect(ids).toEqual(ids.toSorted().reverse());
  });

  test('leaves out expired sessions whose rows are still there, and these cannot be ended', async () => {
    const support = await world.add('support');
    const { session } = await world.signIn(support);
    world.clock.advance(12 * hourMs);
    const caller = await world.admit(await world.signIn(support));
    expect((await listConsoleSessions(world.deps, caller)).map(({ id }) => id)).toEqual([caller.sessionId]);
    await expect(revokeConsoleSession(world.deps, caller, session.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('shows the last use, never before the sign-in and never in the future', async () => {
    const support = await world.add('support');
    const unused = await world.signIn(support);
    world.clock.advance(hourMs);
    const busy = await world.signIn(support);
    world.clock.freeze();
    for (let count = 0; count < 50; count++) await world.admit(busy);
    const [current, other] = await listConsoleSessions(world.deps, await world.admit(busy));
    expect(current?.last_used_at).toBe(new Date(world.clock.now()).toISOString());
    expect(other?.last_used_at).toBe(new Date(unused.session.createdMs).toISOString());
  });
});

describe('signing in', () => {
  test('ends the oldest of more than ten sessions, and expired ones do not count', async () => {
    const support = await world.add('support');
    const expired = await world.signIn(support);
    world.clock.advance(12 * hourMs);
    const opened: OpenedConsoleSession[] = [];
    for (let count = 0; count < maxSessions; count++) opened.push(await world.signIn(support));
    for (const each of opened) await world.admit(each);
    expect(await world.table.get(consoleKeys.consoleSession(expired.session.hash))).toBeUndefined();
    opened.push(await world.signIn(support));
    const [oldest, ...others] = opened;
    if (!oldest) throw new Error('nobody signed in');
    await expect(world.admit(oldest)).rejects.toMatchObject(ended);
    for (const each of others) await world.admit(each);
    expect((await world.read(support)).sessions.map(({ id }) => id)).toEqual(others.map(({ session }) => session.id));
  });

  test('forgets sessions that have expired', async () => {
    const support = await world.add('support');
    const expired = await world.signIn(support);
    world.clock.advance(12 * hourMs);
    const { session } = await world.signIn(support);
    expect((await world.read(support)).sessions.map(({ id }) => id)).toEqual([session.id]);
    expect(await world.table.get(consoleKeys.consoleSession(expired.session.hash))).toBeUndefined();
  });

  test('is the first one only once', async () => {
    const support = await world.add('support');
    expect(support.joinedMs).toBeNull();
    const { session } = await world.signIn(support);
    await world.signIn(support);
    expect((await world.read(support)).joinedMs).toBe(session.createdMs);
  });

  test('while the role changes begins a session with the new role', async () => {
    const developer = await world.add('developer');
    const owner = await world.callerOf('owner');
    const secret = await world.secretFor(developer);
    const meanwhile = world.interruptedBy(() => updateColleague(world.deps, owner, developer.id, { role: 'support' }));
    const opened = await signInWithLink(meanwhile, secret, { request: consoleRequest });
    expect((await world.admit(opened)).role).toBe('support');
  });
});
