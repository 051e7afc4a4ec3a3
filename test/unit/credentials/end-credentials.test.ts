// What a colleague made ends with their access: removal, reset, and a role that may not make it.
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { replaceKey, setAccountStatus } from '../../../shared/accounts/accounts.ts';
import { createUserTokenAdmission } from '../../../shared/accounts/admit-user-token.ts';
import { createUserTokenIssuer } from '../../../shared/accounts/tokens.ts';
import { createUserTokenVerifier } from '../../../shared/accounts/user-token-verifier.ts';
import { listAudit } from '../../../shared/audit/list-audit.ts';
import type { ColleagueCaller } from '../../../shared/console/admit-session.ts';
import { replaceConsoleKey } from '../../../shared/console/console-api-keys.ts';
import {
  endAccessAndCredentials,
  removeColleagueAndEndCredentials,
  updateColleagueAndEndCredentials,
} from '../../../shared/credentials/end-colleague.ts';
import { type ActOrigin, endMadeCredentials } from '../../../shared/credentials/end-made-credentials.ts';
import { listMadeCredentials } from '../../../shared/credentials/list-made-credentials.ts';
import { deleteUser } from '../../../shared/erasure/delete-user.ts';
import { eraseUser } from '../../../shared/erasure/erase-user.ts';
import { admitPhone, parseAccessToken } from '../../../shared/mobile/admit-phone.ts';
import { exchangeToken } from '../../../shared/mobile/exchange-token.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { openSession } from '../../../shared/mobile/open-session.ts';
import { refreshCredentials } from '../../../shared/mobile/refresh-credentials.ts';
import type { SdkCredentials } from '../../../shared/mobile/sdk-session.ts';
import type { Caller, Environment } from '../../../shared/system/caller.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { createUser } from '../../../shared/users/users.ts';
import { registerWebhook, rotateSecret } from '../../../shared/webhooks/endpoints.ts';
import { type ConsoleWorld, consoleRequest, openConsoleWorld } from '../../harness/console-world.ts';

const origin = 'https://daybook.example.com';
const minuteMs = 60_000;
let world: ConsoleWorld;
let owner: ColleagueCaller;
let maker: ColleagueCaller;
let backend: Caller;
let user: string;
let by: ActOrigin;
beforeEach(async () => {
  world = await openConsoleWorld();
  owner = await world.callerOf();
  maker = await world.callerOf('developer');
  backend = { kind: 'api_key', account: world.account, env: 'live', form: 2 };
  user = (await createUser(world.deps, backend, {})).id;
  by = { account: world.account, actor: owner.actor, request: consoleRequest };
});

const installation = (installation_id = randomUUID()) =>
  ({ app_id: 'com.example', installation_id, platform: 'ios', provider: 'apple_health' }) as const;
const open = (caller: Caller, body = installation(), idempotencyKey: string = randomUUID(), deps: Deps = world.deps) =>
  openSession(deps, caller, { userId: user, idempotencyKey, body, origin });
const exchange = (client_token: string, more: object = {}) => exchangeToken(world.deps, { client_token, ...more });
const openPhone = async (caller: Caller, body = installation()): Promise<SdkCredentials> =>
  exchange((await open(caller, body)).bootstrap.client_token);
const mobileToken = (caller: Caller, deps: Deps = world.deps) => issueMobileToken(deps, caller, { userId: user });
const userToken = (caller: Caller, deps: Deps = world.deps) => createUserTokenIssuer(deps)(caller, user);

async function works(attempt: () => Promise<unknown>): Promise<boolean> {
  try {
    await attempt();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_token' });
    return false;
  }
}
const readsWith = (token: string) =>
  works(async () => {
    const claims = await createUserTokenVerifier(world.deps)(token);
    return createUserTokenAdmission(world.deps).admit(claims);
  });
const uploadsWith = ({ access_token }: SdkCredentials) =>
  works(async () => {
    const claims = parseAccessToken(world.deps, access_token);
    if (!claims) throw new Error('no access token');
    return admitPhone(world.deps, claims);
  });

