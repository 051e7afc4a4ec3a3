// The Secrets port over Secrets Manager: read once per process; a failed read is tried anew at the next call.
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
      throw new Error(`The secret ${secretId} holds no text; store the root secret as its SecretString.`);
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
