import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { chooseStore } from '../../../infra/cli/choose-store.ts';
import { lockDataDir } from '../../../infra/local/data-lock.ts';
import { removeHostFile, writeHostFile } from '../../../infra/local/host-file.ts';
import { hostRegistry, listRunningHosts, registerHost } from '../../../infra/local/running-hosts.ts';
import { launchRegistered, waitUntilReady } from '../local/host-process.ts';
import { dataFolder, daybookIn } from './command-line.ts';

// Each command is a separate process.
vi.setConfig({ testTimeout: 60_000 });

/** Leaves what a host leaves that is running on this folder; returns its kill. */
function pretendHost(checkout: string, dataDir: string, port: number, pid = process.pid): () => void {
  const lock = lockDataDir(dataDir);
  writeFileSync(join(dataDir, 'root-secret'), 'secret');
  writeHostFile(dataDir, {
    pid,
    base_url: `http://localhost:${port}`,
    table_endpoint: '',
    table_name: '',
    queue_endpoint: '',
    queue_urls: {},
    bus_endpoint: '',
  });
  registerHost(join(checkout, hostRegistry), dataDir);
  let isLocked = true;
  const kill = () => {
    if (isLocked) lock.release();
    isLocked = false;
  };
  onTestFinished(kill);
  return kill;
}

const noticeOf = (checkout: string, env: Record<string, string> = {}) => chooseStore(env, checkout).notice;

test('without a running service, the data is in .daybook, and a new store is announced', () => {
  const checkout = dataFolder();
  const folder = join(checkout, '.daybook');
  expect(chooseStore({}, checkout)).toEqual({
    dataDir: folder,
    isServed: false,
    location: `${folder} (new)`,
    notice: `Creating a new store in ${folder}, because no service of this checkout is running, and the folder has no data.`,
    refusal: 'No service of this checkout is running, and .daybook has no data. Run npm start, or set DAYBOOK_DATA.',
  });
  expect(chooseStore({ DAYBOOK_DATA: folder }, checkout).refusal).toBeUndefined();
  expect(existsSync(folder)).toBe(false);
  mkdirSync(folder);
  writeFileSync(join(folder, 'table.db'), '');
  expect(noticeOf(checkout)).toBe(`Using the data in ${folder}. No service is running on it.`);
  expect(chooseStore({}, checkout).refusal).toBeUndefined();
});

test('the only running service is used, wherever its data is', () => {
  const [checkout, data] = [dataFolder(), dataFolder()];
  const kill = pretendHost(checkout, data, 9001);
  expect(chooseStore({}, checkout)).toEqual({
    dataDir: data,
    isServed: true,
    location: `http://localhost:9001 (data in ${data})`,
    notice: `Using the service at http://localhost:9001 (data in ${data}).`,
  });
  kill();
  expect(noticeOf(checkout)).toContain(`${join(checkout, '.daybook')}, because no service`);
});

test('several running services are refused with their folders, and DAYBOOK_DATA chooses one', () => {
  const [checkout, one, two] = [dataFolder(), dataFolder(), dataFolder()];
  pretendHost(checkout, one, 9001);
  const kill = pretendHost(checkout, two, 9002);
  expect(() => chooseStore({}, checkout)).toThrow('Several services of this checkout are running.');
  for (const [folder, port] of [
    [one, 9001],
    [two, 9002],
  ]) {
    expect(() => chooseStore({}, checkout)).toThrow(`DAYBOOK_DATA=${folder}   for http://localhost:${port}`);
    expect(noticeOf(checkout, { DAYBOOK_DATA: `${folder}` })).toContain(`http://localhost:${port} `);
  }
  kill();
  expect(noticeOf(checkout)).toContain('http://localhost:9001 ');
});

test('a killed host whose folder a command is using is not mistaken for a running one', () => {
  const [checkout, data] = [dataFolder(), dataFolder()];
  const noProcess = 2 ** 30;
  pretendHost(checkout, data, 9001, noProcess);
  expect(chooseStore({}, checkout).isServed).toBe(false);
  expect(noticeOf(checkout, { DAYBOOK_DATA: data })).toBe(`Using the data in ${data}. No service is running on it.`);
});

test('a stopped host is forgotten, and the entries of killed ones are removed by the next', () => {
  const [checkout, one, two] = [dataFolder(), dataFolder(), dataFolder()];
  pretendHost(checkout, one, 9001);
  removeHostFile(one);
  expect(listRunningHosts(join(checkout, hostRegistry))).toEqual([]);
  pretendHost(checkout, two, 9002);
  expect(listRunningHosts(join(checkout, hostRegistry))).toEqual([{ dataDir: two, baseUrl: 'http://localhost:9002' }]);
  expect(readdirSync(join(checkout, hostRegistry))).toHaveLength(1);
});

