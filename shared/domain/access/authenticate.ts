// Who is asking, and may they now: a credential is recognised first, then admitted with one conditional write on the bucket it draws on.
import type { Caller, Environment } from '../../model/account.ts';
import { Failure } from '../../model/failure.ts';
import { type RatePolicy, retryAfterSeconds } from '../../model/rate-limit.ts';
import { accountRows } from '../../store/accounts.ts';
import { type Admission, type ApiKeyRow, apiKeyRows } from '../../store/api-keys.ts';
import { sdkSessionRows } from '../../store/sdk-sessions.ts';
import { userTokenBuckets } from '../../store/user-tokens.ts';
import type { Deps } from '../deps.ts';
import { isAccessToken, readSdkToken, type SdkTokenClaims } from '../sdk/credentials.ts';
import { apiKeyHash } from './accounts.ts';
import { isApiKey } from './api-key.ts';
import { type UserTokenClaims, userTokenVerifier } from './tokens.ts';

export type Credential =
  | { kind: 'api_key'; hash: string }
  | { kind: 'user_token'; claims: UserTokenClaims }
  | { kind: 'sdk_session'; claims: SdkTokenClaims };

export interface Admitted {
  caller: Caller;
  suspended: boolean;
  bucket: Bucket;
}
export interface Bucket {
  fullAtMs: number;
  nowMs: number;
  /** That of an API key by default. */
  policy?: RatePolicy;
}

/** Refused by the limit; it still says how full the bucket is. */
export class RateLimited extends Failure {
  readonly bucket: Bucket;
  constructor(bucket: Bucket) {
    const seconds = retryAfterSeconds(bucket.fullAtMs, bucket.nowMs, bucket.policy);
    super('rate_limited', `Too many requests: try again in ${seconds} s.`, {
      details: { retry_after_seconds: seconds },
      retryAfterSeconds: seconds,
    });
    this.bucket = bucket;
  }
}

const unknownToken = () => new Failure('invalid_token', 'The token is malformed or unknown.');

export function authenticator(deps: Deps) {
  const verifyUserToken = userTokenVerifier(deps);
  const environmentKeys = new Map<string, ApiKeyRow>();

  /** Reads nothing for an API key or an SDK credential, and nothing for a user token whose signing key was seen before. */
  async function recognise(token: string): Promise<Credential> {
    if (isApiKey(deps.keyring, token)) return { kind: 'api_key', hash: apiKeyHash(deps, token) };
    if (isAccessToken(token)) return { kind: 'sdk_session', claims: accessClaims(token) };
    if (/^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)) return { kind: 'user_token', claims: await verifyUserToken(token) };
    throw unknownToken();
  }

  function accessClaims(token: string): SdkTokenClaims {
    const claims = readSdkToken(deps, 'access', token);
    if (!claims) throw unknownToken();
    if (claims.expiresMs <= deps.clock.now())
      throw new Failure('token_expired', 'The access token has expired: refresh it.');
    return claims;
  }

  async function admit(credential: Credential): Promise<Admitted> {
    if (credential.kind === 'api_key') {
      const key = admittedKey(await apiKeyRows(deps.store).admit(credential.hash));
      const { account, env, form } = key;
      return { caller: { kind: 'api_key', account, env, form }, suspended: key.suspended, bucket: key.bucket };
    }
    if (credential.kind === 'sdk_session') return admitPhone(credential.claims);
    return admitUserToken(credential.claims);
  }

  /** One user's tokens draw on that user's own bucket, so that a flood of theirs slows nobody else; the environment is looked at meanwhile. */
  async function admitUserToken({ acc: account, env, sub: userId }: UserTokenClaims): Promise<Admitted> {
    const userTokens = userTokenBuckets(deps.store);
    const refused = userTokens.refusal(userId);
    if (refused) throw new RateLimited(refused.bucket);
    const [{ outcome, bucket }, key] = await Promise.all([userTokens.draw(userId), currentKey(account, env)]);
    if (!key) throw unknownToken();
    if (outcome === 'limited') throw new RateLimited(bucket);
    return { caller: { kind: 'user_token', account, env, form: key.form, userId }, suspended: key.suspended, bucket };
  }

  /** A phone draws on its own session's bucket, so that one gone wild slows no other. A suspended plan takes nothing from it. */
  async function admitPhone({ user, session: id, mark }: SdkTokenClaims): Promise<Admitted> {
    const admission = await sdkSessionRows(deps.store).admit(user, id, Number(mark));
    if (admission.outcome === 'unknown') throw unknownToken();
    const { session, nowMs } = admission;
    const bucket = { fullAtMs: session.fullAtMs, nowMs };
    if (admission.outcome === 'limited') throw new RateLimited(bucket);
    const { account, env, provider, scopes } = session;
    return {
      caller: { kind: 'sdk_session', account, env, form: 2, userId: user, sessionId: id, provider, scopes },
      suspended: false,
      bucket,
    };
  }

  /** Of the environment of a user token, which is over when that has none. */
  async function currentKey(account: string, env: Environment): Promise<ApiKeyRow | undefined> {
    const name = `${account}#${env}`;
    const remembered = environmentKeys.get(name)?.hash;
    let key = remembered === undefined ? undefined : await apiKeyRows(deps.store).unrevoked(remembered);
    if (!key) {
      const hash = (await accountRows(deps.store).environment(account, env))?.keyHash;
      key = hash && hash !== remembered ? await apiKeyRows(deps.store).unrevoked(hash) : undefined;
    }
    if (key) environmentKeys.set(name, key);
    else environmentKeys.delete(name);
    return key;
  }

  return {
    recognise,
    admit,
    /** Who the credential stood for when this process last admitted it; undefined when only admitting it can tell. */
    lastSeen(credential: Credential): Caller | undefined {
      if (credential.kind === 'sdk_session') return undefined;
      if (credential.kind === 'api_key') {
        const key = apiKeyRows(deps.store).lastSeen(credential.hash);
        return key && { kind: 'api_key', account: key.account, env: key.env, form: key.form };
      }
      const { acc: account, env, sub: userId } = credential.claims;
      const key = userTokenBuckets(deps.store).refusal(userId) ? undefined : environmentKeys.get(`${account}#${env}`);
      return key && { kind: 'user_token', account, env, form: key.form, userId };
    },
  };
}
export type Authenticator = ReturnType<typeof authenticator>;

function admittedKey(admission: Admission) {
  switch (admission.outcome) {
    case 'admitted':
      return { ...admission.key, bucket: { fullAtMs: admission.key.fullAtMs, nowMs: admission.nowMs } };
    case 'limited':
      throw new RateLimited({ fullAtMs: admission.key.fullAtMs, nowMs: admission.nowMs });
    case 'expired':
      throw new Failure('token_expired', 'The API key is older than 90 days: create a new one.');
    case 'unknown':
    case 'revoked':
      throw unknownToken();
  }
}