async function makeEverything(caller: Caller) {
  const pending = await open(caller);
  return {
    token: (await userToken(caller)).token,
    mobile: (await mobileToken(caller)).token,
    client: pending.bootstrap.client_token,
    phone: await openPhone(caller),
    mobilePhone: await exchange((await mobileToken(caller)).token),
  };
}
/** Tries what does not use anything up first. */
const listWorking = async (made: Awaited<ReturnType<typeof makeEverything>>): Promise<string[]> => {
  const outcomes = {
    token: await readsWith(made.token),
    access: await uploadsWith(made.phone),
    mobileAccess: await uploadsWith(made.mobilePhone),
    refresh: await works(() => refreshCredentials(world.deps, made.phone.refresh_token)),
    mobile: await works(() => exchange(made.mobile)),
    client: await works(() => exchange(made.client)),
  };
  return Object.entries(outcomes).flatMap(([name, isValid]) => (isValid ? [name] : []));
};
const everything = ['token', 'access', 'mobileAccess', 'refresh', 'mobile', 'client'];
const madeRows = () =>
  world.table.rows().filter(({ pk, sk }) => String(pk).startsWith('MADE#') || String(sk).startsWith('MADE#'));
const list = (role?: 'owner' | 'developer' | 'support') =>
  listMadeCredentials(world.deps, world.account, maker.colleagueId, role);

const endings = {
  removal: (fate: 'end' | 'keep') => removeColleagueAndEndCredentials(world.deps, by, maker.colleagueId, fate),
  reset: (fate: 'end' | 'keep') => endAccessAndCredentials(world.deps, by, maker.colleagueId, fate),
  demotion: (fate: 'end' | 'keep') =>
    updateColleagueAndEndCredentials(world.deps, owner, by, maker.colleagueId, { patch: { role: 'support' }, fate }),
};

describe.each(Object.entries(endings))('after a %s', (_name, end) => {
  test('no credential of the colleague works, and no row of one is left', async () => {
    const made = await makeEverything(maker);
    await end('end');
    expect(await listWorking(made)).toEqual([]);
    expect(madeRows()).toEqual([]);
  });

  test('a phone that renewed its credentials is ended, too', async () => {
    let phone = await openPhone(maker);
    for (let times = 0; times < 3; times++) {
      world.clock.advance(30 * 24 * 60 * minuteMs);
      phone = await refreshCredentials(world.deps, phone.refresh_token);
    }
    await end('end');
    expect([await uploadsWith(phone), await works(() => refreshCredentials(world.deps, phone.refresh_token))]).toEqual([
      false,
      false,
    ]);
  });

  test('everything works on if it is kept', async () => {
    const made = await makeEverything(maker);
    await end('keep');
    expect(await listWorking(made)).toEqual(everything);
  });

  test('what an API key and another colleague made works on', async () => {
    const other = await world.callerOf('developer');
    const byKey = await makeEverything(backend);
    const byOther = await makeEverything(other);
    await end('end');
    expect([await listWorking(byKey), await listWorking(byOther)]).toEqual([everything, everything]);
  });

  test('a backend issues the next user token, and recovers the session for itself', async () => {
    const body = installation();
    await userToken(maker);
    await openPhone(maker, body);
    const recovered = await openPhone(backend, body);
    const token = await userToken(backend);
    await end('end');
    expect([await uploadsWith(recovered), await readsWith(token.token)]).toEqual([true, true]);
  });

  test('a session that the colleague recovered is theirs', async () => {
    const body = installation();
    await openPhone(backend, body);
    const recovered = await openPhone(maker, body);
    await end('end');
    expect(await uploadsWith(recovered)).toBe(false);
  });

  test('user tokens stay ended when the account is suspended and resumed, and when its key is replaced', async () => {
    const { token } = await userToken(maker);
    await end('end');
    await setAccountStatus(world.deps, world.account, 'suspended');
    await setAccountStatus(world.deps, world.account, 'active');
    expect(await readsWith(token)).toBe(false);
    await replaceKey(world.deps, world.account, 'live', 60 * minuteMs);
    expect(await readsWith(token)).toBe(false);
  });

  test('the trail has one entry for each group that ended, with the sessions', async () => {
    const { phone } = await makeEverything(maker);
    await end('end');
    const { entries } = await listAudit(world.deps, { ...backend }, { limit: 100 });
    const ended = entries.filter(({ action }) => action.endsWith('.ended') && action !== 'session.ended');
    expect(ended.map(({ action }) => action).sort()).toEqual([
      'mobile_token.ended',
      'sdk_session.ended',
      'user_token.ended',
    ]);
    for (const each of ended)
      expect(each).toMatchObject({ outcome: 'done', environment: 'live', actor: { id: owner.colleagueId } });
    expect(ended.find(({ action }) => action === 'sdk_session.ended')?.resource_ids).toEqual(
      expect.arrayContaining([maker.colleagueId, phone.session_id]),
    );
  });
});

