// What vendors gave a deployment, from its environment: one setting a vendor, with JSON in it.

import { type ProviderSettings, SettingsUnreadable } from './ports.ts';
import { settingNames } from './setting-names.ts';

export const providerSettingsFromEnvironment = (
  env: Readonly<Record<string, string | undefined>>,
): ProviderSettings => ({
  async get(provider) {
    const name = settingNames.provider(provider);
    const text = env[name];
    if (!text) return undefined;
    try {
      const json: unknown = JSON.parse(text);
      return json;
    } catch (cause) {
      throw new SettingsUnreadable(`The setting ${name} is not JSON.`, { cause: errorNameOf(cause) });
    }
  },
});

/** The text holds secrets, and what parsers say of it quotes them. */
const errorNameOf = (cause: unknown): string | undefined => (cause instanceof Error ? cause.name : undefined);
