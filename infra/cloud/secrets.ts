// The two secrets of a deployment: the root secret, which AWS generates once and never shows, and
// the provider credentials, which the team enters.
import { Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type DeploymentOptions, removalPolicy } from './deployment-options.ts';

/** Returns the secret's ARN. */
export function createRootSecret(scope: Construct, options: DeploymentOptions): string {
  const secret = new CfnSecret(scope, 'RootSecret', {
    description: 'The root secret of Daybook. Replacing it invalidates every API key, token and cursor.',
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
  });
  secret.applyRemovalPolicy(removalPolicy(options));
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason: 'Rotation would invalidate every API key at once; keys are replaced individually with the CLI.',
  });
  return secret.attrId;
}

/**
 * Returns the secret's ARN. It starts empty. Values that the team enters persist, because the
 * template never changes.
 */
export function createProvidersSecret(scope: Construct, options: DeploymentOptions): string {
  const secret = new CfnSecret(scope, 'ProvidersSecret', {
    description: 'Client ids and secrets of the cloud providers, as a JSON object by provider id. See /docs/providers.',
    secretString: '{}',
  });
  secret.applyRemovalPolicy(removalPolicy(options));
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason: 'Providers offer no API to rotate a client secret; the team replaces it when a provider requires it.',
  });
  return secret.attrId;
}
