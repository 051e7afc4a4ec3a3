// Colleagues of an account: how many there are, that one of them is an owner, and what happens to a
// change that another one overtakes.
import { beforeEach, describe, expect, test } from 'vitest';
import type { ColleagueCaller } from '../../../shared/console/admit-session.ts';
import { maxColleagueInvitationsPerDay, maxColleagues } from '../../../shared/console/colleague-rows.ts';
import {
  createColleague,
  findOrCreateOwner,
  inviteColleague,
  listColleagues,
  removeColleague,
  resetColleagueAccess,
  updateColleague,
} from '../../../shared/console/colleagues.ts';
import type { OpenedConsoleSession } from '../../../shared/console/open-console-session.ts';
import { signInWithLink } from '../../../shared/console/sign-in-link.ts';
import { ConditionFailed, EngineUnavailable, TransactionCanceled, type Write } from '../../../shared/platform/ports.ts';
import { consoleKeys } from '../../../shared/system/console-keys.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { type ConsoleWorld, consoleOrigin, consoleRequest, openConsoleWorld } from '../../harness/console-world.ts';

let world: ConsoleWorld;
beforeEach(async () => {
  world = await openConsoleWorld();
});

const rolesOf = async (caller: { account: string }) =>
  (await listColleagues(world.deps, caller)).map(({ role }) => role);

const failWith = (error: Error): Deps => world.withTable({ ...world.table, transact: () => Promise.reject(error) });

describe('an account', () => {
  test('invites a limited number of colleagues per day, even if it removes each of them again', async () => {
    const owner = await world.callerOf('owner');
    const inviteAndRemove = async (index: number) => {
      const input = { email: `anybody-${index}@example.com`, role: 'support' } as const;
      const { colleague } = await inviteColleague(world.deps, owner, input, consoleOrigin);
      await removeColleague(world.deps, owner, colleague.id);
    };
    for (let count = 0; count < maxColleagueInvitationsPerDay; count++) await inviteAndRemove(count);
    await expect(inviteAndRemove(-1)).rejects.toMatchObject({
      code: 'limit_reached',
      message: expect.stringMatching(/^At most 100 colleagues can be invited per day \(UTC\)\. Try again after 20/),
    });
    world.clock.advance(24 * 3_600_000);
    await inviteAndRemove(-1);
  });

  test('has at most a hundred colleagues, and room for another when one leaves', async () => {
    const owner = await world.callerOf('owner');
    for (let count = 1; count < maxColleagues; count++) await world.add('support');
    await expect(world.add('support')).rejects.toMatchObject({
      code: 'limit_reached',
      details: { limit: maxColleagues },
    });
    const [, second] = await listColleagues(world.deps, owner);
    await removeColleague(world.deps, owner, second?.id ?? '');
    await world.add('support');
    expect(await listColleagues(world.deps, owner)).toHaveLength(maxColleagues);
  });

  test('has an address once, and says whose it is before it says that there is no room', async () => {
    const known = await world.add('support', 'alex@example.com');
    const refusal = { code: 'already_colleague', details: { colleague_id: known.id } };
    await expect(world.add('owner', ' Alex@Example.com ')).rejects.toMatchObject(refusal);
    for (let count = 1; count < maxColleagues; count++) await world.add('support');
    await expect(world.add('owner', 'alex@example.com')).rejects.toMatchObject(refusal);
  });

  test.each([
    ['is unavailable', new EngineUnavailable('the table is unavailable')],
    ['rejects the colleague itself', new TransactionCanceled([undefined, undefined, new ConditionFailed(undefined)])],
  ])('whose table %s gets that error when someone is invited', async (_what, error) => {
    const invitation = createColleague(failWith(error), world.account, { email: 'alex@example.com', role: 'owner' });
    await expect(invitation).rejects.toBe(error);
  });

  test('whose table is unavailable gets that error when an owner leaves', async () => {
    const owner = await world.callerOf('owner');
    const error = new EngineUnavailable('the table is unavailable');
    await expect(removeColleague(failWith(error), owner, owner.colleagueId)).rejects.toBe(error);
  });

  test('gets one owner when the command line names the same new address twice at once', async () => {
    const email = 'alex@example.com';
    const [first, second] = await Promise.all([1, 2].map(() => findOrCreateOwner(world.deps, world.account, email)));
    expect(first?.colleague.id).toBe(second?.colleague.id);
    expect([first?.isNew, second?.isNew].sort()).toEqual([false, true]);
    expect(await rolesOf({ account: world.account })).toEqual(['owner']);
  });

  test('that has no room says so to the command line, too', async () => {
    for (let count = 0; count < maxColleagues; count++) await world.add('support');
    await expect(findOrCreateOwner(world.deps, world.account, 'alex@example.com')).rejects.toMatchObject({
      code: 'limit_reached',
    });
  });
});

