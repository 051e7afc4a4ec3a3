// Connections to the local engines, or to the endpoints that the environment names instead.
import {
  type AwsConnection,
  type EnvironmentVariables,
  readAwsConnection,
} from '../../../shared/platform/aws/connection.ts';

export const localRegion = 'us-east-1';

/** The endpoint of an engine that this host did not start, if the environment names one. */
export function externalEndpoint(env: EnvironmentVariables, service: 'dynamodb' | 'sqs'): string | undefined {
  const serviceEndpoint = service === 'dynamodb' ? env['AWS_ENDPOINT_URL_DYNAMODB'] : env['AWS_ENDPOINT_URL_SQS'];
  return serviceEndpoint || env['AWS_ENDPOINT_URL'] || undefined;
}

/** Engines that this host started accept any credentials. */
export const localCredentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' } as const;

export const localConnection = (endpoint: string): AwsConnection => externalConnection(endpoint, localCredentials);

export const externalConnection = (endpoint: string, env: EnvironmentVariables): AwsConnection => ({
  ...readAwsConnection({ AWS_REGION: localRegion, ...env }),
  endpointOf: () => endpoint,
});
