// Chooses the deployment that a command works on, and says which one it is: one on AWS or an
// emulator if the settings name it, otherwise a data folder on this machine.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { settingNames } from '../../shared/platform/setting-names.ts';
import { defaultDataDir, findRunningHost, hostRegistry, listRunningHosts, type RunningHost } from '../local/running-hosts.ts';
import { SettingsError } from './command.ts';

export interface ChosenStore {
  /** Undefined for a deployment on AWS. */
  dataDir: string | undefined;
  /** Whether something processes the pending work of this store now. */
  isServed: boolean;
  location: string;
  /** One line for people. */
  notice: string;
  /** Why only a command that creates data may use it: the folder has none, and nobody named it. */
  refusal?: string;
}

const thisCheckout = '.';
const noDataText = `No service of this checkout is running, and ${defaultDataDir} has no data. Run npm start, or set DAYBOOK_DATA.`;

export const isDeployed = (env: NodeJS.ProcessEnv): boolean => Boolean(env[settingNames.secret]);

export function chooseStore(env: NodeJS.ProcessEnv, checkout = thisCheckout): ChosenStore {
  if (isDeployed(env)) {
    const location = `the table ${env[settingNames.table] ?? ''}`;
    return { dataDir: undefined, isServed: true, location, notice: `Using ${location} of a deployment.` };
  }
  const dataDir = env['DAYBOOK_DATA'] || findOnlyRunningHost(checkout)?.dataDir || join(checkout, defaultDataDir);
  const absolute = resolve(dataDir);
  const host = findRunningHost(dataDir);
  if (host)
    return {
      dataDir,
      isServed: true,
      location: `${host.baseUrl} (data in ${absolute})`,
      notice: `Using the service at ${host.baseUrl} (data in ${absolute}).`,
    };
  // A named table must exist, so nothing is created.
  const isNew = !env[settingNames.table] && !hasStore(dataDir);
  const reason = env['DAYBOOK_DATA']
    ? 'the folder has no data'
    : 'no service of this checkout is running, and the folder has no data';
  return {
    dataDir,
    isServed: false,
    location: isNew ? `${absolute} (new)` : absolute,
    notice: isNew
      ? `Creating a new store in ${absolute}, because ${reason}.`
      : `Using the data in ${absolute}. No service is running on it.`,
    ...(isNew && !env['DAYBOOK_DATA'] ? { refusal: noDataText } : {}),
  };
}

function findOnlyRunningHost(checkout: string): RunningHost | undefined {
  const hosts = listRunningHosts(join(checkout, hostRegistry));
  if (hosts.length > 1)
    throw new SettingsError(
      [
        'Several services of this checkout are running. Say which one to use:',
        ...hosts.map(({ baseUrl, dataDir }) => `  DAYBOOK_DATA=${dataDir}   for ${baseUrl}`),
      ].join('\n'),
    );
  return hosts[0];
}

/** The files of either table engine, and the secret that a folder with an external engine has. */
const hasStore = (dataDir: string): boolean =>
  ['table.db', 'shared-local-instance.db', 'root-secret'].some((name) => existsSync(join(dataDir, name)));
