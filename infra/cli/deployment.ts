// Opens the deployment that a command targets: one in AWS or an emulator if the settings name it,
// otherwise the one on this machine.

import { depsFromEnvironment, makeDeps } from '../../functions/runtime/deps.ts';
import type { Bus, Queue } from '../../shared/platform/ports.ts';
import { providerSettingsFromEnvironment } from '../../shared/platform/provider-settings.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { TableMissing } from '../local/ensure-table.ts';
import { readHostFile } from '../local/host-file.ts';
import { openLocalTable } from '../local/local-table.ts';
import { ensureLocalRootSecret } from '../local/root-secret.ts';
import { resolveTerminalConnection } from './aws-connection.ts';
import { SettingsError } from './command.ts';

export interface Deployment {
  location: string;
  deps: Deps;
  close(): Promise<void>;
}

const isDeployed = (env: NodeJS.ProcessEnv): boolean => Boolean(env[settingNames.secret]);

/**
 * Without the name of the secret, the credentials would be read from this machine's settings, which
 * say nothing about a deployment.
 */
export function assertProviderSettings(env: NodeJS.ProcessEnv): void {
  if (isDeployed(env) && !env[settingNames.providersSecret])
    throw new SettingsError(
      `Set ${settingNames.providersSecret} to the output ProvidersSecretId of the deployment. The credentials of its providers are in that secret.`,
    );
}

export async function openDeployment(env: NodeJS.ProcessEnv): Promise<Deployment> {
  if (isDeployed(env)) {
    const deps = await depsFromEnvironment({ env, connection: await resolveTerminalConnection(env) });
    return {
      location: `table ${env[settingNames.table]}`,
      deps: { ...deps, queue: noQueue, bus: noBus },
      close: async () => {},
    };
  }
  const dataDir = env['DAYBOOK_DATA'] || '.daybook';
  const local = await openLocalTable({ dataDir, env }).catch((error: unknown) => {
    throw error instanceof TableMissing ? toSettingsError(error, dataDir) : error;
  });
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

/** The name probably belongs to a deployment whose secret was forgotten. */
const toSettingsError = ({ tableName }: TableMissing, dataDir: string): SettingsError =>
  new SettingsError(
    `${settingNames.table} is ${tableName}, but the data folder ${dataDir} has no such table. To reach a deployment on AWS, also set ${settingNames.secret} to its output SecretId. To work on this machine, unset ${settingNames.table}, or create the table with npm start.`,
  );

/**
 * The URL of the host for this data folder, or its last one. The host does not have to be running.
 */
const readLocalUrl = (dataDir: string, port: string | undefined): string =>
  port ? `http://localhost:${port}` : (readHostFile(dataDir)?.base_url ?? 'http://localhost:8787');

/**
 * The CLI wakes no workers: pending work is in the table, and the sweep finds it within two
 * minutes. The CLI knows the names of a deployment's table and secret, but of no queue.
 */
const noQueue: Queue = { send: async () => {}, sendAll: async () => {}, postpone: async () => {} };
const noBus: Bus = {
  publish: async () => {
    throw new Error('the CLI cannot publish events');
  },
};
