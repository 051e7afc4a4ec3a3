import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { DataInUse, lockDataDir } from '../../../infra/local/data-lock.ts';
import { readHostFile } from '../../../infra/local/host-file.ts';
import { openLocalTable } from '../../../infra/local/local-table.ts';
import {
  childrenOf,
  dataFolder,
  engineProcesses,
  expectEnded,
  expectItem,
  launch,
  stopWithoutLock,
  waitUntilReady,
} from './host-process.ts';

describe('a killed host', () => {
  test('handles the unhandled stream records from before the kill after its restart', async () => {
    const data = dataFolder();
    const first = await waitUntilReady(launch(data));
    // A stopped process handles nothing, so these records are certainly unhandled when it is
    // killed.
    await stopWithoutLock(first, data);
    const host = readHostFile(data);
    if (!host) throw new Error('the host wrote no host.json');
    const open = await openLocalTable({ dataDir: data });
    for (const id of ['1', '2', '3']) {
      await open.table.write({ kind: 'put', item: { pk: `CHAIN#${id}`, sk: 'CHAIN', id, link: 'yes' } });
    }
    first.child.kill('SIGKILL');
    await first.exited;

    await waitUntilReady(launch(data));
    const again = await openLocalTable({ dataDir: data });
    for (const id of ['1', '2', '3']) {
      await vi.waitFor(expectItem(again.table, id, 'DONE'), { timeout: 5_000, interval: 10 });
    }
  });
});

describe.each(['SIGTERM', 'SIGINT'] as const)('on %s', (signal) => {
  test('the host exits with code 0, stops its engine and removes host.json', async () => {
    const data = dataFolder();
    const host = await waitUntilReady(launch(data));
    const pids = engineProcesses(host);
    host.child.kill(signal);
    expect(await host.exited).toBe(0);
    await expectEnded(pids);
    expect(existsSync(join(data, 'host.json'))).toBe(false);
  });
});

test('a host whose engine dies reports it and exits with code 1', async () => {
  const host = await waitUntilReady(launch(dataFolder()));
  const [engine] = childrenOf(host.child.pid);
  if (engine === undefined) throw new Error('the host has no engine');
  process.kill(engine, 'SIGKILL');
  expect(await host.exited).toBe(1);
  expect(host.output()).toContain('the table engine ended by SIGKILL');
});

describe('the first start', () => {
  test('creates an account and shows its key, in files that only the owner can read', async () => {
    const data = dataFolder();
    const host = await waitUntilReady(launch(data));
    const demo = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
    expect(demo).toEqual({
      base_url: host.baseUrl,
      account_id: expect.stringMatching(/^acc_/),
      live_key: expect.stringMatching(/^sk_live_/),
      sandbox_key: expect.stringMatching(/^sk_sandbox_/),
    });
    await vi.waitFor(() => expect(host.output()).toContain('Ctrl-C'));
    const daybook = `DAYBOOK_DATA=${data} npm run -s daybook --`;
    expect(host.output()).toContain(`eval "$(${daybook} env)"`);
    expect(host.output()).toContain(`eval "$(${daybook} env --env live)"`);
    expect(host.output()).toContain(`${host.baseUrl}/docs`);
    for (const file of ['demo.json', 'root-secret']) expect(statSync(join(data, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(data, 'root-secret'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  });
});

describe('the data folder', () => {
  test('belongs to one host at a time', async () => {
    const data = dataFolder();
    await waitUntilReady(launch(data));
    const second = launch(data);
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/^Another Daybook process is using the folder .*DAYBOOK_DATA=/);
  });

  test('is free again after its host was killed, regardless of the files that are left', async () => {
    const data = dataFolder();
    const first = await waitUntilReady(launch(data));
    expect(() => lockDataDir(data)).toThrow(DataInUse);
    first.child.kill('SIGKILL');
    await first.exited;
    // Even a file that names a running process does not count as a running host.
    const hostFile = readHostFile(data);
    writeFileSync(join(data, 'host.json'), JSON.stringify({ ...hostFile, pid: process.pid }));
    const table = await openLocalTable({ dataDir: data });
    await table.stop();
    lockDataDir(data).release();
  });
});
