// The single-use token that a backend issues for a user's phone to open an SDK session with.
import type { TokenResponse } from '../accounts/issued-token.ts';
import type { MobileScope } from '../catalog/mobile-scopes.ts';
import { base62 } from '../platform/base62.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { madeCredentialRows } from '../system/made-credential-rows.ts';
import { commitWhileShared } from '../users/commit-while-shared.ts';
import { getAuthorizedUser } from '../users/users.ts';
import { mobileTokenRows } from './mobile-token-rows.ts';

export const mobileTokenPrefix = 'mt_';
const mobileTokenLifetimeMs = 5 * 60 * 1000;

export const mobileTokenHash = (deps: Pick<Deps, 'keyring'>, token: string): string =>
  deps.keyring.hash('mobile-token', token);

export async function issueMobileToken(
  deps: Deps,
  caller: Caller,
  input: { userId: string; scopes?: MobileScope[] | undefined },
): Promise<TokenResponse> {
  const user = await getAuthorizedUser(deps, caller, input.userId);
  const token = mobileTokenPrefix + base62(deps.random.bytes(32), 43);
  const expiresMs = deps.clock.now() + mobileTokenLifetimeMs;
  const hash = mobileTokenHash(deps, token);
  const writes = mobileTokenRows(deps.store).buildInsert({
    hash,
    account: caller.account,
    env: caller.env,
    user: user.id,
    scopes: input.scopes ? [...new Set(input.scopes)] : null,
    expiresMs,
    sharingEpoch: user.sharingEpoch,
    maker: caller.maker ?? null,
  });
  const credential = { kind: 'mobile_token', id: hash, user: user.id, env: caller.env, expiresMs } as const;
  await commitWhileShared(deps, user, writes, madeCredentialRows(deps.store).buildForCaller(caller, credential));
  return { token, user_id: user.id, expires_at: formatTimestamp(expiresMs) };
}
