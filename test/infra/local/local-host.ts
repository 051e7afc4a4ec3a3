// Hosts for the host tests: in memory, without logs or running schedules, and stopped at the end of
// the test.
import { onTestFinished } from 'vitest';
import { type Host, type HostOptions, startHost } from '../../../infra/local/host.ts';
import type { Log } from '../../../shared/platform/ports.ts';

export const silentLog: Log = () => {};

export async function memoryHost(options: Partial<HostOptions>): Promise<Host> {
  const host = await startHost({
    port: 0,
    dataDir: 'memory',
    functions: {},
    queues: {},
    log: silentLog,
    runsSchedules: false,
    env: { PATH: process.env['PATH'] },
    ...options,
  });
  onTestFinished(() => host.stop());
  return host;
}
