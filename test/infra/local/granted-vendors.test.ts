import { describe, expect, test } from 'vitest';
import type { VendorSecret } from '../../../infra/function-spec.ts';
import { grantedVendors, NotGranted } from '../../../infra/local/grants.ts';

const secrets = {
  vault: { seal: async () => 'sealed', open: async () => 'a token' },
  providerSettings: { of: async () => ({ client_id: 'a client' }) },
};
const granted = (...vendors: VendorSecret[]) => grantedVendors(secrets, 'push', { vendors });

describe('a function', () => {
  test('that knows no vendor opens nothing of theirs, and the message says which line it lacks', async () => {
    const { vault, providerSettings } = grantedVendors(secrets, 'push', {});
    await expect(vault.seal('a token', 'usr_1 dev_1')).rejects.toThrow('push may not have the new_tokens of vendors');
    await expect(vault.open('sealed', 'usr_1 dev_1')).rejects.toThrow(NotGranted);
    await expect(providerSettings.of('oura')).rejects.toThrow('push may not have the credentials of vendors');
  });

  test('opens what it is granted, and not the rest', async () => {
    expect(await granted('tokens').vault.open('sealed', 'usr_1 dev_1')).toBe('a token');
    expect(await granted('tokens').vault.seal('a token', 'usr_1 dev_1')).toBe('sealed');
    expect(await granted('new_tokens').vault.seal('a token', 'usr_1 dev_1')).toBe('sealed');
    await expect(granted('new_tokens').vault.open('sealed', 'usr_1 dev_1')).rejects.toThrow(NotGranted);
    await expect(granted('tokens').providerSettings.of('oura')).rejects.toThrow(NotGranted);
    expect(await granted('credentials').providerSettings.of('oura')).toEqual({ client_id: 'a client' });
    await expect(granted('credentials').vault.open('sealed', 'usr_1 dev_1')).rejects.toThrow(NotGranted);
  });
});
