// Runs a host in a terminal: settings from the environment, a start screen when it is ready, and a
// clean stop on a signal.
import * as z from 'zod';
import type { EnvironmentVariables } from '../../shared/platform/aws/connection.ts';
import { FixableError } from '../fixable-error.ts';
import { type DemoAccount, ensureDemoAccount } from './demo-account.ts';
import { ensureDemoPerson } from './demo-person.ts';
import { issueDemoSignInLink, openOnPerson, printSignInLinks } from './demo-sign-in.ts';
import { type Host, type HostOptions, startHost } from './host.ts';
import { defaultDataDir, registerHost } from './running-hosts.ts';
import { renderStartScreen } from './start-screen.ts';

const defaultPort = 8787;
/** A terminal and npm may both forward the same Ctrl-C. */
const duplicateSignalMilliseconds = 500;

interface ServeOptions {
  /** Where the command line finds this host. */
  registry?: string;
  /** Whether the first start creates a fictional person with a week of data. */
  hasDemoPerson?: boolean;
}

export async function serve(
  manifest: Pick<HostOptions, 'functions' | 'queues' | 'bundles'>,
  { registry, hasDemoPerson = false }: ServeOptions = {},
): Promise<void> {
  let host: Host | undefined;
  let demo: DemoAccount | undefined;
  let stoppedAt: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stoppedAt !== undefined) {
      if (Date.now() - stoppedAt > duplicateSignalMilliseconds) process.exit(1);
      return;
    }
    stoppedAt = Date.now();
    // Before the host is ready there is nothing to finish: the engines end with this process.
    if (!host) process.exit(0);
    process.stdout.write(`${signal}: stopping\n`);
    host.stop().then(
      () => process.exit(0),
      (error) => exitWithError(error),
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

  try {
    const { port, dataDir, address } = readSettings(process.env);
    const startedHost = await startHost({
      ...manifest,
      port,
      dataDir,
      onMail: printSignInLinks,
      issueSignInLink: async () => demo && issueDemoSignInLink(startedHost.deps, demo),
      ...(address ? { address } : {}),
    });
    try {
      demo = await ensureDemoAccount(startedHost.deps, dataDir, startedHost.baseUrl);
      if (registry !== undefined) tryToRegister(registry, dataDir);
      host = startedHost;
      const [signInUrl, personId] = await Promise.all([
        issueDemoSignInLink(startedHost.deps, demo),
        hasDemoPerson ? ensureDemoPerson(startedHost.deps, demo) : undefined,
      ]);
      const consoleUrl = personId === undefined ? signInUrl : openOnPerson(signInUrl, personId);
      process.stdout.write(renderStartScreen(demo, dataDir, consoleUrl));
    } catch (error) {
      await startedHost.stop();
      throw error instanceof z.ZodError ? new UnreadableData(dataDir, error) : error;
    }
    const reason = await host.engineFailure;
    if (stoppedAt === undefined) {
      await host.stop();
      exitWithError(new Error(`Stopped, because ${reason}`));
    }
  } catch (error) {
    exitWithError(error);
  }
}

/** A host that commands do not find by themselves is still a host. */
function tryToRegister(registry: string, dataDir: string): void {
  try {
    registerHost(registry, dataDir);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    process.stderr.write(`Commands need DAYBOOK_DATA=${dataDir} to find this service, because ${why}\n`);
  }
}

function readSettings(env: EnvironmentVariables): { port: number; dataDir: string; address: string | undefined } {
  const port = Number(env['PORT'] || defaultPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new InvalidSettings(`PORT must be a number from 0 to 65535, not ${env['PORT']}`);
  }
  return { port, dataDir: env['DAYBOOK_DATA'] || defaultDataDir, address: env['DAYBOOK_ADDRESS'] || undefined };
}

class InvalidSettings extends FixableError {}

/** A stored row is not as this version writes it. */
class UnreadableData extends FixableError {
  constructor(dataDir: string, cause: z.ZodError) {
    const fields = cause.issues.map(({ path }) => path.join('.')).join(', ');
    super(
      `The data in ${dataDir} was written by another version of Daybook and cannot be read (${fields}).\nStart with another folder (DAYBOOK_DATA=${dataDir}-2 npm start), or delete this one to start over.`,
      { cause },
    );
  }
}

/** Errors that the user can fix are printed as their message, all others with their stack. */
function exitWithError(error: unknown): never {
  process.stderr.write(
    `${error instanceof FixableError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error}\n`,
  );
  process.exit(1);
}
