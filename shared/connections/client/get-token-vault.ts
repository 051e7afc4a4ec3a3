// The vault that seals a person's tokens.
import type { Vault } from '../../platform/ports.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';

/**
 * The tokens of the sandbox's simulated provider open no real account, so the root secret seals
 * them: a function that only serves the sandbox needs no grant on the key of people's tokens.
 */
export const getTokenVault = ({ vault, keyring }: Pick<Deps, 'vault' | 'keyring'>, env: Environment): Vault =>
  env === 'sandbox'
    ? {
        seal: async (text, context) => keyring.seal('vault', text, context),
        open: async (sealed, context) => keyring.open('vault', sealed, context),
      }
    : vault;
