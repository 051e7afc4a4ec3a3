// Parses the environment once, so that a function reports a missing setting before it serves
// anything.
import * as z from 'zod';
import type { EnvironmentVariables } from '../../shared/platform/aws/connection.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import type { DeploymentFacts } from '../../shared/system/deps.ts';
import type { QueueName } from '../../shared/system/jobs.ts';

export interface Settings {
  table: string;
  bus: string;
  secretId: string | undefined;
  secretValue: string | undefined;
  providersSecretId: string | undefined;
  vaultKeyId: string | undefined;
  mailConfigurationSet: string | undefined;
  deployment: DeploymentFacts;
  queueUrl(name: QueueName): string;
}

const DeploymentKind = z.enum(['local', 'aws']);

export function readSettings(env: EnvironmentVariables): Settings {
  const requireSetting = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`the setting ${name} is missing`);
    return value;
  };
  const baseUrl = env[settingNames.baseUrl];
  const mailSender = env[settingNames.mailSender];
  const tableEpoch = env[settingNames.tableEpoch];
  return {
    table: requireSetting(settingNames.table),
    bus: env[settingNames.bus] ?? 'default',
    secretId: env[settingNames.secret],
    secretValue: env[settingNames.secretValue],
    providersSecretId: env[settingNames.providersSecret],
    vaultKeyId: env[settingNames.vaultKey],
    mailConfigurationSet: env[settingNames.mailConfigurationSet],
    deployment: {
      kind: DeploymentKind.parse(env[settingNames.runtime] ?? 'aws'),
      ...(baseUrl ? { baseUrl } : {}),
      ...(mailSender ? { mailSender } : {}),
      ...(tableEpoch ? { tableEpoch } : {}),
    },
    queueUrl: (name) => requireSetting(settingNames.queue(name)),
  };
}
