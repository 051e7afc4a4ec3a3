// The command that lets someone into the console: whom it makes an owner, and what it does not accept.
import { beforeEach, describe, expect, test } from 'vitest';
import { type CommandArguments, UsageError } from '../../../infra/cli/command.ts';
import { commands } from '../../../infra/cli/commands.ts';
import { recordUserCommand } from '../../../infra/cli/record-command.ts';
import { listAudit } from '../../../shared/audit/list-audit.ts';
import { listColleagues } from '../../../shared/console/colleagues.ts';
import { signInWithLink } from '../../../shared/console/sign-in-link.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { type ConsoleWorld, consoleRequest, openConsoleWorld } from '../../harness/console-world.ts';

const base = 'https://daybook.example.com';
const email = 'alex@example.com';
let world: ConsoleWorld;
beforeEach(async () => {
  world = await openConsoleWorld();
});

const prepare = (args: CommandArguments) => {
  const command = commands['console link'];
  if (!command) throw new Error('there is no such command');
  return command.prepare(args);
};
const run = (args: CommandArguments = {}, deps = world.deps) =>
  prepare({ account: world.account, email, base, ...args })(deps);
const listEntries = async (account: string) =>
  (await listAudit(world.deps, { kind: 'api_key', account, env: 'live', form: 2 }, { limit: 10 })).entries;

describe('a link from the command line', () => {
  test('makes someone unknown an owner, once, and is recorded with the colleague', async () => {
    const { json, text } = await run();
    const [owner, ...others] = await listColleagues(world.deps, world);
    expect([owner, others]).toMatchObject([{ email, role: 'owner' }, []]);
    expect(json).toMatchObject({ colleague_id: owner?.id, role: 'owner', is_new: true });
    expect(text).toContain(`${email} is now an owner of ${world.account}.`);
    expect(await listEntries(world.account)).toMatchObject([
      { action: 'colleague.link_created', outcome: 'done', resource_ids: [world.account, owner?.id] },
    ]);
    expect((await run({ email: ' ALEX@example.com ' })).json).toMatchObject({ colleague_id: owner?.id, is_new: false });
  });

  test('signs in, at the address that it was made for', async () => {
    const [url = ''] = (await run()).text?.split('\n') ?? [];
    expect(new URL(url).origin).toBe(base);
    const { session } = await signInWithLink(world.deps, new URL(url).hash.slice(1), { request: consoleRequest });
    expect(session).toMatchObject({ account: world.account, email, role: 'owner' });
  });

  test('leaves the role of a colleague as it is', async () => {
    await world.add('support', email);
    const { json, text } = await run();
    expect(json).toMatchObject({ role: 'support', is_new: false });
    expect(text).toContain('is a colleague with the role support');
  });

  test('needs an account that exists, and makes no colleague of another', async () => {
    await expect(run({ account: 'acc_none' })).rejects.toMatchObject({ code: 'not_found' });
    expect([await listColleagues(world.deps, { account: 'acc_none' }), await listEntries('acc_none')]).toEqual([
      [],
      [],
    ]);
  });

  test('uses the address of the deployment, and says what is missing if it has none', async () => {
    const { base: _none, ...args } = { account: world.account, email, base };
    const deployed: Deps = { ...world.deps, deployment: { kind: 'aws', baseUrl: 'https://own.example.com' } };
    expect((await prepare(args)(deployed)).text).toMatch(/^https:\/\/own\.example\.com\/console\/sign-in#/);
    await expect(prepare(args)(world.deps)).rejects.toThrow('--base is required');
    expect(await listColleagues(world.deps, world)).toHaveLength(1);
  });

  test.each([
    [{ email: 'nobody' }, '--email'],
    [{ email: 'a@example.com\nBcc: b@example.com' }, '--email'],
    [{ base: 'daybook.example.com' }, '--base'],
    [{ base: 'ftp://daybook.example.com' }, '--base'],
    [{ base: 'https://daybook.example.com/console' }, '--base'],
    [{ base: 'https://daybook.example.com/?a=1' }, '--base'],
    [{ base: 'https://daybook.example.com/#a' }, '--base'],
  ])('does not accept %o', (args, option) => {
    const attempt = () => prepare({ account: world.account, email, base, ...args });
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(option);
  });

  test.each(['account', 'email'])('does not work without --%s', (name) => {
    const { [name]: _left, ...args } = { account: world.account, email, base } as Record<string, string>;
    expect(() => prepare(args)).toThrow(UsageError);
  });
});

test('a command about a user that does not exist is not recorded, and says what is missing itself', async () => {
  const command = { user: 'usr_none', action: 'device.replayed', ids: [] } as const;
  await expect(recordUserCommand(world.deps, command, () => Promise.reject(new Error('no such user')))).rejects.toThrow(
    'no such user',
  );
  expect(world.table.rows().filter(({ action }) => action === 'device.replayed')).toEqual([]);
});
