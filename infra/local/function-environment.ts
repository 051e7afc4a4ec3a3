// Builds the environment variables of a hosted function, as the stack would set them, for the local
// engines.
import { type EnvironmentVariables, endpointVariables } from '../../shared/platform/aws/connection.ts';
import { settingNames } from '../../shared/platform/setting-names.ts';
import { listRequiredQueues, needsBaseUrl, needsMailSender } from '../function-spec.ts';
import { externalEndpoint, localCredentials, localRegion } from './engines/connection.ts';
import type { HostedFunction } from './function-runner.ts';
import type { HostFile } from './host-file.ts';

export interface EnvironmentOptions {
  /** The endpoints of the engines. */
  host: Omit<HostFile, 'pid'>;
  rootSecret: string;
  mailEndpoint?: string;
  /** Without a sender, nothing is mailed. */
  mailSender?: string | undefined;
  tableEpoch: string;
  /**
   * The host's own environment, which contains provider credentials and the endpoints of external
   * engines.
   */
  env: EnvironmentVariables;
}

/** Gives a function exactly the variables that the stack would give it. */
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

/** Engines that this host started accept any credentials; external engines need real ones. */
function connectionVariables(env: EnvironmentVariables): EnvironmentVariables {
  const local = { AWS_REGION: localRegion, ...localCredentials };
  const external = externalEndpoint(env, 'dynamodb') ?? externalEndpoint(env, 'sqs');
  const ownVariables = Object.entries(env).filter(([name]) => /^AWS_(?!ENDPOINT)/.test(name));
  return external === undefined ? local : { ...local, ...Object.fromEntries(ownVariables) };
}
