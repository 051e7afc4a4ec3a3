// Codes and tokens of the sandbox's vendor: sealed, they say themselves whose they are and how long they are good.
import * as z from 'zod';
import type { CloudProviderId } from '../../catalog/provider.ts';
import type { Clock, Keyring, Random } from '../../platform/ports.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import type { GrantLedger } from './grant-ledger.ts';

const SealedTokenSchema = z.object({
  kind: z.enum(['code', 'access', 'refresh']),
  /** The same for all that came of one consent. */
  grant: z.string(),
  /** Counts the refreshes. */
  turn: z.number(),
  account: z.string(),
  scopes: z.array(z.string()),
  madeMs: z.number(),
  untilMs: z.number(),
  redirectUri: z.string().optional(),
  challenge: z.string().optional(),
});
export type SealedToken = z.infer<typeof SealedTokenSchema>;

export interface TokenDeps {
  keyring: Pick<Keyring, 'seal' | 'open'>;
  clock: Clock;
  random: Random;
  ledger: GrantLedger;
  /** As the vendor's answers name an account. */
  toProviderAccount(provider: CloudProviderId, account: string): string;
}

const purpose = 'sandbox-provider';
const noncePurpose = 'sandbox-provider-nonce';
const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const codeLifetimeMs = 10 * minuteMs;
const nonceLifetimeMs = 30 * minuteMs;
const refreshLifetimeMs = 180 * dayMs;

/** In seconds; an hour for all others. COROS extends its tokens instead of giving new ones, so they are good for as long as what extends them. */
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

  /** Whatever it says, also when it has run out. */
  function contents(provider: CloudProviderId, text: string | undefined): SealedToken | undefined {
    // Some vendors' tokens are JWTs: then ours is the signature.
    const inner = text?.slice(text.lastIndexOf('.') + 1) ?? '';
    const opened = keyring.open(purpose, inner, provider);
    return opened === undefined ? undefined : SealedTokenSchema.parse(JSON.parse(opened));
  }

  /** Undefined for what is not good: altered, of another vendor, run out, spent or taken back. */
  async function open(
    provider: CloudProviderId,
    kind: SealedToken['kind'],
    text: string | undefined,
  ): Promise<SealedToken | undefined> {
    const token = contents(provider, text);
    if (!token || token.kind !== kind || token.untilMs <= clock.now()) return undefined;
    if ((await ledger.findEndedMs(grantKey(token))) !== undefined) return undefined;
    const endedMs = revokesByAccount(provider)
      ? await ledger.findEndedMs(accountKey(provider, toProviderAccount(provider, token.account)))
      : undefined;
    return endedMs !== undefined && endedMs >= token.madeMs ? undefined : token;
  }

  /** As `open`, once: undefined the second time. */
  async function spend(provider: CloudProviderId, kind: 'code' | 'refresh', text: string | undefined) {
    const token = await open(provider, kind, text);
    const isFirst = token && (await ledger.spend(turnKey(token), clock.now(), token.untilMs));
    return isFirst ? token : undefined;
  }

  function markEnded(name: string): Promise<void> {
    const nowMs = clock.now();
    return ledger.end(name, nowMs, nowMs + refreshLifetimeMs);
  }

  function issue(provider: CloudProviderId, from: Pick<SealedToken, 'grant' | 'turn' | 'account' | 'scopes'>) {
    const nowMs = clock.now();
    const { grant, account, scopes } = from;
    const next = { grant, turn: from.turn + 1, account, scopes, madeMs: nowMs };
    const lifetimeMs = provider === 'coros' ? refreshLifetimeMs : 1_000 * accessTokenLifetimeSeconds(provider);
    return {
      accessToken: sealToken(provider, { ...next, kind: 'access', untilMs: nowMs + lifetimeMs }),
      refreshToken: sealToken(provider, { ...next, kind: 'refresh', untilMs: nowMs + refreshLifetimeMs }),
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
        turn: 0,
        madeMs: nowMs,
        untilMs: nowMs + codeLifetimeMs,
      });
    },
    /** Good for half an hour. */
    nonce: (provider: CloudProviderId): string => keyring.seal(noncePurpose, String(clock.now()), provider),
    isNonce(provider: CloudProviderId, text: string | undefined): boolean {
      const madeMs = keyring.open(noncePurpose, text ?? '', provider);
      return madeMs !== undefined && Number(madeMs) + nonceLifetimeMs > clock.now();
    },
    /** Whatever came of that consent is good no more. */
    end: (token: SealedToken): Promise<void> => markEnded(grantKey(token)),
    /** By the name it is shown under. */
    endAccount: (provider: CloudProviderId, account: string): Promise<void> => markEnded(accountKey(provider, account)),
  };
}
export type ProviderTokens = ReturnType<typeof createProviderTokens>;

const revokesByAccount = (provider: CloudProviderId): boolean =>
  providerDescriptors[provider].oauth.revocation.by === 'signed_action';

const grantKey = ({ grant }: SealedToken): string => grant;
const turnKey = ({ grant, turn, kind }: SealedToken): string => `${grant}#${kind}#${turn}`;
const accountKey = (provider: CloudProviderId, account: string): string => `${provider}#${account}`;
