import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { loadBuiltFunctions } from '../../../infra/build/built-functions.ts';
import { functions, queues } from '../../../infra/functions.ts';
import type { DemoFile } from '../../../infra/local/demo-account.ts';
import { issueDemoSignInLink } from '../../../infra/local/demo-sign-in.ts';
import { renderStartScreen } from '../../../infra/local/start-screen.ts';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { memoryHost } from './local-host.ts';

/** With the variables that `daybook env` exports. */
function runShell(commands: string[], { base_url, sandbox_key }: Pick<DemoFile, 'base_url' | 'sandbox_key'>) {
  const env = { PATH: process.env['PATH'], DAYBOOK_URL: base_url, DAYBOOK_KEY: sandbox_key };
  const child = spawn('sh', ['-ec', commands.join('\n')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
}

test('the commands on the start screen show a week of data when pasted', async () => {
  const host = await memoryHost({ functions, queues, bundles: await loadBuiltFunctions() });
  const account = await createAccount(host.deps, { name: 'Demo' });
  const demo = { ...account, base_url: host.baseUrl, path: '.daybook/demo.json', replaced: [] };
  const signInUrl = await issueDemoSignInLink(host.deps, demo);
  const screen = renderStartScreen(demo, '.daybook', signInUrl);
  expect(screen).toMatch(new RegExp(`^ready .*\\n\\n  console        ${host.baseUrl}/console/sign-in#[\\w-]{51} `));
  expect(await issueDemoSignInLink(host.deps, demo)).not.toBe(signInUrl);
  expect(screen).toContain(`${host.baseUrl}/docs/demo#${demo.sandbox_key}\n`);
  expect((await fetch(`${host.baseUrl}/docs/demo`)).status).toBe(200);
  expect(screen).toContain(`  mailbox        ${host.baseUrl}/mailbox `);
  expect((await fetch(`${host.baseUrl}/mailbox`)).status).toBe(200);
  const elsewhere = { ...demo, base_url: 'http://192.168.1.7:8787' };
  expect(renderStartScreen(elsewhere, '.daybook', signInUrl)).toContain('  mailbox        .daybook/mail ');
  expect(screen).toMatch(/^ {2}ADA=.*\n {2}npm run -s daybook -- users wait \$ADA\n {2}curl /m);
  for (const [folder, written] of [
    ['/tmp/daybook', '/tmp/daybook'],
    ["Ada's data", "'Ada'\\''s data'"],
  ] as const)
    expect(renderStartScreen(demo, folder, signInUrl)).toContain(
      `\n  eval "$(DAYBOOK_DATA=${written} npm run -s daybook -- env)"\n`,
    );
  const commands = screen.split('\n').filter((line) => /^ {2}(ADA=|curl)/.test(line));
  const reads = commands.filter((line) => line.startsWith('  curl'));
  const setupCommands = commands.filter((line) => !line.startsWith('  curl'));
  expect(reads.length).toBeGreaterThan(2);

  const userId = (await runShell([...setupCommands, 'echo "$ADA"'], demo)).trim();
  expect(userId).toMatch(/^usr_[0-9a-z]{26}$/);
  await host.drain();
  // When pasted again, the conflict response names the same user.
  const again = [...setupCommands, `test "$ADA" = ${userId}`, ...reads.map((line) => `${line}; echo`)];
  const printed = await runShell(again, demo);
  const [daily, sleep, scores, devices] = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const metric of ['steps', 'resting_heart_rate', 'asleep'])
    expect(daily.series[metric].filter((value: number | null) => value !== null).length).toBeGreaterThanOrEqual(6);
  expect(sleep.data.length).toBeGreaterThanOrEqual(6);
  expect(scores.latest.sleep_score).not.toBeNull();
  expect(devices.data).toHaveLength(2);
});
