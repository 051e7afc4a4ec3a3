// A whole system in its own process that reports what it has used so far.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { writeLog } from '../../functions/runtime/log.ts';
import { functions, queues } from '../../infra/functions.ts';
import { startHost } from '../../infra/local/host.ts';
import { createAccount } from '../../shared/accounts/accounts.ts';
import { sendRequest } from '../harness/send-request.ts';
import type { System } from '../harness/system.ts';
import { meterFunctions } from './costs/metered-functions.ts';
import type { Usage as FunctionUsage } from './costs/usage.ts';

export type Calls = Record<string, { calls: number; readUnits: number; writeUnits: number }>;

export interface MeteredHost extends Pick<System, 'call'> {
  key: string;
  baseUrl: string;
  readUsage(): Promise<Usage>;
  stop(): Promise<void>;
}
interface HostUsage {
  cpuSeconds: number;
  engineCpuSeconds: number | undefined;
  rssBytes: number;
  peakBytes: number;
  calls: Calls;
  functions: FunctionUsage;
}

interface Usage extends HostUsage {
  /** CPU time of the whole machine, all processes. */
  machineSeconds: number;
  /** CPU time of the host, its engine and this process. */
  ownSeconds: number;
}

/** The caller stops it. It also ends when its parent process does. */
export async function startMeteredHost(): Promise<MeteredHost> {
  const execArgv = (process.env['BENCH_HOST_FLAGS'] ?? '').split(' ').filter((flag) => flag !== '');
  const child = fork(fileURLToPath(import.meta.url), { execArgv, env: { PATH: process.env['PATH'] } });
  const { baseUrl, key }: { baseUrl: string; key: string } = await receiveMessage(child);
  return {
    key,
    baseUrl,
    call: (method, path, options) => sendRequest(baseUrl, method, path, options),
    async readUsage() {
      const answer = receiveMessage<HostUsage>(child);
      child.send('usage');
      const usage = await answer;
      const { user, system } = process.cpuUsage();
      const ownSeconds = usage.cpuSeconds + (usage.engineCpuSeconds ?? 0) + (user + system) / 1e6;
      const busyMs = cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
      return { ...usage, ownSeconds, machineSeconds: busyMs / 1000 };
    },
    async stop() {
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      if (child.exitCode === null && child.signalCode === null) await ended;
    },
  };
}

/** Safe, because the other side is this same file. */
async function receiveMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`the host exited with ${code}`));
    child.once('exit', gone);
    child.once('message', (message) => {
      child.off('exit', gone);
      resolve(message as T);
    });
  });
}

async function serveMetered(): Promise<void> {
  const calls: Calls = {};
  const metered = await meterFunctions();
  const host = await startHost({
    port: 0,
    dataDir: 'memory',
    functions,
    queues,
    bundles: metered.bundles,
    log: (level, message, fields) => {
      if (level === 'error' || level === 'warn') writeLog(level, message, fields);
    },
    meter: ({ operation, readUnits, writeUnits }) => {
      const { calls: count, ...units } = calls[operation] ?? { calls: 0, readUnits: 0, writeUnits: 0 };
      calls[operation] = {
        calls: count + 1,
        readUnits: units.readUnits + readUnits,
        writeUnits: units.writeUnits + writeUnits,
      };
    },
  });
  const { live_key: key } = await createAccount(host.deps, { name: 'first sync' });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const { maxRSS } = process.resourceUsage();
    const usage: HostUsage = {
      cpuSeconds: (user + system) / 1e6,
      engineCpuSeconds: cpuSecondsOf(host.enginePids),
      rssBytes: process.memoryUsage.rss(),
      peakBytes: maxRSS * 1024,
      calls,
      functions: metered.usage(),
    };
    process.send?.(usage);
  });
  process.once('disconnect', async () => {
    await host.stop();
    metered.remove();
    process.exit(0);
  });
  process.send?.({ baseUrl: host.baseUrl, key });
}

const ticksPerSecond = 100;

/** Reads CPU times from Linux's /proc. */
function cpuSecondsOf(pids: readonly number[]): number | undefined {
  let ticks = 0;
  for (const pid of pids) {
    const path = `/proc/${pid}/stat`;
    if (!existsSync(path)) return undefined;
    // The process name, in parentheses, may contain any character.
    const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / ticksPerSecond;
}

if (import.meta.main) await serveMetered();
