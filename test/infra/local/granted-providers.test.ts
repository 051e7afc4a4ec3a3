import { describe, expect, test } from 'vitest';
import type { ProviderSecret } from '../../../infra/function-spec.ts';
import { NotGranted, withProviderGrants } from '../../../infra/local/grants.ts';

const secrets = {
  vault: { seal: async () => 'sealed', open: async () => 'a token' },
  providerSettings: { get: async () => ({ client_id: 'a client' }) },
};
const grant = (...providerSecrets: ProviderSecret[]) => withProviderGrants(secrets, 'push', { providerSecrets });

describe('a function', () => {
  test('without a provider grant opens no secret, and the error names the missing setting', async () => {
    const { vault, providerSettings } = withProviderGrants(secrets, 'push', {});
    await expect(vault.seal('a token', 'usr_1 dev_1')).rejects.toThrow('push may not use the new_tokens of providers');
    await expect(vault.open('sealed', 'usr_1 dev_1')).rejects.toThrow(NotGranted);
    await expect(providerSettings.get('oura')).rejects.toThrow('push may not use the credentials of providers');
  });

  test('opens only what it is granted', async () => {
    expect(await grant('tokens').vault.open('sealed', 'usr_1 dev_1')).toBe('a token');
    expect(await grant('tokens').vault.seal('a token', 'usr_1 dev_1')).toBe('sealed');
    expect(await grant('new_tokens').vault.seal('a token', 'usr_1 dev_1')).toBe('sealed');
    await expect(grant('new_tokens').vault.open('sealed', 'usr_1 dev_1')).rejects.toThrow(NotGranted);
    await expect(grant('tokens').providerSettings.get('oura')).rejects.toThrow(NotGranted);
    expect(await grant('credentials').providerSettings.get('oura')).toEqual({ client_id: 'a client' });
    await expect(grant('credentials').vault.open('sealed', 'usr_1 dev_1')).rejects.toThrow(NotGranted);
  });
});
