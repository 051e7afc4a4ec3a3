// The credentials that providers issued to a deployment, from one secret in Secrets Manager: an
// object keyed by provider id. A change takes effect within a few minutes.
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
      // The text contains secrets, and parser errors quote it.
      throw new SettingsUnreadable(`The secret ${secretId} is not an object with provider ids as keys.`, {
        cause: cause instanceof Error ? cause.name : undefined,
      });
    }
  }

  /** Keeps using the last valid settings: a typo must not take down every provider at once. */
  async function refresh(): Promise<Settings> {
    try {
      lastGood = await read();
      refreshAtMs = clock.now() + cacheTtlMs;
    } catch (error) {
      if (!lastGood) throw error;
      log('error', 'provider_settings_unreadable', {
        // The secret has the settings of every provider. The metric by provider needs a value.
        provider: 'all',
        detail: error instanceof Error ? error.message : 'unknown',
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
