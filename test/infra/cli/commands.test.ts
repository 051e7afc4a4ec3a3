import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { checkMail } from '../../../infra/cli/doctor.ts';
import { renderHelp, renderUsage } from '../../../infra/cli/help.ts';
import { ensureDemoAccount } from '../../../infra/local/demo-account.ts';
import { quoteForShell } from '../../../infra/local/start-screen.ts';
import { createKey } from '../../../shared/accounts/accounts.ts';
import { dataFolder, daybook, startHostOn } from './command-line.ts';

// Each command is a separate process, and most tests run several.
vi.setConfig({ testTimeout: 120_000 });

describe('without a running host', () => {
  test('doctor reports what is available', async () => {
    const ran = await daybook(dataFolder(), ['doctor', '--json']);
    expect(ran.code).toBe(0);
    expect(ran.json.healthy).toBe(true);
    expect(ran.json.findings.map(({ check }: { check: string }) => check)).toEqual([
      'Node',
      'table engine',
      'deployment',
      'providers',
      'mail',
      'Python 3',
    ]);
    expect((await daybook(dataFolder(), ['doctor'])).out).toMatch(/^ok +Node +v24\./);
  });

  test('a list shows the control characters of a name, and the terminal obeys none of them', async () => {
    const folder = dataFolder();
    const name = '\u001b[2JFit\nacc_0  active\u202e';
    const created = await daybook(folder, ['accounts', 'create', '--name', name, '--json']);
    expect([created.code, created.err]).toEqual([0, '']);
    const listed = await daybook(folder, ['accounts', 'list']);
    const [line = '', ...others] = listed.out.trimEnd().split('\n');
    expect(line.endsWith('  \\u{1b}[2JFit\\u{a}acc_0  active\\u{202e}')).toBe(true);
    expect(others).toEqual([]);
    const unknown = await daybook(folder, ['accounts', 'suspend', '\u001b[31macc_1']);
    expect(unknown.err).not.toContain('\u001b');
    expect(unknown.err).toContain('\\u{1b}[31macc_1');
  });

  test('doctor names a provider whose settings cannot be used', async () => {
    const env = { DAYBOOK_PROVIDER_OURA: '{"client_id":"x","client_secret":["y"]}' };
    const ran = await daybook(dataFolder(), ['doctor'], env);
    expect(ran.code).toBe(1);
    expect(ran.out).toMatch(/^MISSING providers +The settings for oura are invalid: client_secret: [^✖\n]+\.$/m);
  });

  test.each([
    [{}, true, 'at /mailbox'],
    [{ DAYBOOK_MAIL_SENDER: '' }, false, 'get links'],
    [{ DAYBOOK_SECRET_ID: 's' }, false, 'deploy with -c mailSender='],
    [{ DAYBOOK_SECRET_ID: 's', DAYBOOK_MAIL_SENDER: 'Team <no-reply@example.com>' }, true, 'sent as Team <no-reply@'],
    [{ DAYBOOK_SECRET_ID: 's', DAYBOOK_MAIL_SENDER: 'Team' }, false, 'must be an address'],
  ])('doctor reports for %j whether mail is sent: %s', (env, ok, expectedText) => {
    expect(checkMail(env)).toMatchObject({
      check: 'mail',
      ok,
      optional: true,
      says: expect.stringContaining(expectedText),
    });
  });
});

test('a command on a machine without a table engine says what is missing, without a stack', async () => {
  const preload = fileURLToPath(new URL('../local/fixtures/hide-table-engine.cjs', import.meta.url));
  const env = { NODE_OPTIONS: `--require=${preload}`, PATH: '/nowhere' };
  const ran = await daybook(dataFolder(), ['accounts', 'list'], env);
  expect([ran.code, ran.out]).toEqual([1, '']);
  expect(ran.err).toMatch(/^Daybook needs a table engine and found none: .*\n.*\n.*daybook -- doctor\n$/);
});

