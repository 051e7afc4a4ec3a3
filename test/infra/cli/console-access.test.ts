// The commands that list colleagues and take their access away.
import { beforeEach, expect, test } from 'vitest';
import { type CommandArguments, UsageError } from '../../../infra/cli/command.ts';
import { commands } from '../../../infra/cli/commands.ts';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { listAudit } from '../../../shared/audit/list-audit.ts';
import { createColleague } from '../../../shared/console/colleagues.ts';
import { replaceConsoleKey } from '../../../shared/console/console-api-keys.ts';
import { issueSignInLink, signInWithLink } from '../../../shared/console/sign-in-link.ts';
import { listMadeCredentials } from '../../../shared/credentials/list-made-credentials.ts';
import { issueMobileToken } from '../../../shared/mobile/mobile-token.ts';
import { createUser } from '../../../shared/users/users.ts';
import { type ConsoleWorld, consoleOrigin, consoleRequest, openConsoleWorld } from '../../harness/console-world.ts';

let world: ConsoleWorld;
beforeEach(async () => {
  world = await openConsoleWorld();
});

const prepare = (name: string, args: CommandArguments) => {
  const command = commands[name];
  if (!command) throw new Error(`there is no command ${name}`);
  return command.prepare(args);
};
const run = (name: string, args: CommandArguments) => prepare(name, args)(world.deps);
const listActs = async (account = world.account) =>
  (await listAudit(world.deps, { kind: 'api_key', account, env: 'live', form: 2 }, { limit: 10 })).entries
    .filter(({ actor }) => actor.kind === 'command_line')
    .map(({ action, outcome, resource_ids }) => [action, outcome, ...resource_ids]);

test('a reset ends sessions, passkeys and links of every colleague, who can then sign in with a new link', async () => {
  const [owner, support] = [await world.add('owner'), await world.add('support')];
  const opened = await world.signIn(owner);
  const secret = await world.secretFor(support);
  const { json, text } = await run('console reset', { account: world.account });
  expect(json).toEqual({
    accounts: [{ account_id: world.account, colleagues: 2, ended: [], to_rotate: [] }],
  });
  expect(text).toBe(`${world.account}  2 colleagues have to sign in again`);
  await expect(world.admit(opened)).rejects.toMatchObject({ code: 'invalid_token' });
  await expect(signInWithLink(world.deps, secret, { request: consoleRequest })).rejects.toMatchObject({
    code: 'invalid_token',
  });
  expect(await world.read(owner)).toMatchObject({ sessions: [], passkeys: [], linkEpoch: 1 });
  await world.signIn(await world.read(owner));
  expect(await listActs()).toEqual([['colleague.access_reset', 'done', world.account, owner.id, support.id]]);
});

test('a reset of all accounts leaves none out, and records one act in each', async () => {
  const { account_id: other } = await createAccount(world.deps, { name: 'The Club' });
  const stranger = await createColleague(world.deps, other, { email: 'robin@example.com', role: 'owner' });
  const { url } = await issueSignInLink(world.deps, stranger, consoleOrigin);
  const { json } = await run('console reset', { all: true });
  expect(json).toEqual({
    accounts: expect.arrayContaining([
      { account_id: world.account, colleagues: 0, ended: [], to_rotate: [] },
      { account_id: other, colleagues: 1, ended: [], to_rotate: [] },
    ]),
  });
  const sent = signInWithLink(world.deps, new URL(url).hash.slice(1), { request: consoleRequest });
  await expect(sent).rejects.toMatchObject({ code: 'invalid_token' });
  expect(await listActs(other)).toEqual([['colleague.access_reset', 'done', other, stranger.id]]);
});

test('a reset is about one account or about all, never about neither or both', () => {
  for (const args of [{}, { account: world.account, all: true }, { account: ' ' }])
    expect(() => prepare('console reset', args)).toThrow(UsageError);
});

test('colleagues are listed and removed by their address, except the last owner', async () => {
  const owner = await world.add('owner', 'alex@example.com');
  const support = await world.add('support', 'robin@example.com');
  const { json, text } = await run('console colleagues', { account: world.account });
  expect(json).toMatchObject({ colleagues: [{ id: owner.id }, { id: support.id, role: 'support', passkeys: 0 }] });
  expect(text.split('\n')[1]).toBe(`${support.id}  robin@example.com  support  invited  0 passkeys`);
  const opened = await world.signIn(support);
  await run('console remove', { account: world.account, email: 'Robin@example.com' });
  await expect(world.admit(opened)).rejects.toMatchObject({ code: 'invalid_token' });
  const remove = (email: string) => run('console remove', { account: world.account, email });
  await expect(remove('robin@example.com')).rejects.toMatchObject({ code: 'not_found' });
  await expect(remove('alex@example.com')).rejects.toMatchObject({ code: 'last_owner' });
  expect((await listActs()).map(([action, outcome]) => [action, outcome])).toEqual([
    ['colleague.removed', 'failed'],
    ['colleague.removed', 'failed'],
    ['colleague.removed', 'done'],
  ]);
  await expect(run('console colleagues', { account: 'acc_unknown' })).rejects.toMatchObject({ code: 'not_found' });
});

test('a removal and a reset end what colleagues made for users and list what to rotate, unless it is kept', async () => {
  await world.add('owner');
  const backend = { kind: 'api_key', account: world.account, env: 'live', form: 2 } as const;
  const { id: user } = await createUser(world.deps, backend, {});
  const make = async (email: string) => {
    const maker = await world.admit(await world.signIn(await world.add('developer', email)));
    await issueMobileToken(world.deps, maker, { userId: user });
    const key = await replaceConsoleKey(world.deps, maker, { environment: 'sandbox' });
    return { key, list: () => listMadeCredentials(world.deps, world.account, maker.colleagueId) };
  };
  const ended = [{ kind: 'mobile_token', environment: 'live', count: 1, last_expires_at: expect.any(String) }];
  const rotateOf = (id: string) => [{ kind: 'api_key', environment: 'sandbox', id }];

  const kept = await make('kept@example.com');
  const keeping = await run('console remove', {
    account: world.account,
    email: 'kept@example.com',
    'keep-credentials': true,
  });
  expect(keeping.json).toMatchObject({ ended: [], to_rotate: rotateOf(kept.key.id) });
  expect((await kept.list()).credentials).toEqual(ended);

  const removed = await make('removed@example.com');
  const { json, text } = await run('console remove', { account: world.account, email: 'removed@example.com' });
  expect(json).toMatchObject({ ended, to_rotate: rotateOf(removed.key.id) });
  expect(text.split('\n').slice(1)).toEqual([
    'ended  live  mobile_token  1',
    `rotate  sandbox  api_key  ${removed.key.id}`,
  ]);
  expect((await removed.list()).credentials).toEqual([]);

  const reset = await make('reset@example.com');
  const { json: all } = await run('console reset', { account: world.account, 'keep-credentials': true });
  expect(all).toMatchObject({ accounts: [{ ended: [], to_rotate: rotateOf(reset.key.id) }] });
  const { json: again } = await run('console reset', { account: world.account });
  expect(again).toMatchObject({ accounts: [{ ended, to_rotate: rotateOf(reset.key.id) }] });
  expect((await reset.list()).credentials).toEqual([]);
});
