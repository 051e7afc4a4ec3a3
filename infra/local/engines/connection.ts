// Clients for the engines of this machine, or for the endpoints that the environment names instead.
import { type AwsClient, awsClient } from '../../../shared/engine/aws/client.ts';
import { connectionFromEnvironment, type EnvironmentVariables } from '../../../shared/engine/aws/connection.ts';
import type { ServiceName } from '../../../shared/engine/aws/services.ts';

export const localRegion = 'us-east-1';
const localCredentials = async () => ({ accessKeyId: 'local', secretAccessKey: 'local' });

/** An endpoint that somebody else runs, when the environment names one. */
export function outsideEndpoint(env: EnvironmentVariables, service: 'dynamodb' | 'sqs'): string | undefined {
  const own = service === 'dynamodb' ? env['AWS_ENDPOINT_URL_DYNAMODB'] : env['AWS_ENDPOINT_URL_SQS'];
  return own || env['AWS_ENDPOINT_URL'] || undefined;
}

/** Engines that this host started accept any credentials. */
export const localClient = (service: ServiceName, endpoint: string): AwsClient =>
  awsClient({ service, region: localRegion, endpoint, credentials: localCredentials });

export function outsideClient(service: ServiceName, endpoint: string, env: EnvironmentVariables): AwsClient {
  const connection = connectionFromEnvironment({ AWS_REGION: localRegion, ...env });
  return awsClient({ service, region: connection.region, endpoint, credentials: connection.credentials });
}
