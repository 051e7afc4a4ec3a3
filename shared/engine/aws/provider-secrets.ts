// What vendors gave a deployment, from one secret of Secrets Manager: an object with the vendors' ids. What was changed there is seen some minutes later.
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { Clock, ProviderSettings } from '../ports.ts';
import { asking } from './retries.ts';

const keptMs = 300_000;
const ById = z.record(z.string(), z.unknown());

export function awsProviderSettings({
  client,
  secretId,
  clock,
}: {
  client: SecretsManagerClient;
  secretId: string;
  clock: Clock;
}): ProviderSettings {
  let kept: { untilMs: number; settings: Promise<z.infer<typeof ById>> } | undefined;

  async function read(): Promise<z.infer<typeof ById>> {
    const { SecretString } = await asking('GetSecretValue', () =>
      client.send(new GetSecretValueCommand({ SecretId: secretId })),
    );
    try {
      return ById.parse(JSON.parse(SecretString ?? '{}'));
    } catch (cause) {
      // The text holds secrets, and what parsers say of it quotes them.
      throw new Error(`The secret ${secretId} is not an object with the ids of providers.`, {
        cause: cause instanceof Error ? cause.name : undefined,
      });
    }
  }

  return {
    async of(provider) {
      const now = clock.now();
      if (!kept || kept.untilMs <= now) {
        const settings = read();
        kept = { untilMs: now + keptMs, settings };
        settings.catch(() => {
          kept = undefined;
        });
      }
      return (await kept.settings)[provider];
    },
  };
}
