import { describe, expect, test, vi } from 'vitest';
import { dataFolder, daybook } from './command-line.ts';

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const accountId = expect.stringMatching(/^acc_[0-9a-hjkmnp-tv-z]{26}$/);

// Each command is a separate process, and most tests run several.
vi.setConfig({ testTimeout: 120_000 });

describe('without a running host', () => {
  test('accounts and keys persist between commands, in exact JSON', async () => {
    const data = dataFolder();
    const run = async (...args: string[]) => {
      const ran = await daybook(data, [...args, '--json']);
      expect([ran.code, ran.err]).toEqual([0, '']);
      return ran.json;
    };
    expect(await run('accounts', 'list')).toEqual({ accounts: [] });

    const createdAccount = await run('accounts', 'create', '--name', 'Ada & Söhne', '--form', '2');
    expect(createdAccount).toEqual({
      account_id: accountId,
      live_key: expect.any(String),
      sandbox_key: expect.any(String),
      keys_expire_at: timestamp,
    });
    expect(createdAccount.live_key).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
    expect(createdAccount.sandbox_key).toMatch(/^sk_sandbox_[0-9A-Za-z]{49}$/);
    const account = createdAccount.account_id;

    const listed = { id: account, name: 'Ada & Söhne', status: 'active', api_form: 2, created_at: timestamp };
    expect(await run('accounts', 'list')).toEqual({ accounts: [{ ...listed, requests_per_second: 100 }] });
    expect(await run('accounts', 'limit', account, '--per-second', '5000')).toEqual({
      account_id: account,
      requests_per_second: 5000,
    });
    expect(await run('accounts', 'list')).toEqual({ accounts: [{ ...listed, requests_per_second: 5000 }] });
    expect(await run('accounts', 'suspend', account)).toEqual({ account_id: account, status: 'suspended' });
    expect((await run('accounts', 'list')).accounts[0].status).toBe('suspended');
    expect(await run('accounts', 'resume', account)).toEqual({ account_id: account, status: 'active' });
    expect((await run('accounts', 'list')).accounts[0].status).toBe('active');

    const { account_id: onForm1 } = await run('accounts', 'create', '--name', 'Form One', '--form', '1');
    const { accounts } = await run('accounts', 'list');
    expect(accounts.find(({ id }: { id: string }) => id === onForm1)).toMatchObject({ api_form: 1 });

    const created = await run('keys', 'create', '--account', account, '--env', 'sandbox');
    const id = expect.stringMatching(/^key_/);
    expect(created).toEqual({ id, key: expect.stringMatching(/^sk_sandbox_/), expires_at: timestamp });
    const replacement = await run('keys', 'create', '--account', account, '--env', 'sandbox', '--overlap', '30m');
    expect(replacement).toEqual({
      id,
      key: expect.any(String),
      expires_at: timestamp,
      previous_key_ends_at: timestamp,
    });
    expect(await run('keys', 'revoke', '--account', account, '--env', 'live')).toEqual({
      account_id: account,
      env: 'live',
      status: 'revoked',
    });
    const { keys } = await run('keys', 'list', '--account', account);
    const shown = (key: string) => `${key.slice(0, key.lastIndexOf('_') + 1)}…${key.slice(-4)}`;
    const row = (env: string, status: string, key: string) => ({
      id: expect.stringMatching(/^key_/),
      env,
      status,
      key: shown(key),
      created_at: timestamp,
      expires_at: timestamp,
      ends_at: timestamp,
      last_used_at: null,
    });
    expect(keys).toHaveLength(4);
    expect(keys).toEqual(
      expect.arrayContaining([
        row('live', 'revoked', createdAccount.live_key),
        row('sandbox', 'revoked', createdAccount.sandbox_key),
        row('sandbox', 'ending', created.key),
        row('sandbox', 'active', replacement.key),
      ]),
    );
    const lifetimeMs = Date.parse(keys[0].expires_at) - Date.parse(keys[0].created_at);
    expect(lifetimeMs).toBe(90 * 24 * 3600 * 1000);

    expect(await run('signing-keys', 'rotate')).toEqual({ kid: expect.stringMatching(/^[0-9a-z]{26}\.[\w-]{12}$/) });
  });

  test('text output is for people, and shows a key only once', async () => {
    const data = dataFolder();
    expect((await daybook(data, ['accounts', 'list'])).out).toBe(
      'No accounts yet. Create one with "accounts create".\n',
    );
    const createdAccount = await daybook(data, ['accounts', 'create', '--name', 'Ada']);
    const live = /live key +(\S+)/.exec(createdAccount.out)?.[1] ?? '';
    expect(live).toMatch(/^sk_live_[0-9A-Za-z]{49}$/);
    const account = /account +(\S+)/.exec(createdAccount.out)?.[1] ?? '';
    expect((await daybook(data, ['accounts', 'list'])).out).toMatch(
      new RegExp(`^${account}  active  form 2  100/s  \\S+  Ada\\n$`),
    );
    const listed = await daybook(data, ['keys', 'list', '--account', account]);
    expect(listed.out.split('\n')).toHaveLength(3);
    expect(listed.out).not.toContain(live.slice(8, 40));
  });

  test('doctor exits with 1 when a requirement is missing', async () => {
    const ran = await daybook('/dev/null/nowhere', ['doctor', '--json']);
    expect(ran.code).toBe(1);
    expect(ran.json.healthy).toBe(false);
    expect(ran.json.findings).toContainEqual(expect.objectContaining({ check: 'deployment', ok: false }));
  });
});

