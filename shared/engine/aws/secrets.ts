// The Secrets port over Secrets Manager: read once per process; a failed read is tried anew at the next call.
import type { Secrets } from '../ports.ts';
import type { AwsClient } from './client.ts';

export function awsSecrets({ client, secretId }: { client: AwsClient; secretId: string }): Secrets {
  let reading: Promise<string> | undefined;

  async function read(): Promise<string> {
    const { SecretString } = await client.call<{ SecretString?: string }>('GetSecretValue', { SecretId: secretId });
    if (!SecretString)
      throw new Error(`The secret ${secretId} holds no text; store the root secret as its SecretString.`);
    return SecretString;
  }

  return {
    root() {
      reading ??= read().catch((error: unknown) => {
        reading = undefined;
        throw error;
      });
      return reading;
    },
  };
}
