import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DataInUse, lockDataDir } from '../../../infra/local/data-lock.ts';
import { startHost } from '../../../infra/local/host.ts';
import { readHostFile } from '../../../infra/local/host-file.ts';
import { openLocalTable } from '../../../infra/local/local-table.ts';
import type { Table } from '../../../shared/engine/ports.ts';
import { chainFunctions, chainQueues } from './fixtures/map.ts';
import { silent } from './local-host.ts';

const program = fileURLToPath(new URL('./fixtures/child-host.ts', import.meta.url));

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Started {
  child: ChildProcess;
  output(): string;
  exited: Promise<number | NodeJS.Signals>;
}

function launch(dataDir: string, env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env['PATH'], PORT: '0', DAYBOOK_DATA: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  const keep = (chunk: Buffer) => {
    output += chunk.toString('utf8');
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const exited = once(child, 'close').then(([code, signal]) => code ?? signal);
  return { child, output: () => output, exited };
}

async function ready(started: Started): Promise<Started & { baseUrl: string }> {
  const baseUrl = await vi.waitFor(
    () => {
      const found = /^ready (\S+)$/m.exec(started.output())?.[1];
      if (!found) throw new Error(`not ready; it said: ${started.output()}`);
      return found;
    },
    { timeout: 15_000, interval: 10 },
  );
  return { ...started, baseUrl };
}

const childrenOf = (pid: number | undefined): number[] =>
  execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

/** A process that has ended but whose new parent has not asked for its result yet counts as ended. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.trim().startsWith('Z');
}

/** The engine and the watcher that guards it. */
function engineProcesses(host: Started): number[] {
  const engines = childrenOf(host.child.pid);
  return [...engines, ...engines.flatMap(childrenOf)];
}

const gone = (pids: number[]) =>
  vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 5_000, interval: 10 });