describe('invalid usage', () => {
  test.each([
    [['accounts'], 'Unknown command: accounts'],
    [['accounts', 'destroy'], 'Unknown command: accounts destroy'],
    [['constructor'], 'Unknown command: constructor'],
    [['accounts', 'create'], '--name is missing.'],
    [['accounts', 'create', '--name', ' '], '--name is missing.'],
    [['accounts', 'create', '--name', 'x'.repeat(201)], '--name must be at most 200 characters long.'],
    [['accounts', 'create', '--name', 'a', '--form', '3'], '--form must be 1 or 2.'],
    [['accounts', 'create', 'ada', '--name', 'a'], 'Unexpected argument: ada'],
    [['accounts', 'suspend'], 'The account is missing.'],
    [['accounts', 'suspend', 'a', 'b'], 'Unexpected argument: b'],
    [['accounts', 'limit', 'a'], '--per-second is missing.'],
    [['accounts', 'limit', '--per-second', '5'], 'The account is missing.'],
    [['accounts', 'limit', 'a', '--per-second', '0'], '--per-second must be a whole number from 1 to 10000.'],
    [['accounts', 'limit', 'a', '--per-second', '1.5'], '--per-second must be a whole number from 1 to 10000.'],
    [['accounts', 'limit', 'a', '--per-second', '10001'], '--per-second must be a whole number from 1 to 10000.'],
    [['keys', 'create', '--account', 'a'], '--env is missing.'],
    [['keys', 'create', '--env', 'live'], '--account is missing.'],
    ...['24', '8d', '169h', '10081m', '0h', '1.5h', '-1h', '1w', ' '].map((overlap): [string[], string] => [
      ['keys', 'create', '--account', 'a', '--env', 'live', `--overlap=${overlap}`],
      '--overlap must be minutes, hours or days, such as 30m, 24h or 7d, and at most 7 days.',
    ]),
    [['keys', 'revoke', '--account', 'a', '--env', 'prod'], '--env must be live or sandbox.'],
    [['keys', 'list', '--acount', 'a'], "Unknown option '--acount'"],
  ])('%j exits with 2, an error and its usage, and opens nothing', async (args, message) => {
    const ran = await daybook('/dev/null/nowhere', args);
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(ran.err.startsWith(message)).toBe(true);
    const noun = args[0] === undefined || args[0] === 'constructor' ? '<command>' : args[0];
    expect(ran.err).toContain(`\n\nUsage: npm run -s daybook -- ${noun} `);
    expect(ran.err.endsWith('\nSee --help.\n')).toBe(true);
    expect(ran.err).not.toContain('signing-keys');
  });

  test.each([
    ['accounts', 'suspend', 'acc_00000000000000000000000000'],
    ['accounts', 'resume', 'acc_00000000000000000000000000'],
    ['accounts', 'limit', 'acc_00000000000000000000000000', '--per-second', '5'],
    ['keys', 'list', '--account', 'acc_00000000000000000000000000'],
    ['keys', 'create', '--account', 'acc_00000000000000000000000000', '--env', 'live'],
    ['keys', 'revoke', '--account', 'acc_00000000000000000000000000', '--env', 'live'],
  ])('an unknown account exits with 1 and an error: %s %s', async (...args) => {
    const ran = await daybook(dataFolder(), args);
    expect([ran.code, ran.out, ran.err]).toEqual([1, '', 'Account acc_00000000000000000000000000 not found.\n']);
  });

  test.each([[['--help']], [['-h']], [['help']], [[]]])('%j prints the help', async (args) => {
    const ran = await daybook('/dev/null/nowhere', args);
    expect([ran.code, ran.err]).toEqual([0, '']);
    for (const command of ['accounts create', 'keys revoke', 'signing-keys rotate', 'doctor'])
      expect(ran.out).toContain(`  ${command}`);
  });
});
