// A person's tokens at work: opened from the vault, renewed by the connection's one writer, and stored before they are used.
import * as z from 'zod';
import type { CloudAdapter } from '../../providers/kit/adapter.ts';
import type { Grant, Holding } from '../../providers/kit/grant.ts';
import type { Deps } from '../../system/deps.ts';
import { type ConnectionRow, grantContext } from '../connection-rows.ts';
import type { SealedGrant } from '../sync-rows.ts';
import type { ConfiguredProvider } from './configured.ts';
import { VendorAway } from './send.ts';
import { CredentialsRefused, Superseded, TokenRefused } from './sync-errors.ts';
import { tokenVault } from './token-vault.ts';
import type { HeldTokens, VendorLine } from './vendor-line.ts';

/** Renewed so long before they run out: a request under way still finds them good. */
const earlyMs = 60_000;

const StoredGrant = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  expiresMs: z.number().nullable(),
  scopes: z.array(z.string()).nullable(),
});

export interface PersonsTokens extends HeldTokens {
  /** Asks the vendor for others, whether or not these still work. */
  renew(): Promise<Holding>;
  /** As they were last, whatever they are worth. */
  holding(): Promise<Holding>;
  /** As they are stored. */
  sealed(): string | null;
  /** The vendor has given others since they were opened. */
  wereRenewed(): boolean;
}

/** `store` puts others in the place of those that they were made from, and is false where these are gone. */
export function openTokens(
  deps: Pick<Deps, 'vault' | 'keyring' | 'clock' | 'log'>,
  row: Pick<ConnectionRow, 'user' | 'device' | 'env' | 'provider' | 'vendorAccount' | 'grant'>,
  { grant: rules }: Pick<CloudAdapter, 'grant'>,
  { credentials }: Pick<ConfiguredProvider, 'credentials'>,
  line: Pick<VendorLine, 'ask'>,
  store: (sealed: SealedGrant, before: string) => Promise<boolean>,
): PersonsTokens {
  const { clock, log } = deps;
  const vault = tokenVault(deps, row.env);
  const account = row.vendorAccount ?? '';
  const context = grantContext(row);
  let stored = row.grant;
  let grant: Grant | undefined;
  let wereRenewed = false;

  async function holding(): Promise<Holding> {
    grant ??= await opened();
    return { credentials, grant, account, nowMs: clock.now() };
  }

  async function opened(): Promise<Grant> {
    const text = stored === null ? undefined : await vault.open(stored, context);
    if (text === undefined) throw new Error('the tokens of a connection do not open');
    return StoredGrant.parse(JSON.parse(text));
  }

  async function renew(): Promise<Holding> {
    const held = await holding();
    if (!rules.refresh || held.grant.refreshToken === null) throw new TokenRefused();
    // The old one may be worthless once the vendor has answered: what could not be sealed is not asked for.
    await vault.seal(JSON.stringify(held.grant), context);
    const reply = await line.ask(rules.refresh.ask(held));
    const verdict = rules.refresh.judge(reply, held);
    if (verdict === 'dead') throw new TokenRefused();
    if (verdict === 'ours') throw new CredentialsRefused(row.provider);
    if (verdict === 'unclear') throw new VendorAway('the answer to a refresh was unclear');
    if ((rules.refresh.accountIn?.(reply) ?? account) !== account) {
      log('warn', 'a vendor answered a refresh with the tokens of another account; they are not used', {
        provider: row.provider,
        device_id: row.device,
      });
      throw new VendorAway('the answer to a refresh was unclear');
    }
    const sealed = {
      grant: await vault.seal(JSON.stringify(verdict), context),
      grantExpiresMs: verdict.expiresMs,
      scopes: verdict.scopes === null ? null : [...verdict.scopes],
    };
    if (!(await store(sealed, stored ?? ''))) throw new Superseded();
    stored = sealed.grant;
    grant = verdict;
    wereRenewed = true;
    return holding();
  }

  return {
    holding,
    renew,
    sealed: () => stored,
    wereRenewed: () => wereRenewed,
    async current() {
      const held = await holding();
      const { expiresMs, refreshToken } = held.grant;
      const runsOut = expiresMs !== null && expiresMs - earlyMs <= held.nowMs;
      return runsOut && rules.refresh && refreshToken !== null ? renew() : held;
    },
    // Renewed meanwhile for another request of the same talk.
    renewed: async (refused) => (refused.grant === grant ? renew() : holding()),
  };
}
