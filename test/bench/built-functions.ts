// Runs the built functions as Lambda does: each from its bundle, in its own process, against the
// engines of a running system.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadBuiltFunctions } from '../../infra/build/built-functions.ts';
import type { FunctionSpec } from '../../infra/function-spec.ts';
import { functions, queues } from '../../infra/functions.ts';
import { buildFunctionEnvironment } from '../../infra/local/function-environment.ts';
import type { HostedFunctions } from '../../infra/local/function-runner.ts';
import { type Host, startHost } from '../../infra/local/host.ts';
import { readHostFile } from '../../infra/local/host-file.ts';
import { createAccount, type NewAccount } from '../../shared/accounts/accounts.ts';
import type { EnvironmentVariables } from '../../shared/platform/aws/connection.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import { sendRequest } from '../harness/send-request.ts';
import type { System } from '../harness/system.ts';

export type FunctionName = keyof typeof functions;

export interface BuiltFunctions extends Pick<System, 'call'> {
  host: Host;
  /** Scratch space for files that belong to a measurement. */
  folder: string;
  account(): Promise<NewAccount>;
  /**
   * Runs a CommonJS script that finds a function's bundle in `BENCH_BUNDLE`, and returns the last
   * line that it wrote.
   */
  run(script: string, name?: string, env?: Record<string, string>): Promise<string>;
  stop(): Promise<void>;
}

const specs: Record<string, FunctionSpec> = functions;
const rootSecret = 'a root secret of more than 32 characters';

/** The caller stops it. The host may run other workers than the ones the bundles are built from. */
export async function openBuiltFunctions(hosted: HostedFunctions = functions): Promise<BuiltFunctions> {
  const folder = await mkdtemp(join(tmpdir(), 'daybook-built-'));
  const dataDir = join(folder, 'data');
  const bundles = await loadBuiltFunctions();
  const host = await startHost({
    port: 0,
    dataDir,
    functions: hosted,
    queues,
    bundles,
    runsSchedules: false,
    env: { PATH: process.env['PATH'], [settingNames.secretValue]: rootSecret },
    log: () => {},
  });
  const stop = async () => {
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    host,
    folder,
    account: () => createAccount(host.deps, { name: 'bench' }),
    call: (method, path, options) => sendRequest(host.baseUrl, method, path, options),
    async run(script, name, env = {}) {
      const bundle = name === undefined ? undefined : bundles.get(specs[name]?.entry ?? '');
      const lambda = name === undefined ? {} : { ...environmentOf(name, dataDir), BENCH_BUNDLE: bundle };
      const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script], {
        env: { ...lambda, ...env },
      });
      return stdout.trim().split('\n').at(-1) ?? '';
    },
    stop,
  };
}

/**
 * The environment variables that the stack would set, for the engines of the host on this data
 * folder.
 */
function environmentOf(name: string, dataDir: string): EnvironmentVariables {
  const host = readHostFile(dataDir);
  const spec = specs[name];
  if (!host || !spec)
    throw new Error(`${host ? `the function manifest has no function ${name}` : 'the host is not running'}`);
  return buildFunctionEnvironment(spec, { host, rootSecret, tableEpoch: 'bench', env: {} });
}
