// The environment variables of a hosted function, as the stack would set them, for local engines.
import { type EnvironmentVariables, endpointVariables } from '../../shared/platform/aws/connection.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import { listRequiredQueues, needsBaseUrl, needsMailSender } from '../function-spec.ts';
import { externalEndpoint, localCredentials, localRegion } from './engines/connection.ts';
import type { HostedFunction } from './function-runner.ts';
import type { HostFile } from './host-file.ts';

export interface EnvironmentOptions {
  /** Where the engines are. */
  host: Omit<HostFile, 'pid'>;
  rootSecret: string;
  mailEndpoint?: string;
  /** Without one nothing is mailed. */
  mailSender?: string | undefined;
  tableEpoch: string;
  /** The host's own, which names vendors' credentials and engines that somebody else runs. */
  env: EnvironmentVariables;
}

/** A function is given what the stack would give it, and nothing of what it would not. */
export function buildFunctionEnvironment(
  spec: HostedFunction,
  { host, rootSecret, mailEndpoint, mailSender, tableEpoch, env }: EnvironmentOptions,
): EnvironmentVariables {
  const { secret, publishes, providerSecrets, mails } = spec;
  const credentials = Object.entries(env).filter(([name]) => name.startsWith(settingNames.provider('')));
  return {
    ...connectionVariables(env),
    [endpointVariables.dynamodb]: host.table_endpoint,
    [endpointVariables.sqs]: host.queue_endpoint,
    ...(publishes ? { [endpointVariables.events]: host.bus_endpoint } : {}),
    ...(mails ? { [endpointVariables.ses]: mailEndpoint } : {}),
    [settingNames.runtime]: 'local',
    [settingNames.table]: host.table_name,
    ...(spec.readsFeed ? { [settingNames.tableEpoch]: tableEpoch } : {}),
    ...(secret ? { [settingNames.secretValue]: rootSecret } : {}),
    ...(providerSecrets?.includes('credentials') ? Object.fromEntries(credentials) : {}),
    ...(publishes ? { [settingNames.bus]: 'daybook' } : {}),
    ...(needsBaseUrl(spec) ? { [settingNames.baseUrl]: host.base_url } : {}),
    ...(mailSender && needsMailSender(spec) ? { [settingNames.mailSender]: mailSender } : {}),
    ...Object.fromEntries(listRequiredQueues(spec).map((queue) => [settingNames.queue(queue), host.queue_urls[queue]])),
  };
}

/** Engines that this host started take any credentials; those of others take theirs. */
function connectionVariables(env: EnvironmentVariables): EnvironmentVariables {
  const local = { AWS_REGION: localRegion, ...localCredentials };
  const external = externalEndpoint(env, 'dynamodb') ?? externalEndpoint(env, 'sqs');
  const ownVariables = Object.entries(env).filter(([name]) => /^AWS_(?!ENDPOINT)/.test(name));
  return external === undefined ? local : { ...local, ...Object.fromEntries(ownVariables) };
}
