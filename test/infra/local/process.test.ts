import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DataDirUnusable, DataInUse, lockDataDir } from '../../../infra/local/data-lock.ts';
import { startHost } from '../../../infra/local/host.ts';
import { openLocalTable } from '../../../infra/local/local-table.ts';
import { keys } from '../../../shared/system/keys.ts';
import { chainFunctions, chainQueues } from './fixtures/manifest.ts';
import {
  dataFolder,
  engineProcesses,
  expectEnded,
  expectItem,
  launch,
  launchWithoutEngine,
  startChain,
  waitUntilReady,
} from './host-process.ts';
import { silentLog } from './local-host.ts';

describe('a killed host', () => {
  test('leaves no engine behind, and its data and keys are there at the next start', async () => {
    const data = dataFolder();
    const first = await waitUntilReady(launch(data));
    const pids = engineProcesses(first);
    expect(pids.length).toBeGreaterThanOrEqual(2);
    await startChain(first.baseUrl, 'kept');
    const running = await openLocalTable({ dataDir: data });
    await vi.waitFor(expectItem(running.table, 'kept', 'DONE'), { timeout: 5_000, interval: 10 });
    await running.stop();
    const demo = readFileSync(join(data, 'demo.json'), 'utf8');

    first.child.kill('SIGKILL');
    await first.exited;
    await expectEnded(pids);
    expect(existsSync(join(data, 'host.json'))).toBe(true);

    const second = await waitUntilReady(launch(data));
    const again = await openLocalTable({ dataDir: data });
    await expectItem(again.table, 'kept', 'DONE')();
    const { base_url, ...keys } = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
    expect(JSON.parse(demo)).toMatchObject(keys);
    expect(base_url).toBe(second.baseUrl);
  });

  test('does not handle the same records again at the next start', async () => {
    const data = dataFolder();
    const start = () =>
      startHost({
        port: 0,
        dataDir: data,
        functions: chainFunctions,
        queues: chainQueues,
        log: silentLog,
        runsSchedules: false,
      });
    const first = await start();
    await startChain(first.baseUrl, 'once');
    await first.drain();
    await first.table.write({ kind: 'delete', key: { pk: 'CHAIN#once', sk: 'DONE' } });
    await first.drain();
    await first.stop();

    const second = await start();
    onTestFinished(() => second.stop());
    await second.drain();
    expect(await second.table.get({ pk: 'CHAIN#once', sk: 'CHAIN' })).toBeDefined();
    expect(await second.table.get({ pk: 'CHAIN#once', sk: 'DONE' })).toBeUndefined();
  });
});

describe('the first start', () => {
  test('on a port in use suggests another, and starts nothing', async () => {
    const data = dataFolder();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const host = launch(data, { PORT: `${address.port}` });
    expect(await host.exited).toBe(1);
    expect(host.output()).toBe(
      `Port ${address.port} is already in use. Choose another: PORT=${address.port + 1} npm start\n`,
    );
    expect(existsSync(join(data, 'table.db'))).toBe(false);
  });

  test('with an invalid port reports it', async () => {
    const host = launch(dataFolder(), { PORT: 'http' });
    expect(await host.exited).toBe(1);
    expect(host.output()).toBe('PORT must be a number from 0 to 65535, not http\n');
  });
});

describe('a problem that the user can fix is reported without a stack', () => {
  test('no table engine: what is missing, how to get it, and the command that checks', async () => {
    const host = launchWithoutEngine(dataFolder());
    expect(await host.exited).toBe(1);
    expect(host.output().split('\n')).toEqual([
      expect.stringMatching(/^Daybook needs a table engine and found none: no dynoxide for \S+, and no Java\.$/),
      expect.stringMatching(/^Install Java 17 or newer, put a `dynoxide` binary on the PATH \(\S+\), or set /),
      'To check this machine, run: npm run -s daybook -- doctor',
      '',
    ]);
  });

  test('a folder that another process uses', async () => {
    const data = dataFolder();
    const lock = lockDataDir(data);
    onTestFinished(() => lock.release());
    const host = launch(data);
    expect(await host.exited).toBe(1);
    expect(host.output()).toBe(
      `Another Daybook process is using the folder ${data}. Stop it, or choose another folder: DAYBOOK_DATA=${data}-2 npm start\n`,
    );
  });

  test('a folder that cannot be written to', async () => {
    const host = launch('/dev/null/nowhere');
    expect(await host.exited).toBe(1);
    expect(host.output()).toMatch(
      /^Daybook cannot write to the data folder \/dev\/null\/nowhere \(.*\)\.\nMake it a folder that you can write to, or choose another: .*\n$/,
    );
  });

  test('data of another version', async () => {
    const data = dataFolder();
    const first = await waitUntilReady(launch(data));
    first.child.kill('SIGTERM');
    await first.exited;
    const { account_id } = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
    const { table, stop } = await openLocalTable({ dataDir: data });
    await table.write({ kind: 'update', key: keys.account(account_id), update: 'REMOVE #name' });
    await stop();
    const second = launch(data);
    expect(await second.exited).toBe(1);
    expect(second.output()).toBe(
      `The data in ${data} was written by another version of Daybook and cannot be read (name).\nStart with another folder (DAYBOOK_DATA=${data}-2 npm start), or delete this one to start over.\n`,
    );
  });

  test('an address that this machine does not have', async () => {
    const host = launch(dataFolder(), { DAYBOOK_ADDRESS: '192.0.2.1' });
    expect(await host.exited).toBe(1);
    expect(host.output()).toBe('DAYBOOK_ADDRESS is 192.0.2.1, which is not an address of this machine.\n');
  });
});

describe('the data folder', () => {
  test('whose lock cannot be opened is reported as unusable', () => {
    const data = dataFolder();
    mkdirSync(join(data, 'lock'));
    expect(() => lockDataDir(data)).toThrow(DataDirUnusable);
  });

  test('can be opened by the command line without a host, and its engine is stopped afterwards', async () => {
    const data = dataFolder();
    const first = await openLocalTable({ dataDir: data });
    await first.table.write({ kind: 'put', item: { pk: 'P', sk: 'S', text: 'kept' } });
    expect(() => lockDataDir(data)).toThrow(DataInUse);
    await first.stop();
    const second = await openLocalTable({ dataDir: data });
    onTestFinished(() => second.stop());
    expect(await second.table.get({ pk: 'P', sk: 'S' })).toMatchObject({ text: 'kept' });
  });
});
