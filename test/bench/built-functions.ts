// Functions as Lambda runs them: each from its bundle, in a process of its own, on the engines of a running system.
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
  /** For whatever goes with it. */
  folder: string;
  account(): Promise<NewAccount>;
  /** Runs a script (CommonJS, as the bundles are) that finds a function's bundle in `BENCH_BUNDLE`; returns what it wrote last. */
  run(script: string, name?: string, env?: Record<string, string>): Promise<string>;
  stop(): Promise<void>;
}

const specs: Record<string, FunctionSpec> = functions;
const rootSecret = 'a root secret of more than 32 characters';

/** Whoever opens it stops it. The host may run other workers than the bundles are made from. */
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

/** What the stack would set, for the engines of the host over this data folder. */
function environmentOf(name: string, dataDir: string): EnvironmentVariables {
  const host = readHostFile(dataDir);
  const spec = specs[name];
  if (!host || !spec) throw new Error(`${host ? `the map has no function ${name}` : 'the host does not run'}`);
  return buildFunctionEnvironment(spec, { host, rootSecret, tableEpoch: 'bench', env: {} });
}
