// What vendors gave a deployment, from one secret of Secrets Manager: an object with the vendors' ids. What was changed there is seen some minutes later.
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { type Clock, type Log, type ProviderSettings, SettingsUnreadable } from '../ports.ts';
import { callAws } from './retries.ts';

const cacheTtlMs = 300_000;
const retryMs = 60_000;
const SettingsByProvider = z.record(z.string(), z.unknown());
type Settings = z.infer<typeof SettingsByProvider>;

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
  let lastGood: Settings | undefined;
  let refreshAtMs = 0;
  let pendingRead: Promise<Settings> | undefined;

  async function read(): Promise<Settings> {
    const { SecretString } = await callAws('GetSecretValue', () =>
      client.send(new GetSecretValueCommand({ SecretId: secretId })),
    );
    try {
      return SettingsByProvider.parse(JSON.parse(SecretString ?? '{}'));
    } catch (cause) {
      // The text holds secrets, and what parsers say of it quotes them.
      throw new SettingsUnreadable(`The secret ${secretId} is not an object with the ids of providers.`, {
        cause: cause instanceof Error ? cause.name : undefined,
      });
    }
  }

  /** What was good before serves on: a slip of the pen must not end every vendor at once. */
  async function refresh(): Promise<Settings> {
    try {
      lastGood = await read();
      refreshAtMs = clock.now() + cacheTtlMs;
    } catch (error) {
      if (!lastGood) throw error;
      log('error', 'the secret of the providers cannot be read; what was good before serves on', {
        message: error instanceof Error ? error.message : 'unknown',
      });
      refreshAtMs = clock.now() + retryMs;
    }
    return lastGood;
  }

  return {
    async get(provider) {
      if (lastGood && clock.now() < refreshAtMs) return lastGood[provider];
      pendingRead ??= refresh().finally(() => {
        pendingRead = undefined;
      });
      return (await pendingRead)[provider];
    },
  };
}
