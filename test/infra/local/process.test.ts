import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DataInUse, lockDataDir } from '../../../infra/local/data-lock.ts';
import { startHost } from '../../../infra/local/host.ts';
import { openLocalTable } from '../../../infra/local/local-table.ts';
import { chainFunctions, chainQueues } from './fixtures/manifest.ts';
import {
  dataFolder,
  engineProcesses,
  expectEnded,
  expectItem,
  launch,
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

describe('the data folder', () => {
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
