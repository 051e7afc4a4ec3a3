// Who calls AWS and where, as every AWS tool at a terminal finds it: environment, profile, single sign-on, web identity, container.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { AwsConnection, EnvironmentVariables } from '../../shared/platform/aws/connection.ts';

/** Looks at once, so that what is missing is said before anything is done. */
export async function resolveTerminalConnection(env: EnvironmentVariables): Promise<AwsConnection> {
  const configuredRegion = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  const { config } = new SecretsManagerClient(configuredRegion ? { region: configuredRegion } : {});
  const region = await config.region().catch((cause: unknown) => {
    throw new Error('No AWS region: set AWS_REGION, or a region in your AWS profile.', { cause });
  });
  await config.credentials().catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `No AWS credentials: ${reason}\nName a profile in AWS_PROFILE (with single sign-on, run \`aws sso login\` first), or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
      { cause },
    );
  });
  // Endpoints, also a profile's own, are for the SDK to find. Credentials that expire are renewed when they are next asked for.
  return { region, credentials: () => config.credentials(), sdkSettings: {}, endpointOf: () => undefined };
}
