// Admits a caller with an API key by one conditional write on the key's row, which is also its rate
// limit bucket.

import { ratePolicy } from '../platform/rate-limit.ts';
import { type AdmittedCaller, type Bucket, RateLimited, unknownKeyAdvice, unknownToken } from '../system/admission.ts';
import type { Actor, Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { apiKeyHash } from './accounts.ts';
import { isApiKey } from './api-key.ts';
import { apiKeyRows } from './api-key-rows.ts';
import type { ApiKeyRow } from './api-key-writes.ts';

export interface ApiKeyCaller extends Caller {
  kind: 'api_key';
  /** Hash of the key's row. Everything that the key issued stops working when the key does. */
  keyHash: string;
  actor?: Actor;
}

/**
 * Returns undefined for text that cannot be a key of this deployment. Reads nothing from the table.
 */
export const hashIfApiKey = (deps: Deps, token: string): string | undefined =>
  isApiKey(deps.keyring, token) ? apiKeyHash(deps, token) : undefined;

export async function admitApiKey(deps: Deps, hash: string): Promise<AdmittedCaller<ApiKeyCaller>> {
  const admission = await apiKeyRows(deps.store).admit(hash);
  switch (admission.outcome) {
    case 'admitted': {
      const { key } = admission;
      return { caller: toApiKeyCaller(key), suspended: key.suspended, bucket: bucketOf(admission) };
    }
    case 'limited':
      throw new RateLimited(bucketOf(admission));
    case 'expired':
      throw new Failure('token_expired', 'The API key has expired. Keys are valid for 90 days. Create a new one.');
    case 'unknown':
    case 'revoked':
      throw unknownToken(unknownKeyAdvice);
  }
}

export const noteKeyStatus = (deps: Deps, hash: string, status: number): void =>
  apiKeyRows(deps.store).noteStatus(hash, status);

/** Returns the key's caller as of the last time this process admitted the key. */
export function findCachedApiKeyCaller(deps: Deps, hash: string): ApiKeyCaller | undefined {
  const key = apiKeyRows(deps.store).lastSeen(hash);
  return key && toApiKeyCaller(key);
}

const bucketOf = ({ key, nowMs }: { key: ApiKeyRow; nowMs: number }): Bucket => ({
  fullAtMs: key.fullAtMs,
  nowMs,
  policy: ratePolicy(key.perSecond),
});

const toApiKeyCaller = ({ id, account, env, form, hash }: ApiKeyRow): ApiKeyCaller => ({
  kind: 'api_key',
  account,
  env,
  form,
  keyHash: hash,
  actor: { kind: 'api_key', id },
});
