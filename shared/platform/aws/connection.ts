// Where the engines are and who calls them, from the environment variables that AWS tools agree on.

export type EnvironmentVariables = Record<string, string | undefined>;
export interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
}
export type ServiceName = 'dynamodb' | 'streams' | 'sqs' | 'events' | 'secretsmanager' | 'kms' | 'ses';

export interface AwsConnection {
  /** Undefined: the service's public endpoint. */
  endpointOf(service: ServiceName): string | undefined;
  region: string;
  credentials: () => Promise<Credentials>;
  /** What the SDK need not look for in configuration files; nothing: it looks. */
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

/** Nothing is looked up beyond the variables: a function reads no file before its first call. */
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
  // The SDK keeps what has no expiry for good, unless told that somebody else does: then it asks before every call, and takes up what was renewed.
  return Object.assign(read, { memoized: true });
}
