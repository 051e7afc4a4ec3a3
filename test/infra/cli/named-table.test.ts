// A table that only DAYBOOK_TABLE names is either on this machine, or the secret of its deployment
// was forgotten.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { startLocalTable } from '../../../infra/local/local-table.ts';
import { dataFolder, daybook, startHostOn } from './command-line.ts';

// Each command is a separate process.
vi.setConfig({ testTimeout: 60_000 });

const named = { DAYBOOK_TABLE: 'Daybook-Table4F2' };
const isSettingsError = (ran: Awaited<ReturnType<typeof daybook>>, table: string): void => {
  expect([ran.code, ran.out]).toEqual([2, '']);
  expect(ran.err).toMatch(new RegExp(`^DAYBOOK_TABLE is ${table}, but the data folder .* has no such table\\.`));
  expect(ran.err).toContain('also set DAYBOOK_SECRET_ID to its output SecretId');
};

test('without the secret of its deployment, a table is an error, and no data folder is created', async () => {
  const folder = join(dataFolder(), 'new');
  isSettingsError(await daybook(folder, ['uploads', 'list'], named), 'Daybook-Table4F2');
  expect(existsSync(folder)).toBe(false);
});

test('a table that the data folder does not have is an error, and is not created', async () => {
  const folder = dataFolder();
  expect((await daybook(folder, ['uploads', 'list'])).code).toBe(0);
  const files = readdirSync(folder);
  isSettingsError(await daybook(folder, ['uploads', 'list'], named), 'Daybook-Table4F2');
  isSettingsError(await daybook(folder, ['uploads', 'list'], named), 'Daybook-Table4F2');
  expect(readdirSync(folder)).toEqual(files);
  expect((await daybook(folder, ['accounts', 'list', '--json'])).json).toEqual({ accounts: [] });
});

test('a local table with another name is used once it exists', async () => {
  const folder = dataFolder();
  const env = { DAYBOOK_TABLE: 'second' };
  await (await startLocalTable({ dataDir: folder, env: { PATH: process.env['PATH'], ...env } })).stop();
  expect((await daybook(folder, ['accounts', 'create', '--name', 'Ada'], env)).code).toBe(0);
  const { accounts } = (await daybook(folder, ['accounts', 'list', '--json'], env)).json;
  expect(accounts).toMatchObject([{ name: 'Ada' }]);
  // The default table of the same folder is another one.
  expect((await daybook(folder, ['accounts', 'list', '--json'])).json).toEqual({ accounts: [] });
});

test('a running host that uses another table is not used instead', async () => {
  const folder = dataFolder();
  await startHostOn(folder);
  isSettingsError(await daybook(folder, ['accounts', 'list'], named), 'Daybook-Table4F2');
  const listed = await daybook(folder, ['accounts', 'list', '--json'], { DAYBOOK_TABLE: 'daybook' });
  expect([listed.code, listed.err]).toEqual([0, '']);
});
