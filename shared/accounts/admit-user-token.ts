// Admits a caller with a user token. All tokens of a user draw on that user's own bucket, so a
// flood of requests slows nobody else.

import { BoundedCache } from '../platform/bounded-cache.ts';
import { type AdmittedCaller, RateLimited, unknownToken, unknownUserTokenAdvice } from '../system/admission.ts';
import type { Caller, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { sharingRevoked } from '../users/sharing.ts';
import { accountRows } from './account-rows.ts';
import { apiKeyRows } from './api-key-rows.ts';
import type { ApiKeyRow } from './api-key-writes.ts';
import { hasMakerEnded } from './ended-makers.ts';
import { userTokenBuckets } from './user-token-buckets.ts';
import type { UserTokenClaims } from './verify-jwt.ts';

export interface UserTokenCaller extends Caller {
  kind: 'user_token';
  userId: string;
}

const maxCachedEnvironments = 10_000;

export function createUserTokenAdmission(deps: Deps) {
  const environmentKeys = new BoundedCache<string, ApiKeyRow>(maxCachedEnvironments);

  /** Draws on the bucket while it reads the environment's key. */
  async function admit(claims: UserTokenClaims): Promise<AdmittedCaller<UserTokenCaller>> {
    const { acc: account, env, sub: userId, epoch } = claims;
    const buckets = userTokenBuckets(deps.store);
    const rejection = buckets.findKnownRejection(userId);
    if (rejection) throw new RateLimited(rejection.bucket);
    const [drawResult, key] = await Promise.all([buckets.draw(userId, epoch), currentKey(account, env)]);
    const isEnded = !key || hasMakerEnded(key.endedMakers, claims.maker);
    if (isEnded || drawResult.outcome === 'superseded') throw unknownToken(unknownUserTokenAdvice);
    if (drawResult.outcome === 'unshared') throw sharingRevoked();
    if (drawResult.outcome === 'limited') throw new RateLimited(drawResult.bucket);
    return { caller: toUserTokenCaller(claims, key), suspended: key.suspended, bucket: drawResult.bucket };
  }

  /**
   * Returns the current key of the token's environment. Without one, the token is no longer valid.
   */
  async function currentKey(account: string, env: Environment): Promise<ApiKeyRow | undefined> {
    const name = `${account}#${env}`;
    const cachedHash = environmentKeys.get(name)?.hash;
    let key = cachedHash === undefined ? undefined : await apiKeyRows(deps.store).findUnrevoked(cachedHash);
    if (!key) {
      const hash = (await accountRows(deps.store).findEnvironment(account, env))?.keyHash;
      key = hash && hash !== cachedHash ? await apiKeyRows(deps.store).findUnrevoked(hash) : undefined;
    }
    if (key) environmentKeys.set(name, key);
    else environmentKeys.delete(name);
    return key;
  }

  return {
    admit,
    /**
     * Returns the token's caller if this process has cached its environment and its bucket is not
     * empty.
     */
    findCachedCaller(claims: UserTokenClaims): UserTokenCaller | undefined {
      if (userTokenBuckets(deps.store).findKnownRejection(claims.sub)) return undefined;
      const key = environmentKeys.get(`${claims.acc}#${claims.env}`);
      return key && toUserTokenCaller(claims, key);
    },
  };
}

const toUserTokenCaller = (
  { acc: account, env, sub: userId }: UserTokenClaims,
  { form }: ApiKeyRow,
): UserTokenCaller => ({
  kind: 'user_token',
  account,
  env,
  form,
  userId,
});
