// Finds the deployment a command is for: one in AWS or an emulator when the settings name it, else the one on this machine.

import { depsFromEnvironment, makeDeps } from '../../functions/runtime/deps.ts';
import type { Bus, Queue } from '../../shared/platform/ports.ts';
import { providerSettingsFromEnvironment } from '../../shared/platform/provider-settings.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { readHostFile } from '../local/host-file.ts';
import { openLocalTable } from '../local/local-table.ts';
import { ensureLocalRootSecret } from '../local/root-secret.ts';
import { resolveTerminalConnection } from './aws-connection.ts';

export interface Deployment {
  location: string;
  deps: Deps;
  close(): Promise<void>;
}

export async function openDeployment(env: NodeJS.ProcessEnv): Promise<Deployment> {
  if (env[settingNames.secret]) {
    const deps = await depsFromEnvironment({ env, connection: await resolveTerminalConnection(env) });
    return {
      location: `table ${env[settingNames.table]}`,
      deps: { ...deps, queue: noQueue, bus: noBus },
      close: async () => {},
    };
  }
  const dataDir = env['DAYBOOK_DATA'] || '.daybook';
  const local = await openLocalTable({ dataDir, env });
  const deps = makeDeps({
    table: local.table,
    queue: noQueue,
    bus: noBus,
    rootSecret: ensureLocalRootSecret(dataDir, env),
    providerSettings: providerSettingsFromEnvironment(env),
    deployment: { kind: 'local', baseUrl: env[settingNames.baseUrl] || readLocalUrl(dataDir, env['PORT']) },
  });
  return { location: dataDir, deps, close: () => local.stop() };
}

/** Where the host of this data answers, or did last; it need not run. */
const readLocalUrl = (dataDir: string, port: string | undefined): string =>
  port ? `http://localhost:${port}` : (readHostFile(dataDir)?.base_url ?? 'http://localhost:8787');

/**
 * What is owed stands in the table, and the sweep finds it within two minutes: the command line
 * wakes nobody, wherever the deployment is. It is told the names of a deployment's table and
 * secret, and of no queue.
 */
const noQueue: Queue = { send: async () => {}, sendAll: async () => {}, postpone: async () => {} };
const noBus: Bus = {
  publish: async () => {
    throw new Error('the command line publishes nothing');
  },
};
