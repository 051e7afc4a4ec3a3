// The endpoints and credentials of the engines, from the standard AWS environment variables.

export type EnvironmentVariables = Record<string, string | undefined>;
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}
export type ServiceName = 'dynamodb' | 'streams' | 'sqs' | 'events' | 'secretsmanager' | 'kms' | 'ses';

export interface AwsConnection {
  /** Undefined means the service's public endpoint. */
  endpointOf(service: ServiceName): string | undefined;
  region: string;
  credentials: () => Promise<Credentials>;
  /**
   * Settings that the SDK then does not look up in configuration files. If empty, it looks them up.
   */
  sdkSettings: Partial<typeof defaultSdkSettings>;
}

const defaultSdkSettings = {
  ignoreConfiguredEndpointUrls: true,
  accountIdEndpointMode: 'disabled' as const,
  defaultsMode: 'standard' as const,
  userAgentAppId: 'daybook',
  authSchemePreference: [] as string[],
  disableClockSkewCorrection: false,
  useFipsEndpoint: false,
  useDualstackEndpoint: false,
};

export const endpointVariables: Readonly<Record<ServiceName, string>> = {
  dynamodb: 'AWS_ENDPOINT_URL_DYNAMODB',
  streams: 'AWS_ENDPOINT_URL_DYNAMODB_STREAMS',
  sqs: 'AWS_ENDPOINT_URL_SQS',
  events: 'AWS_ENDPOINT_URL_EVENTBRIDGE',
  secretsmanager: 'AWS_ENDPOINT_URL_SECRETS_MANAGER',
  kms: 'AWS_ENDPOINT_URL_KMS',
  ses: 'AWS_ENDPOINT_URL_SESV2',
};

/** Reads only these variables: a function opens no file before its first call. */
export function readAwsConnection(env: EnvironmentVariables): AwsConnection {
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  if (!region) throw new Error('No AWS region: set AWS_REGION, for instance to eu-central-1.');
  return {
    endpointOf: (service) => env[endpointVariables[service]] || env['AWS_ENDPOINT_URL'] || undefined,
    region,
    credentials: environmentCredentials(env),
    sdkSettings: {
      ...defaultSdkSettings,
      useFipsEndpoint: env['AWS_USE_FIPS_ENDPOINT'] === 'true',
      useDualstackEndpoint: env['AWS_USE_DUALSTACK_ENDPOINT'] === 'true',
    },
  };
}

function environmentCredentials(env: EnvironmentVariables): () => Promise<Credentials> {
  const read = async (): Promise<Credentials> => {
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
  // The SDK caches credentials without an expiry forever, unless they are marked as memoized. It
  // then asks before every call and picks up renewed credentials.
  return Object.assign(read, { memoized: true });
}
