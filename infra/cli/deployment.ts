// Finds the deployment a command is for: one in AWS or an emulator when the settings name it, else the one on this machine.
import type { Deps } from '../../shared/domain/deps.ts';
import type { Bus, Queue } from '../../shared/engine/ports.ts';
import { settingNames } from '../../shared/model/settings.ts';
import { depsFromEnvironment, makeDeps } from '../../shared/runtime/deps.ts';
import { openLocalTable } from '../local/local-table.ts';
import { localRootSecret } from '../local/root-secret.ts';

export interface Deployment {
  where: string;
  deps: Deps;
  close(): Promise<void>;
}

export async function openDeployment(env: NodeJS.ProcessEnv): Promise<Deployment> {
  if (env[settingNames.secret]) {
    mustHaveCredentials(env);
    return { where: `table ${env[settingNames.table]}`, deps: await depsFromEnvironment(), close: async () => {} };
  }
  const dataDir = env['DAYBOOK_DATA'] || '.daybook';
  const local = await openLocalTable({ dataDir, env });
  const deps = makeDeps({
    table: local.table,
    queue: noQueue,
    bus: noBus,
    rootSecret: localRootSecret(dataDir, env),
    place: { kind: 'local' },
  });
  return { where: dataDir, deps, close: () => local.stop() };
}

/** Profiles and single sign-on are the AWS command line's business: it can hand over what it has. */
function mustHaveCredentials(env: NodeJS.ProcessEnv): void {
  if (env['AWS_ACCESS_KEY_ID'] && env['AWS_SECRET_ACCESS_KEY']) return;
  throw new Error(
    'No AWS credentials in the environment. With a profile or single sign-on, take them from the AWS command line:\n' +
      '  eval "$(aws configure export-credentials --format env)"',
  );
}

const unused = async (): Promise<never> => {
  throw new Error('the command line sends no messages');
};
const noQueue: Queue = { send: unused, sendAll: unused };
const noBus: Bus = { publish: unused };
