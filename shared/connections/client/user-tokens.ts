// A user's tokens in use: opened from the vault, renewed by the connection's only writer, and
// stored before they are used.
import * as z from 'zod';
import type { ProviderAdapter } from '../../providers/kit/adapter.ts';
import type { Grant, GrantContext } from '../../providers/kit/grant.ts';
import type { Deps } from '../../system/deps.ts';
import { type ConnectionRow, connectionLogFields, grantContext } from '../connection-rows.ts';
import type { SealedGrant } from '../sync-rows.ts';
import type { ConfiguredProvider } from './configured-provider.ts';
import { getTokenVault } from './get-token-vault.ts';
import type { ProviderClient, TokenSource } from './provider-client.ts';
import { ProviderUnavailable } from './send-to-provider.ts';
import { CredentialsRefused, Superseded, TokenRefused } from './sync-errors.ts';

/**
 * Tokens are renewed this long before they expire, so that a request in flight still has valid
 * ones.
 */
const renewBeforeExpiryMs = 60_000;

const StoredGrant = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  expiresMs: z.number().nullable(),
  scopes: z.array(z.string()).nullable(),
});

export interface UserTokens extends TokenSource {
  /** Requests new tokens from the provider, whether or not the current ones still work. */
  renew(): Promise<GrantContext>;
  /** The latest tokens, whether or not they are still valid. */
  latest(): Promise<GrantContext>;
  /** The tokens in their stored, sealed form. */
  sealed(): string | null;
  /** Whether the provider has issued new tokens since these were opened. */
  hasRenewed(): boolean;
}

/**
 * `store` replaces the tokens that the new ones were issued for, and returns false when those are
 * gone.
 */
export function openTokens(
  deps: Pick<Deps, 'vault' | 'keyring' | 'clock' | 'log'>,
  row: Pick<ConnectionRow, 'user' | 'device' | 'env' | 'provider' | 'providerAccount' | 'grant'>,
  { grant: rules }: Pick<ProviderAdapter, 'grant'>,
  { credentials }: Pick<ConfiguredProvider, 'credentials'>,
  client: Pick<ProviderClient, 'send'>,
  store: (sealed: SealedGrant, before: string) => Promise<boolean>,
): UserTokens {
  const { clock, log } = deps;
  const vault = getTokenVault(deps, row.env);
  const account = row.providerAccount ?? '';
  const context = grantContext(row);
  let stored = row.grant;
  let grant: Grant | undefined;
  let hasRenewed = false;

  async function latest(): Promise<GrantContext> {
    grant ??= await openStored();
    return { credentials, grant, account, nowMs: clock.now() };
  }

  async function openStored(): Promise<Grant> {
    const text = stored === null ? undefined : await vault.open(stored, context);
    if (text === undefined) throw new Error('the tokens of a connection cannot be opened');
    return StoredGrant.parse(JSON.parse(text));
  }

  async function renew(): Promise<GrantContext> {
    const tokens = await latest();
    if (!rules.refresh || tokens.grant.refreshToken === null) throw new TokenRefused();
    // The old token may be worthless once the provider has answered, so check first that the vault
    // can seal.
    await vault.seal(JSON.stringify(tokens.grant), context);
    const reply = await client.send(rules.refresh.buildRequest(tokens));
    const verdict = rules.refresh.interpret(reply, tokens);
    if (verdict === 'dead') throw new TokenRefused();
    if (verdict === 'ours') throw new CredentialsRefused(row.provider);
    if (verdict === 'unclear') throw new ProviderUnavailable('the response to a token refresh was unclear');
    if ((rules.refresh.readAccount?.(reply) ?? account) !== account) {
      log('warn', 'token_refresh_account_mismatch', connectionLogFields(row));
      throw new ProviderUnavailable('the response to a token refresh was unclear');
    }
    const sealed = {
      grant: await vault.seal(JSON.stringify(verdict), context),
      grantExpiresMs: verdict.expiresMs,
      scopes: verdict.scopes === null ? null : [...verdict.scopes],
    };
    if (!(await store(sealed, stored ?? ''))) throw new Superseded();
    stored = sealed.grant;
    grant = verdict;
    hasRenewed = true;
    return latest();
  }

  return {
    latest,
    renew,
    sealed: () => stored,
    hasRenewed: () => hasRenewed,
    async current() {
      const tokens = await latest();
      const { expiresMs, refreshToken } = tokens.grant;
      const isExpiring = expiresMs !== null && expiresMs - renewBeforeExpiryMs <= tokens.nowMs;
      return isExpiring && rules.refresh && refreshToken !== null ? renew() : tokens;
    },
    // If another request of the same flow has already renewed the tokens, use those.
    renewRefused: async (refused) => (refused.grant === grant ? renew() : latest()),
  };
}