test('a command on a folder that cannot be written to says so, without a stack', async () => {
  const ran = await daybook('/dev/null/nowhere', ['accounts', 'list']);
  expect([ran.code, ran.out]).toEqual([1, '']);
  expect(ran.err).toMatch(/^Daybook cannot write to the data folder \/dev\/null\/nowhere .*\n.*\n$/);
});

describe('invalid usage', () => {
  test.each([
    [['accounts', 'destroy'], 'Unknown command: accounts destroy'],
    [['accounts', 'suspend', 'a', 'b'], 'Unexpected argument: b'],
    [['accounts', 'limit', 'a', '--per-second', '0'], '--per-second must be a whole number from 1 to 10000.'],
    [['keys', 'revoke', '--account', 'a', '--env', 'prod'], '--env must be live or sandbox.'],
    [
      ['keys', 'create', '--account', 'a', '--env', 'live', '--overlap', '8d'],
      '--overlap must be minutes, hours or days',
    ],
    [['keys', 'list', '--acount', 'a'], "Unknown option '--acount'"],
  ])('%j exits with 2, an error and its usage, and opens nothing', async (args, message) => {
    const ran = await daybook('/dev/null/nowhere', args);
    expect([ran.code, ran.out]).toEqual([2, '']);
    expect(ran.err.startsWith(message)).toBe(true);
    expect(ran.err).toContain(`\n\nUsage: npm run -s daybook -- ${args[0] ?? '<command>'} `);
    expect(ran.err.endsWith('\nSee --help.\n')).toBe(true);
    expect(ran.err).not.toContain('signing-keys');
  });

  test.each([['accounts', 'suspend', 'acc_00000000000000000000000000']])(
    'an unknown account exits with 1 and an error: %s %s',
    async (...args) => {
      const ran = await daybook(dataFolder(), args);
      expect([ran.code, ran.out, ran.err]).toEqual([1, '', 'Account acc_00000000000000000000000000 not found.\n']);
    },
  );

  test.each([[[]]])('%j prints the help', async (args) => {
    const ran = await daybook('/dev/null/nowhere', args);
    expect([ran.code, ran.err]).toEqual([0, '']);
    for (const command of ['accounts create', 'keys revoke', 'signing-keys rotate', 'doctor'])
      expect(ran.out).toContain(`  ${command}`);
  });

  test('a usage error prints the usage of its command only', () => {
    expect(renderUsage(['keys', 'create', '--overlap', '24'])).toBe(
      'Usage: npm run -s daybook -- keys create --account ACCOUNT --env live|sandbox [--overlap 24h]\nSee --help.\n',
    );
    expect(
      renderUsage(['devices', 'shw'])
        .split('\n')
        .map((line) => line.slice(0, 41)),
    ).toEqual([
      'Usage: npm run -s daybook -- devices show',
      'Usage: npm run -s daybook -- devices repl',
      'See --help.',
      '',
    ]);
    expect(renderUsage(['key'])).toBe('Usage: npm run -s daybook -- <command> [options]\nSee --help.\n');
  });

  test('a long usage has its summary on the next line, in the same column', () => {
    const lines = renderHelp('keys').split('\n');
    const long = lines.findIndex((line) => line.startsWith('  keys create'));
    expect(lines[long]).toMatch(/\[--overlap 24h\]$/);
    expect(lines[long + 1]?.indexOf('create a new key')).toBe(lines[long + 2]?.indexOf("list the account's keys"));
  });

  test('the help for one noun lists only its commands', async () => {
    const { out } = await daybook('/dev/null/nowhere', ['keys', '--help']);
    expect(out).toContain('  keys create');
    expect(out).not.toContain('  accounts create');
    // Without a current key, the user tokens of the environment are rejected, too.
    expect(out).toMatch(
      / {2}keys revoke .*its user tokens stop working, too\. For a leaked key, use "keys create" without/,
    );
  });
});