describe('the last owner', () => {
  const lastOwner = { code: 'last_owner' };

  test('keeps the role and the account, however many others there are', async () => {
    const owner = await world.callerOf('owner');
    for (const role of ['developer', 'support'] as const) await world.add(role);
    for (const role of ['developer', 'support'] as const)
      await expect(updateColleague(world.deps, owner, owner.colleagueId, { role })).rejects.toMatchObject(lastOwner);
    await expect(removeColleague(world.deps, owner, owner.colleagueId)).rejects.toMatchObject(lastOwner);
    expect(await rolesOf(owner)).toEqual(['owner', 'developer', 'support']);
  });

  test('may change the name, and is an owner no longer once there is another', async () => {
    const owner = await world.callerOf('owner');
    const support = await world.add('support');
    expect((await updateColleague(world.deps, owner, owner.colleagueId, { name: 'Alex' })).name).toBe('Alex');
    await updateColleague(world.deps, owner, support.id, { role: 'owner' });
    await updateColleague(world.deps, owner, owner.colleagueId, { role: 'support' });
    await expect(removeColleague(world.deps, owner, support.id)).rejects.toMatchObject(lastOwner);
  });

  type Departure = (deps: Deps, caller: ColleagueCaller) => Promise<unknown>;
  const leave: Departure = (deps, caller) => removeColleague(deps, caller, caller.colleagueId);
  const stepDown: Departure = (deps, caller) => updateColleague(deps, caller, caller.colleagueId, { role: 'support' });

  test.each([
    ['leaves', leave, leave],
    ['leaves', stepDown, leave],
    ['gets another role', leave, stepDown],
    ['gets another role', stepDown, stepDown],
  ])('stays when the other one %s between the read and the write', async (_how, depart, departMeanwhile) => {
    const [first, second] = [await world.callerOf('owner'), await world.callerOf('owner')];
    const meanwhile = world.interruptedBy(() => departMeanwhile(world.deps, second));
    await expect(depart(meanwhile, first)).rejects.toMatchObject(lastOwner);
    expect((await rolesOf(first)).filter((role) => role === 'owner')).toHaveLength(1);
  });
});

describe('a change', () => {
  test('of nothing writes nothing', async () => {
    const owner = await world.callerOf('owner');
    const { role, name, id } = await world.add('support');
    const readOnly = world.withTable({ ...world.table, transact: () => Promise.reject(new Error('a write')) });
    for (const patch of [{}, { role }, { name }, { role, name }])
      expect(await updateColleague(readOnly, owner, id, patch)).toMatchObject({ id, role, name });
  });

  test('of a name writes only the row of the colleague', async () => {
    const owner = await world.callerOf('owner');
    const { id } = await world.add('owner');
    const written: Write[] = [];
    const recording = world.withTable({
      ...world.table,
      transact: (writes) => {
        written.push(...writes);
        return world.table.transact(writes);
      },
    });
    await updateColleague(recording, owner, id, { name: 'Alex' });
    expect(written).toMatchObject([{ kind: 'put', item: consoleKeys.colleague(world.account, id) }]);
  });

  test('of an owner’s name during a sign-in is made, and the session stays', async () => {
    const owner = await world.callerOf('owner');
    const colleague = await world.add('owner');
    const meanwhile = world.interruptedBy(() => world.signIn(colleague));
    await updateColleague(meanwhile, owner, colleague.id, { name: 'Alex' });
    expect(await world.read(colleague)).toMatchObject({ name: 'Alex', sessions: [{}] });
  });

  test('of a role during a sign-in also changes the session that began meanwhile', async () => {
    const owner = await world.callerOf('owner');
    const colleague = await world.add('owner');
    const secret = await world.secretFor(colleague);
    let opened: OpenedConsoleSession | undefined;
    const meanwhile = world.interruptedBy(async () => {
      opened = await signInWithLink(world.deps, secret, { request: consoleRequest });
    });
    await updateColleague(meanwhile, owner, colleague.id, { role: 'support' });
    if (!opened) throw new Error('nobody signed in');
    expect((await world.admit(opened)).role).toBe('support');
  });

  test('of a role does not bring back a session that the table deletes meanwhile', async () => {
    const owner = await world.callerOf('owner');
    const colleague = await world.add('developer');
    const { session } = await world.signIn(colleague);
    const key = consoleKeys.consoleSession(session.hash);
    world.clock.freeze();
    world.clock.advance(session.expiresMs - world.clock.now() - 1);
    const meanwhile = world.interruptedBy(async () => {
      world.clock.advance(1);
      await world.table.write({ kind: 'delete', key });
    });
    expect((await updateColleague(meanwhile, owner, colleague.id, { role: 'support' })).role).toBe('support');
    expect(await world.table.get(key)).toBeUndefined();
  });
});

