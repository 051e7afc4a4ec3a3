// Selects the vault that seals a user's provider tokens.
import type { Vault } from '../../platform/ports.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';

/**
 * The simulated provider's tokens give access to no real account, so the root secret seals them. A
 * function that serves only the sandbox therefore needs no grant on the key for users' tokens.
 */
export const getTokenVault = ({ vault, keyring }: Pick<Deps, 'vault' | 'keyring'>, env: Environment): Vault =>
  env === 'sandbox'
    ? {
        seal: async (text, context) => keyring.seal('vault', text, context),
        open: async (sealed, context) => keyring.open('vault', sealed, context),
      }
    : vault;
