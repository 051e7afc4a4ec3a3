// Admits a colleague with a session: one conditional write on the session's row, and a read of the
// account, which may be suspended. Once this process knows the account, both take one wait.
import { accountRows } from '../accounts/account-rows.ts';
import { consoleRateLimit as policy } from '../platform/rate-limit.ts';
import { type AdmittedCaller, RateLimited } from '../system/admission.ts';
import type { Actor, Caller, ColleagueRole, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import type { Maker } from '../system/maker.ts';
import { hashIfSecret } from './console-secret.ts';
import { consoleSessionRows } from './console-session-rows.ts';

/** How long after signing in a colleague may erase users, manage keys and invite others. */
export const recentSignInMs = 600_000;

export interface ColleagueCaller extends Caller {
  kind: 'colleague';
  actor: Actor;
  form: 2;
  role: ColleagueRole;
  colleagueId: string;
  sessionId: string;
  signedInMs: number;
  expiresMs: number;
  hasRecentSignIn: boolean;
  /** What a colleague issues does not depend on an API key. */
  keyHash: null;
  maker: Maker;
}

/** Undefined for text that cannot be a session of this deployment. */
export const hashIfSessionToken = (deps: Pick<Deps, 'keyring'>, token: string): string | undefined =>
  hashIfSecret(deps, 'console-session', token);

export const sessionEnded = (): Failure => new Failure('invalid_token', 'The session has ended. Sign in again.');

export async function admitSession(
  deps: Deps,
  hash: string,
  env: Environment,
): Promise<AdmittedCaller<ColleagueCaller>> {
  const sessions = consoleSessionRows(deps.store);
  const knownAccount = sessions.findKnownAccount(hash);
  const [admission, readAccount] = await Promise.all([
    sessions.admit(hash),
    knownAccount === undefined ? undefined : accountRows(deps.store).findById(knownAccount),
  ]);
  if (!('session' in admission)) {
    if (admission.outcome === 'unknown') throw sessionEnded();
    throw new Failure('token_expired', 'The session has ended, because it is valid for 12 hours. Sign in again.');
  }
  const { session, nowMs } = admission;
  const bucket = { fullAtMs: session.fullAtMs, nowMs, policy };
  if (admission.outcome === 'limited') throw new RateLimited(bucket);
  const account = readAccount ?? (await accountRows(deps.store).findById(session.account));
  if (!account) throw sessionEnded();
  return {
    caller: {
      kind: 'colleague',
      actor: { kind: 'colleague', id: session.colleague, email: session.email },
      account: session.account,
      env,
      form: 2,
      role: session.role,
      colleagueId: session.colleague,
      sessionId: session.id,
      signedInMs: session.createdMs,
      expiresMs: session.expiresMs,
      hasRecentSignIn: nowMs < session.createdMs + recentSignInMs,
      keyHash: null,
      maker: { account: session.account, colleague: session.colleague, epoch: session.makerEpoch },
    },
    suspended: account.status === 'suspended',
    bucket,
  };
}