test('what the colleague has made since their access was reset stays', async () => {
  const made = await makeEverything(maker);
  await endings.reset('keep');
  const { makerEpoch } = await world.read({ id: maker.colleagueId });
  const again = await world.admit(await world.signIn(await world.read({ id: maker.colleagueId })));
  const later = await makeEverything(again);
  const before = { account: world.account, colleague: maker.colleagueId, epoch: makerEpoch - 1 };
  await endMadeCredentials(world.deps, by, before);
  expect([await listWorking(made), await listWorking(later)]).toEqual([[], everything]);
});

describe('roles', () => {
  test('an owner who becomes a developer loses nothing; the right does not bring back what ended', async () => {
    maker = await world.callerOf('owner');
    const change = (role: 'owner' | 'developer' | 'support') =>
      updateColleagueAndEndCredentials(world.deps, owner, by, maker.colleagueId, { patch: { role }, fate: 'end' });
    const made = await makeEverything(maker);
    await change('developer');
    expect(await listWorking(made)).toEqual(everything);
    const later = await makeEverything(maker);
    await change('support');
    await change('developer');
    expect(await listWorking(later)).toEqual([]);
    const again = await world.admit(await world.signIn(await world.read({ id: maker.colleagueId })));
    expect(await listWorking(await makeEverything(again))).toEqual(everything);
  });

  test('a repeated demotion ends what an interrupted one left', async () => {
    const phone = await openPhone(maker);
    await endings.demotion('keep');
    expect(await uploadsWith(phone)).toBe(true);
    await endings.demotion('end');
    expect(await uploadsWith(phone)).toBe(false);
  });
});

test('a colleague who is invited again makes credentials that work, and the old ones stay ended', async () => {
  const { email } = await world.read({ id: maker.colleagueId });
  const made = await makeEverything(maker);
  await endings.removal('end');
  const again = await world.admit(await world.signIn(await world.add('developer', email)));
  expect([await listWorking(made), await listWorking(await makeEverything(again))]).toEqual([[], everything]);
});

test('a colleague who was reset gets a new response for an idempotency key that they used before', async () => {
  const [body, key] = [installation(), randomUUID()];
  const before = await open(maker, body, key);
  expect((await open(maker, body, key)).bootstrap).toEqual(before.bootstrap);
  await endings.reset('end');
  const again = await world.admit(await world.signIn(await world.read({ id: maker.colleagueId })));
  const { bootstrap } = await open(again, body, key);
  expect(await works(() => exchange(before.bootstrap.client_token))).toBe(false);
  expect(await works(() => exchange(bootstrap.client_token))).toBe(true);
});

test('the last owner is not removed, and nothing of theirs ends', async () => {
  const made = await makeEverything(owner);
  const removal = removeColleagueAndEndCredentials(world.deps, by, owner.colleagueId, 'end');
  await expect(removal).rejects.toMatchObject({ code: 'last_owner' });
  expect(await listWorking(made)).toEqual(everything);
});

describe.each(Object.entries(endings))('a credential that is made at the moment of a %s', (_name, end) => {
  test.each<[string, (deps: Deps) => Promise<unknown>]>([
    ['user token', (deps) => userToken(maker, deps)],
    ['mobile token', (deps) => mobileToken(maker, deps)],
    ['SDK session', (deps) => open(maker, installation(), randomUUID(), deps)],
    ['API key', (deps) => replaceConsoleKey(deps, maker, { environment: 'sandbox' })],
    ['webhook', (deps) => registerWebhook(deps, maker, { url: 'https://hooks.example.com/', events: ['*'] })],
  ])('is not made: a %s', async (_kind, make) => {
    await expect(make(world.interruptedBy(() => end('end')))).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect(madeRows()).toEqual([]);
  });
});

