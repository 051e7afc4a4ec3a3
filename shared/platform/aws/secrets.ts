// The Secrets port over Secrets Manager: the secret is read once per process, and a failed read is
// retried at the next call.
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Secrets } from '../ports.ts';
import { callAws } from './retries.ts';

export function awsSecrets({ client, secretId }: { client: SecretsManagerClient; secretId: string }): Secrets {
  let pendingRead: Promise<string> | undefined;

  async function read(): Promise<string> {
    const { SecretString } = await callAws('GetSecretValue', () =>
      client.send(new GetSecretValueCommand({ SecretId: secretId })),
    );
    if (!SecretString)
      throw new Error(`The secret ${secretId} has no text. Store the root secret as its SecretString.`);
    return SecretString;
  }

  return {
    root() {
      pendingRead ??= read().catch((error: unknown) => {
        pendingRead = undefined;
        throw error;
      });
      return pendingRead;
    },
  };
}