test('a host whose file cannot be read is not running', () => {
  const [checkout, damaged, data] = [dataFolder(), dataFolder(), dataFolder()];
  pretendHost(checkout, damaged, 9001);
  for (const text of ['', '{', '{"pid":1}']) {
    writeFileSync(join(damaged, 'host.json'), text);
    expect([text, noticeOf(checkout)]).toEqual([text, expect.stringContaining('Creating a new store')]);
    expect(noticeOf(checkout, { DAYBOOK_DATA: damaged })).toContain('No service is running on it.');
  }
  pretendHost(checkout, data, 9002);
  expect(noticeOf(checkout)).toContain('http://localhost:9002 ');
});

test('another checkout, a deployment and a named folder do not use the running service', () => {
  const [checkout, data] = [dataFolder(), dataFolder()];
  pretendHost(checkout, data, 9001);
  expect(noticeOf(dataFolder())).toContain('Creating a new store');
  expect(chooseStore({ DAYBOOK_SECRET_ID: 's', DAYBOOK_TABLE: 'T' }, checkout)).toMatchObject({
    dataDir: undefined,
    isServed: true,
    notice: 'Using the table T of a deployment.',
  });
  const folder = dataFolder();
  expect(noticeOf(checkout, { DAYBOOK_TABLE: 'T', DAYBOOK_DATA: folder })).toBe(
    `Using the data in ${folder}. No service is running on it.`,
  );
});

// It starts three processes, one after the other.
test('a table that nothing but DAYBOOK_TABLE names is looked for in the running service, and nowhere else', {
  timeout: 60_000,
}, async () => {
  const [checkout, data] = [dataFolder(), dataFolder()];
  const host = await waitUntilReady(launchRegistered(checkout, { DAYBOOK_DATA: data, DAYBOOK_TABLE: 'its-own' }));
  const list = (table: string) => daybookIn(checkout, ['accounts', 'list', '--json'], { DAYBOOK_TABLE: table });
  const found = await list('its-own');
  expect([found.notice, found.err]).toEqual([`Using the service at ${host.baseUrl} (data in ${data}).\n`, '']);
  expect(found.json.accounts).toMatchObject([{ name: 'Demo' }]);
  const refused = await list('another');
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect(refused.err).toContain(`DAYBOOK_TABLE is another, but the data folder ${data} has no such table.`);
  expect(existsSync(join(checkout, '.daybook'))).toBe(false);
});

test('a service that cannot register itself runs all the same, and says how commands find it', async () => {
  const [checkout, data] = [dataFolder(), dataFolder()];
  mkdirSync(join(checkout, 'node_modules/.cache'), { recursive: true });
  writeFileSync(join(checkout, hostRegistry), 'a file');
  const host = await waitUntilReady(launchRegistered(checkout, { DAYBOOK_DATA: data }));
  expect(host.output()).toContain(`Commands need DAYBOOK_DATA=${data} to find this service, because EEXIST`);
  expect(host.output()).not.toContain('    at ');
  const ran = await daybookIn(checkout, ['accounts', 'list', '--json'], { DAYBOOK_DATA: data });
  expect(ran.json.accounts).toMatchObject([{ name: 'Demo' }]);
  expect(noticeOf(checkout)).toContain('Creating a new store');
});

test('only a command that creates an account creates a store that nobody named', async () => {
  const checkout = dataFolder();
  const { refusal } = chooseStore({}, checkout);
  const listed = await daybookIn(checkout, ['accounts', 'list']);
  expect([listed.code, listed.out, listed.notice, listed.err]).toEqual([1, '', '', `${refusal}\n`]);
  expect(existsSync(join(checkout, '.daybook'))).toBe(false);
  const { findings } = (await daybookIn(checkout, ['doctor', '--json'])).json;
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'deployment', ok: true, says: expect.stringContaining('no data yet') }),
  );
  expect(existsSync(join(checkout, '.daybook'))).toBe(false);
  expect((await daybookIn(checkout, ['accounts', 'create', '--name', 'Ada'])).code).toBe(0);
  expect((await daybookIn(checkout, ['accounts', 'list', '--json'])).json.accounts).toMatchObject([{ name: 'Ada' }]);
});

test('a real service is found by a real command, which says so on stderr only, until it is killed', async () => {
  const [checkout, data] = [dataFolder(), dataFolder()];
  const host = await waitUntilReady(launchRegistered(checkout, { DAYBOOK_DATA: data }));
  const ran = await daybookIn(checkout, ['accounts', 'list', '--json']);
  expect([ran.notice, ran.err]).toEqual([`Using the service at ${host.baseUrl} (data in ${data}).\n`, '']);
  const { account_id } = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
  expect(ran.json.accounts).toMatchObject([{ id: account_id, name: 'Demo' }]);
  host.child.kill('SIGKILL');
  await host.exited;
  expect(noticeOf(checkout)).toContain('Creating a new store');
  expect(existsSync(join(checkout, '.daybook'))).toBe(false);
});
