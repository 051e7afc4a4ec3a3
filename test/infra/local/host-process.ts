// Starts hosts in separate processes, which a test can kill, and inspects what is left of them.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, vi } from 'vitest';
import type { Table } from '../../../shared/platform/ports.ts';

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
/** Loaded before the entry of every npm script; it caches compiled code. */
const preload = fileURLToPath(new URL('../../../infra/node-version.js', import.meta.url));

export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface HostProcess {
  child: ChildProcess;
  output(): string;
  exited: Promise<number | NodeJS.Signals>;
}

export const launch = (dataDir: string, env: Record<string, string> = {}): HostProcess =>
  launchProgram([fixture('child-host.ts')], { DAYBOOK_DATA: dataDir, ...env });

/** As `npm start` does in a checkout: the command line finds the host. */
export const launchRegistered = (checkout: string, env: Record<string, string> = {}): HostProcess =>
  launchProgram([fixture('registered-host.ts')], env, checkout);

/** On a machine that has neither of the table engines. */
export const launchWithoutEngine = (dataDir: string): HostProcess =>
  launchProgram(['--require', fixture('hide-table-engine.cjs'), fixture('child-host.ts')], {
    DAYBOOK_DATA: dataDir,
    PATH: '/nowhere',
  });

function launchProgram(args: string[], env: Record<string, string>, cwd?: string): HostProcess {
  const child = spawn(process.execPath, ['--import', preload, ...args], {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
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

export async function waitUntilReady(started: HostProcess): Promise<HostProcess & { baseUrl: string }> {
  const baseUrl = await vi.waitFor(
    () => {
      const found = /^ready (\S+)$/m.exec(started.output())?.[1];
      if (!found) throw new Error(`the host is not ready; its output: ${started.output()}`);
      return found;
    },
    { timeout: 15_000, interval: 10 },
  );
  return { ...started, baseUrl };
}

/**
 * Stops the process of a host at a moment when it holds no lock of the table's database, in which it
 * deletes the stream records that it has read. A process that is stopped with the lock would make
 * the engine wait for it.
 */
export async function stopWithoutLock(host: HostProcess, dataDir: string): Promise<void> {
  const database = new DatabaseSync(join(dataDir, 'table.db'), { timeout: 0 });
  try {
    await vi.waitFor(
      () => {
        host.child.kill('SIGSTOP');
        expect(readState(host.child.pid)).toMatch(/^T/);
        try {
          database.exec('BEGIN IMMEDIATE; ROLLBACK');
        } catch (error) {
          host.child.kill('SIGCONT');
          throw error;
        }
      },
      { timeout: 5_000, interval: 10 },
    );
  } finally {
    database.close();
  }
}

export const childrenOf = (pid: number | undefined): number[] =>
  execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(Number);

/** Its state as `ps` has it, empty once the process is gone. */
const readState = (pid: number | undefined): string =>
  spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).stdout.trim();

/** A zombie process, which has ended but was not reaped yet, counts as ended. */
function isAlive(pid: number): boolean {
  const state = readState(pid);
  return state !== '' && !state.startsWith('Z');
}

/** The engine, and the watcher that ends it with its host. */
export function engineProcesses(host: HostProcess): number[] {
  const engines = childrenOf(host.child.pid);
  return [...engines, ...engines.flatMap(childrenOf)];
}

export const expectEnded = (pids: number[]) =>
  vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 5_000, interval: 10 });

export async function startChain(baseUrl: string, id: string): Promise<void> {
  const response = await fetch(`${baseUrl}/chain`, { method: 'POST', body: JSON.stringify({ id }) });
  expect(response.status).toBe(202);
}
export const expectItem = (table: Table, id: string, sk: string) => async () =>
  expect(await table.get({ pk: `CHAIN#${id}`, sk }, { consistent: true })).toBeDefined();
