// Prints what a shell needs to call the service that runs on this machine.

import { join, resolve } from 'node:path';
import { listKeys } from '../../shared/accounts/accounts.ts';
import { maskApiKey } from '../../shared/accounts/api-key.ts';
import { Environment } from '../../shared/system/caller.ts';
import { readJsonIfValid } from '../local/data-files.ts';
import { DemoFile } from '../local/demo-account.ts';
import { defaultDataDir } from '../local/running-hosts.ts';
import { quoteForShell } from '../local/start-screen.ts';
import { type CliCommand, SettingsError, UsageError } from './command.ts';

export const envCommand: CliCommand = {
  usage: '[--env live|sandbox]',
  summary:
    'print exports of DAYBOOK_URL and DAYBOOK_KEY for the running service and its demo account, for eval "$(…)"; the key is the sandbox one unless --env says otherwise',
  prepare(args) {
    const env = Environment.safeParse(args.env ?? 'sandbox').data;
    if (env === undefined) throw new UsageError('--env must be live or sandbox.');
    return async (deps, store) => {
      const dataDir = store?.dataDir;
      const demo = dataDir === undefined ? undefined : readJsonIfValid(join(dataDir, 'demo.json'), DemoFile);
      if (dataDir === undefined || !demo)
        throw new SettingsError(
          'Only a service that npm start runs on this machine has a demo account. For another deployment, set DAYBOOK_URL and DAYBOOK_KEY yourself.',
        );
      if (!store?.isServed) throw new SettingsError(`No service is running on ${dataDir}. Start it with npm start.`);
      const key = demo[`${env}_key`];
      const keys = await listKeys(deps, demo.account_id);
      if (!keys.some((each) => each.key === maskApiKey(key) && each.status === 'active'))
        throw new SettingsError(
          `The ${env} key of the demo account was replaced. Set DAYBOOK_KEY to the new one, or create another: npm run -s daybook -- keys create --account ${demo.account_id} --env ${env}`,
        );
      const isDefaultDir = resolve(dataDir) === resolve(defaultDataDir);
      const variables = {
        DAYBOOK_URL: demo.base_url,
        DAYBOOK_KEY: key,
        // The commands that follow in this shell then use the same service.
        ...(isDefaultDir ? {} : { DAYBOOK_DATA: resolve(dataDir) }),
      };
      return {
        json: variables,
        text: Object.entries(variables)
          .map(([name, value]) => `export ${name}=${quoteForShell(value)}`)
          .join('\n'),
      };
    };
  },
};
