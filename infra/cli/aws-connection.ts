// Resolves the AWS region and credentials as every AWS command-line tool does: from the
// environment, a profile, single sign-on, web identity or a container.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { AwsConnection, EnvironmentVariables } from '../../shared/platform/aws/connection.ts';

/**
 * Resolves both immediately, so that a missing setting is reported before the command does
 * anything.
 */
export async function resolveTerminalConnection(env: EnvironmentVariables): Promise<AwsConnection> {
  const configuredRegion = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'];
  const { config } = new SecretsManagerClient(configuredRegion ? { region: configuredRegion } : {});
  const region = await config.region().catch((cause: unknown) => {
    throw new Error('No AWS region: set AWS_REGION, or set a region in your AWS profile.', { cause });
  });
  await config.credentials().catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `No AWS credentials: ${reason}\nSet AWS_PROFILE to a profile (with single sign-on, run \`aws sso login\` first), or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.`,
      { cause },
    );
  });
  // The SDK finds endpoints itself, including those of a profile. Credentials that expire are
  // refreshed on their next use.
  return { region, credentials: () => config.credentials(), sdkSettings: {}, endpointOf: () => undefined };
}
