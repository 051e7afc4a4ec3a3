// What the command line leaves in the audit trail of an account.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CommandArguments } from '../../../infra/cli/command.ts';
import { commands } from '../../../infra/cli/commands.ts';
import { listAudit } from '../../../shared/audit/list-audit.ts';
import { type EngineDomainWorld, openEngineDomainWorld } from '../../harness/domain-world.ts';

let world: EngineDomainWorld;
beforeAll(async () => {
  world = await openEngineDomainWorld();
});
afterAll(() => world.localTable.stop());

async function run(name: string, args: CommandArguments): Promise<unknown> {
  const command = commands[name];
  if (!command) throw new Error(`there is no command ${name}`);
  world.clock.advance(1_000);
  return (await command.prepare(args)(world.deps)).json;
}

async function listEntries(account: string) {
  const { entries } = await listAudit(world.deps, { ...world.caller, account, env: 'live' }, { limit: 100 });
  return entries.map(({ actor, action, outcome, code }) => ({ actor: actor.kind, action, outcome, code }));
}

test('every command that changes an account leaves one entry', async () => {
  const { account_id: account } = (await run('accounts create', { name: 'Club' })) as { account_id: string };
  await run('keys create', { account, env: 'live' });
  await run('keys revoke', { account, env: 'live' });
  await run('accounts limit', { positional: account, 'per-second': '7' });
  await run('accounts suspend', { positional: account });
  await run('accounts resume', { positional: account });
  await run('console link', { account, email: 'ada@example.com', base: 'https://daybook.example.com' });
  await run('keys list', { account });
  expect((await listEntries(account)).reverse()).toEqual(
    [
      'account.created',
      'key.replaced',
      'key.revoked',
      'account.limit_changed',
      'account.suspended',
      'account.resumed',
      'colleague.link_created',
    ].map((action) => ({ actor: 'command_line', action, outcome: 'done', code: null })),
  );
});

test('a key that the command line creates or revokes is named, in the trail of its environment', async () => {
  const { account_id: account } = (await run('accounts create', { name: 'Club' })) as { account_id: string };
  const { id } = (await run('keys create', { account, env: 'sandbox' })) as { id: string };
  await run('keys revoke', { account, env: 'sandbox' });
  const { entries } = await listAudit(world.deps, { ...world.caller, account, env: 'sandbox' }, { limit: 100 });
  expect(entries.map(({ action, resource_ids }) => [action, resource_ids])).toEqual([
    ['key.revoked', [account, id]],
    ['key.replaced', [account, id]],
  ]);
});

test('a replay that fails is marked as failed, and an unknown account has no trail', async () => {
  const user = await world.user();
  await expect(run('devices replay', { user, device: 'dev_none' })).rejects.toThrow('not found');
  expect(await listEntries(world.caller.account)).toEqual([
    { actor: 'command_line', action: 'device.replayed', outcome: 'failed', code: 'not_found' },
  ]);
  await expect(run('accounts suspend', { positional: 'acc_none' })).rejects.toThrow('Account acc_none not found');
  expect(await listEntries('acc_none')).toEqual([]);
});
