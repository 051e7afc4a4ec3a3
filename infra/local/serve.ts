// Runs a host for a person at a terminal: settings from the environment, one screen when it is ready, an orderly end on a signal.
import type { EnvironmentVariables } from '../../shared/platform/aws/connection.ts';
import { DataInUse } from './data-lock.ts';
import { demoAccount } from './demo-account.ts';
import { firstScreen } from './first-screen.ts';
import { PortTaken } from './gateway.ts';
import { type Host, type HostOptions, startHost } from './host.ts';

const defaultPort = 8787;
const defaultDataDir = '.daybook';
/** A terminal and npm may both pass on one Ctrl-C. */
const sameSignalMilliseconds = 500;

export async function serve(map: Pick<HostOptions, 'functions' | 'queues' | 'bundles'>): Promise<void> {
  let host: Host | undefined;
  let stoppedAt: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stoppedAt !== undefined) {
      if (Date.now() - stoppedAt > sameSignalMilliseconds) process.exit(1);
      return;
    }
    stoppedAt = Date.now();
    // Before it is ready there is nothing to finish: the engines end with this process.
    if (!host) process.exit(0);
    process.stdout.write(`${signal}: stopping\n`);
    host.stop().then(
      () => process.exit(0),
      (error) => fail(error),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

  try {
    const { port, dataDir, address } = settings(process.env);
    const starting = await startHost({ ...map, port, dataDir, ...(address ? { address } : {}) });
    try {
      const demo = await demoAccount(starting.deps, dataDir, starting.baseUrl);
      host = starting;
      process.stdout.write(firstScreen(demo, dataDir));
    } catch (error) {
      await starting.stop();
      throw error;
    }
    const reason = await host.broken;
    if (stoppedAt === undefined) {
      await host.stop();
      fail(new Error(`Stopped, because ${reason}`));
    }
  } catch (error) {
    fail(error);
  }
}

function settings(env: EnvironmentVariables): { port: number; dataDir: string; address: string | undefined } {
  const port = Number(env['PORT'] || defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new StartRefused(`PORT must be a number from 0 to 65535, not ${env['PORT']}`);
  }
  return { port, dataDir: env['DAYBOOK_DATA'] || defaultDataDir, address: env['DAYBOOK_ADDRESS'] || undefined };
}

class StartRefused extends Error {}

/** What a person can mend is said in a sentence; anything else comes with its stack. */
function fail(error: unknown): never {
  const plain = error instanceof PortTaken || error instanceof DataInUse || error instanceof StartRefused;
  process.stderr.write(`${plain ? error.message : error instanceof Error ? (error.stack ?? error.message) : error}\n`);
  process.exit(1);
}
