// Opens the deployment that a command works on.

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
import { type ChosenStore, isDeployed } from './choose-store.ts';
import { SettingsError } from './command.ts';

export interface Deployment {
  deps: Deps;
  close(): Promise<void>;
}

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

export async function openDeployment(
  env: NodeJS.ProcessEnv,
  { dataDir }: Pick<ChosenStore, 'dataDir'>,
): Promise<Deployment> {
  if (dataDir === undefined) {
    const deps = await depsFromEnvironment({ env, connection: await resolveTerminalConnection(env) });
    return { deps: { ...deps, queue: noQueue, bus: noBus }, close: async () => {} };
  }
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
  return { deps, close: () => local.stop() };
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
