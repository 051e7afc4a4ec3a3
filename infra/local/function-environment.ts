// The environment variables of a hosted function, as the stack would set them, for the engines of this machine.
import { type EnvironmentVariables, endpointVariables } from '../../shared/engine/aws/connection.ts';
import { settingNames } from '../../shared/model/settings.ts';
import { localCredentials, localRegion, outsideEndpoint } from './engines/connection.ts';
import type { HostedFunction } from './function-runner.ts';
import type { HostFile } from './host-file.ts';

export interface EnvironmentOptions {
  /** Where the engines are. */
  host: Omit<HostFile, 'pid'>;
  rootSecret: string;
  mailEndpoint?: string;
  /** Without one nothing is mailed. */
  mailSender?: string | undefined;
  /** The host's own, which names vendors' credentials and engines that somebody else runs. */
  env: EnvironmentVariables;
}

export function functionEnvironment(
  { sends, secret }: Pick<HostedFunction, 'sends' | 'secret'>,
  { host, rootSecret, mailEndpoint, mailSender, env }: EnvironmentOptions,
): EnvironmentVariables {
  return {
    ...connectionVariables(env),
    [endpointVariables.dynamodb]: host.table_endpoint,
    [endpointVariables.sqs]: host.queue_endpoint,
    [endpointVariables.events]: host.bus_endpoint,
    [endpointVariables.ses]: mailEndpoint,
    ...Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith(settingNames.provider('')))),
    [settingNames.table]: host.table_name,
    [settingNames.bus]: 'daybook',
    [settingNames.place]: 'local',
    [settingNames.baseUrl]: host.base_url,
    [settingNames.mailSender]: mailSender,
    [settingNames.secretValue]: secret ? rootSecret : undefined,
    ...Object.fromEntries(sends.map((queue) => [settingNames.queue(queue), host.queue_urls[queue]])),
  };
}

/** Engines that this host started take any credentials; those of others take theirs. */
function connectionVariables(env: EnvironmentVariables): EnvironmentVariables {
  const local = { AWS_REGION: localRegion, ...localCredentials };
  const outside = outsideEndpoint(env, 'dynamodb') ?? outsideEndpoint(env, 'sqs');
  const own = Object.entries(env).filter(([name]) => /^AWS_(?!ENDPOINT)/.test(name));
  return outside === undefined ? local : { ...local, ...Object.fromEntries(own) };
}
