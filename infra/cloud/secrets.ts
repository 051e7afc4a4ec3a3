// The two secrets of a deployment: the root secret, made once by AWS and never shown, and what vendors gave the team, which the team puts in.
import { Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type DeploymentOptions, removalPolicy } from './deployment-options.ts';

/** Its ARN. */
export function createRootSecret(scope: Construct, options: DeploymentOptions): string {
  const secret = new CfnSecret(scope, 'RootSecret', {
    description: 'The root secret of Daybook. Replacing it invalidates every API key, token and cursor.',
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
  });
  secret.applyRemovalPolicy(removalPolicy(options));
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason: 'Rotation would invalidate every API key at once; a key is replaced one by one with the CLI.',
  });
  return secret.attrId;
}

/** Its ARN. Empty at first; what is put in stays, because the template never changes. */
export function createProvidersSecret(scope: Construct, options: DeploymentOptions): string {
  const secret = new CfnSecret(scope, 'ProvidersSecret', {
    description: 'Client ids and secrets of the cloud providers, as a JSON object by provider id. See /docs/providers.',
    secretString: '{}',
  });
  secret.applyRemovalPolicy(removalPolicy(options));
  Validations.of(secret).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SMG4',
    reason: 'Vendors have no way to rotate a client secret by machine; a team replaces it when a vendor asks for it.',
  });
  return secret.attrId;
}
