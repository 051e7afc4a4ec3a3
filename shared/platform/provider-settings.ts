// What vendors gave a deployment, from its environment: one setting a vendor, with JSON in it.

import { type ProviderSettings, SettingsUnreadable } from './ports.ts';
import { settingNames } from './settings.ts';

export const settingsFromEnvironment = (env: Readonly<Record<string, string | undefined>>): ProviderSettings => ({
  async of(provider) {
    const name = settingNames.provider(provider);
    const text = env[name];
    if (!text) return undefined;
    try {
      const json: unknown = JSON.parse(text);
      return json;
    } catch (cause) {
      throw new SettingsUnreadable(`The setting ${name} is not JSON.`, { cause: nameOf(cause) });
    }
  },
});

/** The text holds secrets, and what parsers say of it quotes them. */
const nameOf = (cause: unknown): string | undefined => (cause instanceof Error ? cause.name : undefined);
