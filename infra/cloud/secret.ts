// The root secret, made once by AWS and never shown: API keys, tokens and cursors are derived from it.
import { Validations } from 'aws-cdk-lib';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { type DeploymentOptions, removalPolicy } from './options.ts';

/** Its ARN. */
export function rootSecret(scope: Construct, options: DeploymentOptions): string {
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
