// Codes and tokens of the simulated provider. They are sealed, and contain their account and
// expiry.
import * as z from 'zod';
import type { CloudProviderId } from '../../catalog/provider.ts';
import type { Clock, Keyring, Random } from '../../platform/ports.ts';
import { providerDescriptors } from '../../providers/catalog.ts';

const SealedTokenSchema = z.object({
  kind: z.enum(['code', 'access', 'refresh']),
  /** The same for everything that was issued for one consent. */
  grant: z.string(),
  /** Counts the refreshes. */
  refreshes: z.number(),
  account: z.string(),
  scopes: z.array(z.string()),
  issuedMs: z.number(),
  expiresMs: z.number(),
  redirectUri: z.string().optional(),
  challenge: z.string().optional(),
});
export type SealedToken = z.infer<typeof SealedTokenSchema>;

export interface TokenDeps {
  keyring: Pick<Keyring, 'seal' | 'open'>;
  clock: Clock;
  random: Random;
  ledger: GrantLedger;
  /** The account id in the provider's responses. */
  toProviderAccount(provider: CloudProviderId, account: string): string;
}

const purpose = 'sandbox-provider';
const noncePurpose = 'sandbox-provider-nonce';
const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const codeLifetimeMs = 10 * minuteMs;
const nonceLifetimeMs = 30 * minuteMs;
const refreshLifetimeMs = 180 * dayMs;

/**
 * In seconds; one hour for all others. COROS extends its tokens instead of issuing new ones, so
 * they live as long as the tokens that extend them.
 */
const accessTokenLifetimes: Readonly<Partial<Record<CloudProviderId, number>>> = {
  oura: 86_400,
  garmin: 86_400,
  polar: 31_535_999,
  suunto: 86_400,
  strava: 21_600,
  withings: 10_800,
  ultrahuman: 86_399,
  coros: 2_592_000,
};
export const accessTokenLifetimeSeconds = (provider: CloudProviderId): number =>
  accessTokenLifetimes[provider] ?? 3_600;

export function createProviderTokens({ keyring, clock, random, ledger, toProviderAccount }: TokenDeps) {
  const sealToken = (provider: CloudProviderId, token: SealedToken): string =>
    keyring.seal(purpose, JSON.stringify(token), provider);

  /** The contents of a token, even if it has expired. */
  function contents(provider: CloudProviderId, text: string | undefined): SealedToken | undefined {
    // The tokens of some providers are JWTs, in which ours is the signature.
    const inner = text?.slice(text.lastIndexOf('.') + 1) ?? '';
    const opened = keyring.open(purpose, inner, provider);
    return opened === undefined ? undefined : SealedTokenSchema.parse(JSON.parse(opened));
  }

  /**
   * Undefined if the token is not valid: altered, of another provider, expired, spent or revoked.
   */
  async function open(
    provider: CloudProviderId,
    kind: SealedToken['kind'],
    text: string | undefined,
  ): Promise<SealedToken | undefined> {
    const token = contents(provider, text);
    if (!token || token.kind !== kind || token.expiresMs <= clock.now()) return undefined;
    if ((await ledger.findEndedMs(grantKey(token))) !== undefined) return undefined;
    const endedMs = revokesByAccount(provider)
      ? await ledger.findEndedMs(accountKey(provider, toProviderAccount(provider, token.account)))
      : undefined;
    return endedMs !== undefined && endedMs >= token.issuedMs ? undefined : token;
  }

  /** Like `open`, but only once: undefined the second time. */
  async function spend(provider: CloudProviderId, kind: 'code' | 'refresh', text: string | undefined) {
    const token = await open(provider, kind, text);
    const isFirst = token && (await ledger.spend(spendKey(token), clock.now(), token.expiresMs));
    return isFirst ? token : undefined;
  }

  function markEnded(name: string): Promise<void> {
    const nowMs = clock.now();
    return ledger.end(name, nowMs, nowMs + refreshLifetimeMs);
  }

  function issue(provider: CloudProviderId, from: Pick<SealedToken, 'grant' | 'refreshes' | 'account' | 'scopes'>) {
    const nowMs = clock.now();
    const { grant, account, scopes } = from;
    const next = { grant, refreshes: from.refreshes + 1, account, scopes, issuedMs: nowMs };
    const lifetimeMs = provider === 'coros' ? refreshLifetimeMs : 1_000 * accessTokenLifetimeSeconds(provider);
    return {
      accessToken: sealToken(provider, { ...next, kind: 'access', expiresMs: nowMs + lifetimeMs }),
      refreshToken: sealToken(provider, { ...next, kind: 'refresh', expiresMs: nowMs + refreshLifetimeMs }),
    };
  }

  return {
    contents,
    open,
    spend,
    issue,
    code(
      provider: CloudProviderId,
      claims: Pick<SealedToken, 'account' | 'scopes' | 'redirectUri' | 'challenge'>,
    ): string {
      const nowMs = clock.now();
      const grant = Buffer.from(random.bytes(12)).toString('base64url');
      return sealToken(provider, {
        ...claims,
        kind: 'code',
        grant,
        refreshes: 0,
        issuedMs: nowMs,
        expiresMs: nowMs + codeLifetimeMs,
      });
    },
    /** Valid for half an hour. */
    nonce: (provider: CloudProviderId): string => keyring.seal(noncePurpose, String(clock.now()), provider),
    isNonce(provider: CloudProviderId, text: string | undefined): boolean {
      const issuedMs = keyring.open(noncePurpose, text ?? '', provider);
      return issuedMs !== undefined && Number(issuedMs) + nonceLifetimeMs > clock.now();
    },
    /** Invalidates everything that was issued for that consent. */
    end: (token: SealedToken): Promise<void> => markEnded(grantKey(token)),
    /** By the account id in the provider's responses. */
    endAccount: (provider: CloudProviderId, account: string): Promise<void> => markEnded(accountKey(provider, account)),
  };
}
export type ProviderTokens = ReturnType<typeof createProviderTokens>;

const revokesByAccount = (provider: CloudProviderId): boolean =>
  providerDescriptors[provider].oauth.revocation.by === 'signed_action';

const grantKey = ({ grant }: SealedToken): string => grant;
const spendKey = ({ grant, refreshes, kind }: SealedToken): string => `${grant}#${kind}#${refreshes}`;
const accountKey = (provider: CloudProviderId, account: string): string => `${provider}#${account}`;

export interface GrantLedger {
  /** Undefined while it is valid. */
  findEndedMs(name: string): Promise<number | undefined>;
  /** False if it had ended before. */
  spend(name: string, nowMs: number, untilMs: number): Promise<boolean>;
  end(name: string, nowMs: number, untilMs: number): Promise<void>;
}
