// Where the engines are and who calls them, from the environment variables that AWS tools agree on.
import type { ServiceName } from './services.ts';
import type { Credentials } from './sigv4.ts';

export type EnvironmentVariables = Record<string, string | undefined>;

export interface Connection {
  region: string;
  /** Undefined: the service's public endpoint. */
  endpointOf(service: ServiceName): string | undefined;
  credentials: () => Promise<Credentials>;
}

const endpointVariables: Record<ServiceName, string> = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  streams: 'AWS_ENDPOINT_URL_DYNAMODB_STREAMS',
  sqs: 'AWS_ENDPOINT_URL_SQS',
  events: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
};

export function connectionFromEnvironment(env: EnvironmentVariables): Connection {
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  if (!region) throw new Error('No AWS region: set AWS_REGION, for instance to eu-central-1.');
  return {
    region,
    endpointOf: (service) => env[endpointVariables[service]] || env['AWS_ENDPOINT_URL'] || undefined,
    credentials: environmentCredentials(env),
  };
}

/** Reads the variables at every call, so that renewed credentials are taken up. */
function environmentCredentials(env: EnvironmentVariables): () => Promise<Credentials> {
  return async () => {
    const accessKeyId = env['AWS_ACCESS_KEY_ID'];
    const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'];
    const sessionToken = env['AWS_SESSION_TOKEN'];
    if (!accessKeyId || !secretAccessKey) {
      throw new Error(
        'No AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if they are temporary.',
      );
    }
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  };
}