describe('at the moment of the removal', () => {
  test('a phone that exchanges a mobile token meanwhile gets a session that ends', async () => {
    const { token } = await mobileToken(maker);
    let phone: SdkCredentials | undefined;
    const deps = world.withTable({
      ...world.table,
      async transact(writes) {
        const isEnding = writes.some((write) => write.kind === 'delete' && write.key.pk.startsWith('M#'));
        if (isEnding && !phone) phone = await exchange(token);
        return world.table.transact(writes);
      },
    });
    const { credentials } = await removeColleagueAndEndCredentials(deps, by, maker.colleagueId, 'end');
    // The token was used up by then, so only its session was ended.
    expect(credentials).toMatchObject([{ kind: 'sdk_session', count: 1 }]);
    if (!phone) throw new Error('the phone did not come in between');
    expect(await uploadsWith(phone)).toBe(false);
    expect(madeRows()).toEqual([]);
  });
});

test('a phone that renews its session at the moment of the removal leaves no row', async () => {
  const phone = await openPhone(maker);
  let isRemoved = false;
  const deps = world.withTable({
    ...world.table,
    async write(write) {
      if (write.kind === 'update' && write.key.pk.startsWith('MADE#') && !isRemoved) {
        isRemoved = true;
        await endings.removal('end');
      }
      return world.table.write(write);
    },
  });
  await refreshCredentials(deps, phone.refresh_token);
  expect([isRemoved, madeRows()]).toEqual([true, []]);
});

describe('what is listed', () => {
  test('counts what works, and leaves out what has expired, was used up or was recovered', async () => {
    const body = installation();
    await openPhone(maker, body);
    await openPhone(backend, body);
    await userToken(maker);
    world.clock.advance(61 * minuteMs);
    await userToken(maker);
    const { token } = await mobileToken(maker);
    await exchange(token);
    await mobileToken(maker);
    expect((await list()).credentials).toMatchObject([
      { kind: 'mobile_token', environment: 'live', count: 1 },
      { kind: 'sdk_session', environment: 'live', count: 1 },
      { kind: 'user_token', environment: 'live', count: 1 },
    ]);
    expect([(await list('developer')).credentials, (await list('owner')).credentials]).toEqual([[], []]);
    expect((await list('support')).credentials).toHaveLength(3);
  });

  test('names the keys and webhook secrets that were shown to the colleague until somebody replaces them', async () => {
    maker = await world.callerOf('owner');
    const replace = (environment: Environment, caller = maker) =>
      replaceConsoleKey(world.deps, caller, { environment });
    const [live, sandbox] = [await replace('live'), await replace('sandbox')];
    const hook = await registerWebhook(world.deps, maker, { url: 'https://hooks.example.com/', events: ['*'] });
    const foreign = await registerWebhook(world.deps, owner, { url: 'https://hooks.example.com/', events: ['*'] });
    const ids = async (role?: 'developer' | 'support') => (await list(role)).to_rotate.map(({ id }) => id).sort();
    expect(await ids()).toEqual([live.id, sandbox.id, hook.id].sort());
    expect([await ids('support'), await ids('developer')]).toEqual([[live.id, sandbox.id, hook.id].sort(), [live.id]]);
    await replace('live', owner);
    await rotateSecret(world.deps, maker, foreign.id);
    await rotateSecret(world.deps, owner, hook.id);
    expect(await ids()).toEqual([sandbox.id, hook.id, foreign.id].sort());
    world.clock.advance(25 * 60 * minuteMs);
    expect((await removeColleagueAndEndCredentials(world.deps, by, maker.colleagueId, 'end')).to_rotate).toEqual([
      { kind: 'api_key', id: sandbox.id, environment: 'sandbox' },
      { kind: 'webhook_secret', id: foreign.id, environment: 'live' },
    ]);
  });
});

test('the rows of what colleagues made for a user are erased with the user', async () => {
  await makeEverything(maker);
  expect(madeRows().length).toBeGreaterThan(6);
  await deleteUser(world.deps, backend, user);
  world.clock.advance(10 * minuteMs);
  await eraseUser(world.deps, user);
  expect(madeRows()).toEqual([]);
});