async function begin(baseUrl: string, id: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/chain`, { method: 'POST', body: JSON.stringify({ id }) });
  expect(answer.status).toBe(202);
}
const hasItem = (table: Table, id: string, sk: string) => async () =>
  expect(await table.get({ pk: `CHAIN#${id}`, sk }, { consistent: true })).toBeDefined();

describe('a host that is killed', () => {
  test('leaves no engine behind, and its data and keys are there at the next start', async () => {
    const data = dataFolder();
    const first = await ready(launch(data));
    const pids = engineProcesses(first);
    expect(pids.length).toBeGreaterThanOrEqual(2);
    await begin(first.baseUrl, 'kept');
    const running = await openLocalTable({ dataDir: data });
    await vi.waitFor(hasItem(running.table, 'kept', 'DONE'), { timeout: 5_000, interval: 10 });
    await running.stop();
    const demo = readFileSync(join(data, 'demo.json'), 'utf8');

    first.child.kill('SIGKILL');
    await first.exited;
    await gone(pids);
    expect(existsSync(join(data, 'host.json'))).toBe(true);

    const second = await ready(launch(data));
    const again = await openLocalTable({ dataDir: data });
    await hasItem(again.table, 'kept', 'DONE')();
    const { base_url, ...keys } = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
    expect(JSON.parse(demo)).toMatchObject(keys);
    expect(base_url).toBe(second.baseUrl);
  });

  test('handles after its restart the stream records that were written before the kill and not handled', async () => {
    const data = dataFolder();
    const first = await ready(launch(data));
    // A stopped process handles nothing, so these records are surely unhandled when it dies.
    first.child.kill('SIGSTOP');
    const host = readHostFile(data);
    if (!host) throw new Error('the host wrote no host.json');
    const open = await openLocalTable({ dataDir: data });
    for (const id of ['1', '2', '3']) {
      await open.table.write({ kind: 'put', item: { pk: `CHAIN#${id}`, sk: 'CHAIN', id } });
    }
    first.child.kill('SIGKILL');
    await first.exited;

    await ready(launch(data));
    const again = await openLocalTable({ dataDir: data });
    for (const id of ['1', '2', '3']) {
      await vi.waitFor(hasItem(again.table, id, 'DONE'), { timeout: 5_000, interval: 10 });
    }
  });

  test('does not handle again at the next start what it had handled', async () => {
    const data = dataFolder();
    const start = () =>
      startHost({
        port: 0,
        dataDir: data,
        functions: chainFunctions,
        queues: chainQueues,
        log: silent,
        schedules: false,
      });
    const first = await start();
    await begin(first.baseUrl, 'once');
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

describe.each(['SIGTERM', 'SIGINT'] as const)('on %s', (signal) => {
  test('the host ends with code 0, takes its engine along and removes host.json', async () => {
    const data = dataFolder();
    const host = await ready(launch(data));
    const pids = engineProcesses(host);
    host.child.kill(signal);
    expect(await host.exited).toBe(0);
    await gone(pids);
    expect(existsSync(join(data, 'host.json'))).toBe(false);
  });
});

test('a host whose engine dies says so and ends with code 1', async () => {
  const host = await ready(launch(dataFolder()));
  const [engine] = childrenOf(host.child.pid);
  if (engine === undefined) throw new Error('the host has no engine');
  process.kill(engine, 'SIGKILL');
  expect(await host.exited).toBe(1);
  expect(host.output()).toContain("the table's engine ended by SIGKILL");
});

describe('the first start', () => {
  test('makes an account whose key is on the screen, in files that only the owner can read', async () => {
    const data = dataFolder();
    const host = await ready(launch(data));
    const demo = JSON.parse(readFileSync(join(data, 'demo.json'), 'utf8'));
    expect(demo).toEqual({
      base_url: host.baseUrl,
      account_id: expect.stringMatching(/^acc_/),
      live_key: expect.stringMatching(/^sk_live_/),
      sandbox_key: expect.stringMatching(/^sk_sandbox_/),
    });
    await vi.waitFor(() => expect(host.output()).toContain('Ctrl-C'));
    expect(host.output()).toContain(`KEY=${demo.live_key}`);
    expect(host.output()).toContain(`export KEY=${demo.sandbox_key}`);
    expect(host.output()).toContain(`${host.baseUrl}/docs`);
    for (const file of ['demo.json', 'root-secret']) expect(statSync(join(data, file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(data, 'root-secret'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test('on a port that is taken says which to try, and starts nothing', async () => {
    const data = dataFolder();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const address = other.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const host = launch(data, { PORT: `${address.port}` });
    expect(await host.exited).toBe(1);
    expect(host.output()).toBe(`Port ${address.port} is taken. Choose another: PORT=${address.port + 1} npm start\n`);
    expect(existsSync(join(data, 'table.db'))).toBe(false);
  });

  test('with a port that is none says so', async () => {
    const host = launch(dataFolder(), { PORT: 'http' });
    expect(await host.exited).toBe(1);
    expect(host.output()).toBe('PORT must be a number from 0 to 65535, not http\n');
  });
});

describe('the data folder', () => {
  test('belongs to one host at a time', async () => {
    const data = dataFolder();
    await ready(launch(data));
    const second = launch(data);
    expect(await second.exited).toBe(1);
    expect(second.output()).toMatch(/^Another Daybook is using the folder .*DAYBOOK_DATA=/);
  });

  test('is free again when its holder was killed, whatever files that left', async () => {
    const data = dataFolder();
    const first = await ready(launch(data));
    expect(() => lockDataDir(data)).toThrow(DataInUse);
    first.child.kill('SIGKILL');
    await first.exited;
    // Not even a file that names a living process is taken for a running host.
    const left = readHostFile(data);
    writeFileSync(join(data, 'host.json'), JSON.stringify({ ...left, pid: process.pid }));
    const table = await openLocalTable({ dataDir: data });
    await table.stop();
    lockDataDir(data).release();
  });

  test('is opened for the command line without a host, and the engine is gone afterwards', async () => {
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
