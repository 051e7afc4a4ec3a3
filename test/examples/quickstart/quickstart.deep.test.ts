// Runs the programs of the quickstart page exactly as it shows them, against the service.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type System, startSystem } from '../../harness/system.ts';
import { findProgram } from '../installed-programs.ts';

const assets = fileURLToPath(new URL('../../../functions/api/guides/assets/', import.meta.url));
const python = findProgram(['python3', 'python3.11'], '--version', /^Python 3\.(?:9|[1-9]\d)\./);

let system: System;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

/** The host is in this process, so the program must not block it. */
const run = (program: string, file: string, env: Record<string, string>) =>
  promisify(execFile)(program, [file], { cwd: assets, env: { ...process.env, ...env } });

const start = async (program: string, file: string): Promise<string[]> => {
  const { sandbox_key } = await system.account();
  const env = { DAYBOOK_URL: system.host.baseUrl, DAYBOOK_KEY: sandbox_key };
  const { stdout } = await run(program, file, env);
  return stdout.trim().split('\n');
};

test('the shell program creates a user and prints its days with their sources', async () => {
  const [user = '', daily = ''] = await start('sh', 'quickstart.sh');
  expect(user).toMatch(/^user usr_[0-9a-z]+$/);
  const { series, sources } = JSON.parse(daily);
  expect(series.steps.at(-2)).toEqual(expect.any(Number));
  expect(sources.steps.at(-2)).toMatchObject({ provider: expect.any(String) });
});

const charts = [
  { name: 'TypeScript', program: process.execPath, file: 'quickstart.ts' },
  { name: 'Python', program: python, file: 'quickstart.py' },
];

describe.each(charts)('the $name program', ({ name, program, file }) => {
  if (program === undefined) {
    test.skip(`draws a week (${name} is not installed on this machine)`, () => {});
    return;
  }

  test('draws a chart of the week, with the source of each value', async () => {
    const [user, ...days] = await start(program, file);
    expect(user).toMatch(/^user usr_[0-9a-z]+$/);
    expect(days.length).toBeGreaterThanOrEqual(7);
    for (const day of days) expect(day).toMatch(/^\d{4}-\d\d-\d\d (?:no value|#* \d+ [a-z_]+)\s*$/);
    expect(days.filter((day) => day.includes('##')).length).toBeGreaterThanOrEqual(6);
  });

  test('says what is wrong when there is no key, or the key is not valid', async () => {
    const failed = { code: 1 };
    await expect(run(program, file, { DAYBOOK_KEY: '' })).rejects.toMatchObject({
      ...failed,
      stderr: expect.stringContaining('Set DAYBOOK_KEY to a sandbox key.'),
    });
    const env = { DAYBOOK_KEY: 'sk_sandbox_wrong', DAYBOOK_URL: system.host.baseUrl };
    await expect(run(program, file, env)).rejects.toMatchObject({
      ...failed,
      stderr: expect.stringMatching(/401 \{"error":"invalid_token"/),
    });
  });
});

test('the shell program stops when there is no key, or the key is not valid', async () => {
  await expect(run('sh', 'quickstart.sh', { DAYBOOK_KEY: '' })).rejects.toMatchObject({
    stderr: expect.stringContaining('Set DAYBOOK_KEY to a sandbox key.'),
  });
  const env = { DAYBOOK_KEY: 'sk_sandbox_wrong', DAYBOOK_URL: system.host.baseUrl };
  await expect(run('sh', 'quickstart.sh', env)).rejects.toMatchObject({ stderr: expect.stringContaining('401') });
});
