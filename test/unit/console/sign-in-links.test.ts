// Sign-in links and the secrets of the console: when they work, and what an invented one costs.
import { beforeEach, describe, expect, test } from 'vitest';
import { removeColleague, resetColleagueAccess } from '../../../shared/console/colleagues.ts';
import { hashIfSecret, newSecret } from '../../../shared/console/console-secret.ts';
import { describeSignInLink, signInLinkMinutes, signInWithLink } from '../../../shared/console/sign-in-link.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { type ConsoleWorld, consoleOrigin, consoleRequest, openConsoleWorld } from '../../harness/console-world.ts';
import { interleavedTable } from '../../harness/interleaved-table.ts';

const unusable = { code: 'invalid_token' };
let world: ConsoleWorld;
beforeEach(async () => {
  world = await openConsoleWorld();
});

const signInWith = (secret: string, deps = world.deps) => signInWithLink(deps, secret, { request: consoleRequest });

/** Fails with every call to the table. */
const withoutTable = (): Deps =>
  world.withTable({ ...world.table, get: () => Promise.reject(new Error('the table was read')) });

describe('a sign-in link', () => {
  test('works until ten minutes have passed, although its row is still there', async () => {
    const colleague = await world.add();
    world.clock.freeze();
    const [early, late] = [await world.secretFor(colleague), await world.secretFor(colleague)];
    world.clock.advance(signInLinkMinutes * 60_000 - 1);
    expect((await signInWith(early)).session.colleague).toBe(colleague.id);
    world.clock.advance(1);
    await expect(signInWith(late)).rejects.toMatchObject(unusable);
    expect(signInLinkMinutes).toBe(10);
  });

  test('works once, at whichever step of its second use the first one happens', async () => {
    for (let step = 1; ; step++) {
      const colleague = await world.add();
      const secret = await world.secretFor(colleague);
      const { table, hasRun } = interleavedTable(world.table, step, () => signInWith(secret));
      const second = signInWith(secret, world.withTable(table));
      if (step > 3) {
        await second;
        expect(hasRun()).toBe(false);
        return;
      }
      await expect(second).rejects.toMatchObject(unusable);
      expect((await world.read(colleague)).sessions).toHaveLength(1);
    }
  });

  test('of a removed colleague does not work', async () => {
    const colleague = await world.add('support');
    const secret = await world.secretFor(colleague);
    await removeColleague(world.deps, await world.callerOf('owner'), colleague.id);
    await expect(signInWith(secret)).rejects.toMatchObject(unusable);
  });

  test('does not work as a session, and a session does not work as a link', async () => {
    const colleague = await world.add();
    const secret = await world.secretFor(colleague);
    const { token } = await world.signIn(colleague);
    await expect(signInWith(token)).rejects.toMatchObject(unusable);
    expect(hashIfSecret(world.deps, 'console-session', secret)).toBeUndefined();
  });
});

describe('whose link it is', () => {
  const describeLink = (secret: string) => describeSignInLink(world.deps, secret);

  test('is said as often as someone asks, and the link still works', async () => {
    const colleague = await world.add('owner', 'alex@example.com');
    const secret = await world.secretFor(colleague);
    const rows = JSON.stringify(world.table.rows());
    const described = { account: { id: world.account, name: 'The Lab' }, email: 'a***@example.com' };
    for (let count = 0; count < 3; count++) expect(await describeLink(secret)).toEqual(described);
    expect(JSON.stringify(world.table.rows())).toBe(rows);
    expect((await signInWith(secret)).session.colleague).toBe(colleague.id);
  });

  test('is not said of a link that is unknown, used, expired, revoked or of someone who was removed, in the same words', async () => {
    const owner = await world.callerOf('owner');
    const [used, expired, revoked, removed] = await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        const colleague = await world.add('support', `${name}@example.com`);
        return { colleague, secret: await world.secretFor(colleague) };
      }),
    );
    if (!used || !expired || !revoked || !removed) throw new Error('four colleagues were added');
    await signInWith(used.secret);
    await resetColleagueAccess(world.deps, owner, revoked.colleague.id, consoleOrigin);
    await removeColleague(world.deps, owner, removed.colleague.id);
    const messageOf = (secret: string) =>
      describeLink(secret).then(
        () => 'described',
        ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
      );
    const unknown = await messageOf(newSecret(world.deps, 'sign-in-link').text);
    expect(unknown).toMatch(/^invalid_token: This sign-in link does not work/);
    expect(await messageOf(expired.secret)).toBe('described');
    for (const { secret } of [used, revoked, removed]) expect(await messageOf(secret)).toBe(unknown);
    world.clock.advance(signInLinkMinutes * 60_000);
    expect(await messageOf(expired.secret)).toBe(unknown);
  });
});

describe('a secret', () => {
  test('is recognized with the hash that is stored', () => {
    const { text, hash } = newSecret(world.deps, 'console-session');
    expect(text).toMatch(/^[\w-]{51}$/);
    expect([hash, hash.includes(text)]).toEqual([hashIfSecret(world.deps, 'console-session', text), false]);
  });

  test('that was invented is refused without a look at the table', async () => {
    const { text } = newSecret(world.deps, 'sign-in-link');
    const last = text.endsWith('A') ? 'B' : 'A';
    const first = text.startsWith('A') ? 'B' : 'A';
    const invented = [
      '',
      text.slice(0, -1),
      `${text}A`,
      text.slice(0, -1) + last,
      first + text.slice(1),
      'x'.repeat(51),
      'ä'.repeat(51),
      `${text}\n`,
      ` ${text.slice(1)}`,
    ];
    for (const secret of invented) {
      expect([secret, hashIfSecret(world.deps, 'sign-in-link', secret)]).toEqual([secret, undefined]);
      await expect(signInWith(secret, withoutTable())).rejects.toMatchObject(unusable);
      await expect(describeSignInLink(withoutTable(), secret)).rejects.toMatchObject(unusable);
    }
  });
});