test('env prints what a shell needs to call the running service, and refuses a key that was replaced', async () => {
  const data = dataFolder();
  const host = await startHostOn(data);
  const demo = await ensureDemoAccount(host.deps, data, host.baseUrl);
  const printed = await daybook(data, ['env']);
  const read = (env: 'live' | 'sandbox') => ({
    ...{ DAYBOOK_URL: host.baseUrl, DAYBOOK_KEY: demo[`${env}_key`], DAYBOOK_DATA: data },
  });
  expect(printed.out.trim().split('\n')).toEqual(
    Object.entries(read('sandbox')).map(([name, value]) => `export ${name}=${quoteForShell(value)}`),
  );
  expect((await daybook(data, ['env', '--env', 'live', '--json'])).json).toEqual(read('live'));
  expect(await daybook(data, ['env', '--env', 'test'])).toMatchObject({ code: 2, out: '' });
  await createKey(host.deps, demo.account_id, 'sandbox');
  expect(await daybook(data, ['env'])).toMatchObject({
    ...{ code: 2, out: '', err: expect.stringContaining('was replaced') },
  });
});

test('env says so when no service runs, and when there is no demo account', async () => {
  const data = dataFolder();
  await daybook(data, ['accounts', 'create', '--name', 'A']);
  expect(await daybook(data, ['env'])).toMatchObject({ code: 2, err: expect.stringContaining('has a demo account') });
  writeFileSync(
    join(data, 'demo.json'),
    JSON.stringify({ base_url: '', account_id: '', live_key: '', sandbox_key: '' }),
  );
  expect(await daybook(data, ['env'])).toMatchObject({ code: 2, err: expect.stringContaining('npm start') });
});

test('with a running host, commands take effect on its next request', async () => {
  const data = dataFolder();
  const host = await startHostOn(data);
  const created = (await daybook(data, ['accounts', 'create', '--name', 'Ada', '--json'])).json;
  const listUsers = (key: string) => fetch(`${host.baseUrl}/v1/users`, { headers: { authorization: `Bearer ${key}` } });
  const status = async (key: string) => (await listUsers(key)).status;
  const policy = async (key: string) => (await listUsers(key)).headers.get('ratelimit-policy');
  const account = created.account_id;
  expect([await status(created.live_key), await status(created.sandbox_key)]).toEqual([200, 200]);

  await daybook(data, ['accounts', 'limit', account, '--per-second', '5000']);
  expect([await policy(created.live_key), await policy(created.sandbox_key)]).toEqual(
    Array(2).fill('"default";q=10000;w=2'),
  );

  await daybook(data, ['accounts', 'suspend', account]);
  expect([await status(created.live_key), await status(created.sandbox_key)]).toEqual([402, 402]);
  await daybook(data, ['accounts', 'resume', account]);
  expect(await status(created.live_key)).toBe(200);

  const { key } = (await daybook(data, ['keys', 'create', '--account', account, '--env', 'live', '--json'])).json;
  expect([await status(created.live_key), await status(key), await status(created.sandbox_key)]).toEqual([
    401, 200, 200,
  ]);
  const withOverlap = ['keys', 'create', '--account', account, '--env', 'live', '--overlap', '24h'];
  const { out } = await daybook(data, withOverlap);
  const next = out.split('\n')[0] ?? '';
  expect(out).toMatch(/^The key ends on \S+Z\. Create the next one before\.\nThe previous key works until \S+Z\.\n$/m);
  expect([await status(created.live_key), await status(key), await status(next)]).toEqual([401, 200, 200]);
  await daybook(data, ['keys', 'revoke', '--account', account, '--env', 'live']);
  expect([await status(key), await status(next), await status(created.sandbox_key)]).toEqual([401, 401, 200]);

  const { kid } = (await daybook(data, ['signing-keys', 'rotate', '--json'])).json;
  const jwks = await (await fetch(`${host.baseUrl}/.well-known/jwks.json`)).text();
  expect(jwks).toContain(kid);

  await host.stop();
  const { json } = await daybook(data, ['accounts', 'list', '--json']);
  expect(json.accounts.map(({ id }: { id: string }) => id)).toEqual([account]);
});