describe('a removal', () => {
  test('during a sign-in ends the session that began meanwhile', async () => {
    const owner = await world.callerOf('owner');
    const colleague = await world.add('support');
    let opened: OpenedConsoleSession | undefined;
    const meanwhile = world.interruptedBy(async () => {
      opened = await world.signIn(colleague);
    });
    await removeColleague(meanwhile, owner, colleague.id);
    if (!opened) throw new Error('nobody signed in');
    await expect(world.admit(opened)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  test('frees the address, and the next colleague with it is someone else', async () => {
    const owner = await world.callerOf('owner');
    const { id, email } = await world.add('support');
    await removeColleague(world.deps, owner, id);
    await expect(removeColleague(world.deps, owner, id)).rejects.toMatchObject({ code: 'not_found' });
    expect((await world.add('developer', email)).id).not.toBe(id);
  });
});

describe('a reset of access', () => {
  test('ends earlier links, and keeps the role, the name and the other colleagues', async () => {
    const owner = await world.callerOf('owner');
    const colleague = await world.add('developer');
    const earlier = await world.secretFor(colleague);
    const { url } = await resetColleagueAccess(world.deps, owner, colleague.id, consoleOrigin);
    const signInWith = (secret: string) => signInWithLink(world.deps, secret, { request: consoleRequest });
    await expect(signInWith(earlier)).rejects.toMatchObject({ code: 'invalid_token' });
    expect((await world.admit(await signInWith(new URL(url).hash.slice(1)))).role).toBe('developer');
    expect(await rolesOf(owner)).toEqual(['owner', 'developer']);
  });

  test('during a sign-in ends the session that began meanwhile', async () => {
    const owner = await world.callerOf('owner');
    const colleague = await world.add('support');
    let opened: OpenedConsoleSession | undefined;
    const meanwhile = world.interruptedBy(async () => {
      opened = await world.signIn(colleague);
    });
    await resetColleagueAccess(meanwhile, owner, colleague.id, consoleOrigin);
    if (!opened) throw new Error('nobody signed in');
    await expect(world.admit(opened)).rejects.toMatchObject({ code: 'invalid_token' });
    expect((await world.read(colleague)).sessions).toEqual([]);
  });
});

describe('an invitation', () => {
  test('returns a link that signs in if the deployment sends no mail', async () => {
    const owner = await world.callerOf('owner');
    const input = { email: 'alex@example.com', role: 'support' } as const;
    const { colleague, link } = await inviteColleague(world.deps, owner, input, consoleOrigin);
    expect(link?.url).toMatch(/^https:\/\/daybook\.example\.com\/console\/sign-in#[\w-]{51}$/);
    const secret = new URL(link?.url ?? '').hash.slice(1);
    const { session } = await signInWithLink(world.deps, secret, { request: consoleRequest });
    expect([session.colleague, world.sentTo('mail')]).toEqual([colleague.id, []]);
  });

  test('is sent by mail, and returns no link, if the deployment sends mail', async () => {
    const owner = await world.callerOf('owner');
    const deps: Deps = { ...world.deps, deployment: { kind: 'local', mailSender: 'team@example.com' } };
    const input = { email: 'alex@example.com', role: 'support' } as const;
    expect((await inviteColleague(deps, owner, input, consoleOrigin)).link).toBeNull();
    expect(world.sentTo('mail')).toHaveLength(1);
  });
});
