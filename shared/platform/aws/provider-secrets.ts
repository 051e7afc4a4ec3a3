// What vendors gave a deployment, from one secret of Secrets Manager: an object with the vendors' ids. What was changed there is seen some minutes later.
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { type Clock, type Log, type ProviderSettings, SettingsUnreadable } from '../ports.ts';
import { asking } from './retries.ts';

const keptMs = 300_000;
const againMs = 60_000;
const ById = z.record(z.string(), z.unknown());
type Settings = z.infer<typeof ById>;

export function awsProviderSettings({
  client,
  secretId,
  clock,
  log,
}: {
  client: SecretsManagerClient;
  secretId: string;
  clock: Clock;
  log: Log;
}): ProviderSettings {
  let good: Settings | undefined;
  let nextMs = 0;
  let reading: Promise<Settings> | undefined;

  async function read(): Promise<Settings> {
    const { SecretString } = await asking('GetSecretValue', () =>
      client.send(new GetSecretValueCommand({ SecretId: secretId })),
    );
    try {
      return ById.parse(JSON.parse(SecretString ?? '{}'));
    } catch (cause) {
      // The text holds secrets, and what parsers say of it quotes them.
      throw new SettingsUnreadable(`The secret ${secretId} is not an object with the ids of providers.`, {
        cause: cause instanceof Error ? cause.name : undefined,
      });
    }
  }

  /** What was good before serves on: a slip of the pen must not end every vendor at once. */
  async function renewed(): Promise<Settings> {
    try {
      good = await read();
      nextMs = clock.now() + keptMs;
    } catch (error) {
      if (!good) throw error;
      log('error', 'the secret of the providers cannot be read; what was good before serves on', {
        message: error instanceof Error ? error.message : 'unknown',
      });
      nextMs = clock.now() + againMs;
    }
    return good;
  }

  return {
    async of(provider) {
      if (good && clock.now() < nextMs) return good[provider];
      reading ??= renewed().finally(() => {
        reading = undefined;
      });
      return (await reading)[provider];
    },
  };
}
