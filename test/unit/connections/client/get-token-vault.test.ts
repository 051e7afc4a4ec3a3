import { expect, test } from 'vitest';
import { getTokenVault } from '../../../../shared/connections/client/get-token-vault.ts';
import { createKeyringVault, openKeyring } from '../../../../shared/platform/keyring.ts';

const context = 'usr_1 dev_1';
const keyring = openKeyring('a root secret that is long enough to be one');
const calls: string[] = [];
const keyService = {
  async seal(text: string) {
    calls.push('seal');
    return `k1.${text}`;
  },
  async open(sealed: string) {
    calls.push('open');
    return sealed.startsWith('k1.') ? sealed.slice('k1.'.length) : undefined;
  },
};
const deps = { keyring, vault: keyService };

test('live tokens are sealed and opened by the key service', async () => {
  const vault = getTokenVault(deps, 'live');
  expect(await vault.open(await vault.seal('a token', context), context)).toBe('a token');
  expect(calls.splice(0)).toEqual(['seal', 'open']);
});

test('sandbox tokens are sealed with the root secret and never reach the key service', async () => {
  const vault = getTokenVault(deps, 'sandbox');
  const sealed = await vault.seal('a token', context);
  expect(sealed).not.toContain('a token');
  expect(await vault.open(sealed, context)).toBe('a token');
  expect(calls.splice(0)).toEqual([]);
  expect(await vault.open(sealed, 'usr_1 dev_2')).toBeUndefined();
});

test('a deployment without a key service opens the tokens of both environments with one secret', async () => {
  const local = { keyring, vault: createKeyringVault(keyring) };
  const sealed = await getTokenVault(local, 'live').seal('a token', context);
  expect(await getTokenVault(local, 'sandbox').open(sealed, context)).toBe('a token');
});
