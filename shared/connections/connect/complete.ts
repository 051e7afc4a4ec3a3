// The way of a person's consent: from our link to the vendor's page, and from the vendor back to us.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { workerLifeMs } from '../../platform/worker-life.ts';
import { grantOf } from '../../providers/adapters.ts';
import { providers } from '../../providers/catalog.ts';
import { GrantRefused, type Linked, longestAccount } from '../../providers/kit/grant.ts';
import { Unexpected } from '../../providers/kit/vendor.ts';
import type { Deps } from '../../system/deps.ts';
import { conditionalCommit } from '../../system/store.ts';
import { deviceRows } from '../../users/device-rows.ts';
import type { DeviceError } from '../../users/device-states.ts';
import { isSharedSince } from '../../users/sharing.ts';
import { subjectEvenUnshared } from '../../users/subject.ts';
import { type ConfiguredProvider, configuredProvider, Misconfigured } from '../client/configured.ts';
import { connectingLine } from '../client/person-line.ts';
import { VendorAway } from '../client/send.ts';
import { OutOfTime } from '../client/sync-errors.ts';
import { tokenVault } from '../client/token-vault.ts';
import { type Awaited, type ConnectionRow, connectionRows, grantContext } from '../connection-rows.ts';
import { revocationRows } from '../revocation-rows.ts';
import { wakeRevocation } from '../wake-connection.ts';
import { activate } from './activate.ts';
import {
  bindState,
  type ConnectState,
  challengeOf,
  isSameBrowser,
  nonceHash,
  openBoundState,
  openState,
  openVerifier,
} from './connect-state.ts';
import { type LinkRefusal, linkRefusal } from './link-standing.ts';

/** Why a link or a callback is not good. What is no `DeviceError` changes nothing. */
export type ConnectProblem = DeviceError | 'unknown_link' | 'link_used' | 'other_browser' | LinkRefusal;

export interface ConnectOutcome {
  provider: CloudProviderId | undefined;
  problem: ConnectProblem | undefined;
  /** What the vendor wants of the person, where it is more than the problem says. */
  advice?: string | undefined;
  deviceId: string | undefined;
  /** Where the person goes on; undefined: a page tells. */
  redirectUrl: string | undefined;
  /** The page of ours that they came from. */
  returnTo: string | undefined;
}

const nowhere: ConnectOutcome = {
  provider: undefined,
  problem: 'unknown_link',
  deviceId: undefined,
  redirectUrl: undefined,
  returnTo: undefined,
};

/**
 * The provider's page for a link. The same link may be opened again until consent has come, in any
 * browser; the state that the provider is given is good in `browser` only. A preview changes
 * nothing, not even when the link has expired.
 */
export async function openLink(
  deps: Deps,
  state: string,
  { browser, isPreview = false }: { browser: string; isPreview?: boolean },
): Promise<{ authorizeUrl: string } | ConnectOutcome> {
  const opened = openState(deps, state);
  const found = await awaitedConnection(deps, opened);
  if ('problem' in found || !opened) return 'problem' in found ? found : nowhere;
  const { connection, awaited } = found;
  const end = (why: DeviceError) =>
    isPreview ? told(connection, awaited, why) : failed(deps, connection, awaited, why);
  if (awaited.expiresMs <= deps.clock.now()) return end('link_expired');
  const configured = await configuredFor(deps, connection);
  if (!configured) return end('not_configured');
  const url = grantOf(connection.provider).authorizeUrl({
    credentials: configured.credentials,
    redirectUri: callbackUrl(connection),
    state: bindState(deps, opened, browser),
    challenge: takesPkce(connection) ? challengeOf(openVerifier(deps, awaited.verifier, connection.device)) : undefined,
  });
  return { authorizeUrl: connection.env === 'sandbox' ? ofSandbox(connection, url) : configured.addressOf(url) };
}

/**
 * The sandbox's provider takes PKCE whomever it plays, so that a code of one link is refused in
 * another everywhere.
 */
const takesPkce = ({ provider, env }: ConnectionRow): boolean => env === 'sandbox' || providers[provider].oauth.pkce;

/** What a browser comes back from a provider with. */
export interface Callback {
  provider: string;
  query: Readonly<Record<string, string>>;
  /** The nonce of the browser that came; undefined when it has none. */
  browser: string | undefined;
}

/** The provider sends the person back: with a code, or with why not. */
export async function completeConnection(deps: Deps, callback: Callback): Promise<ConnectOutcome> {
  const now = deps.clock.now();
  const judged = await judgeCallback(deps, callback, now);
  if ('outcome' in judged) return judged.outcome;
  const { connection, awaited } = judged;
  if ('why' in judged) return failed(deps, connection, awaited, judged.why);
  const claimed = await conditionalCommit(deps.store, [
    connectionRows(deps.store).exchanging(connection, awaited.nonceHash, now, now + workerLifeMs),
    deviceRows(deps.store).stillAwaited(connection.user, connection.device),
  ]);
  if (!claimed) return { ...nowhere, provider: connection.provider, problem: 'link_used' };
  const exchanging: ConnectionRow = { ...connection, status: 'exchanging' };
  const outcome = await exchanged(deps, exchanging, awaited, judged.code, callback.query);
  if ('why' in outcome) {
    const ended = await failed(deps, exchanging, awaited, outcome.why);
    return ended.problem === outcome.why ? { ...ended, advice: outcome.advice } : ended;
  }
  const activated = await activate(deps, exchanging, outcome);
  if (!activated) {
    await giveBack(deps, connection, outcome);
    return nowhere;
  }
  return told(exchanging, awaited, undefined);
}

export interface Preview {
  /** Its `problem` is undefined where the code would be swapped. */
  outcome: ConnectOutcome;
  /** Whether completing would change anything. */
  isPending: boolean;
}

/**
 * What completing would come to, as far as it is known before the code is swapped. Nothing changes.
 */
export async function previewConnection(deps: Deps, callback: Callback): Promise<Preview> {
  const judged = await judgeCallback(deps, callback, deps.clock.now());
  if ('outcome' in judged) return { outcome: judged.outcome, isPending: false };
  const { connection, awaited } = judged;
  return { outcome: told(connection, awaited, 'why' in judged ? judged.why : undefined), isPending: true };
}

type Judged =
  | { outcome: ConnectOutcome }
  | { connection: ConnectionRow; awaited: Awaited; why: DeviceError }
  | { connection: ConnectionRow; awaited: Awaited; code: string };

/**
 * Reads only. The browser is checked first: one that did not open the link learns nothing, and
 * costs no read.
 */
async function judgeCallback(deps: Deps, { provider, query, browser }: Callback, nowMs: number): Promise<Judged> {
  const state = query['state'] === undefined ? undefined : openBoundState(deps, query['state']);
  if (!state) return { outcome: nowhere };
  if (!isSameBrowser(deps, state, browser)) return { outcome: { ...nowhere, problem: 'other_browser' } };
  const found = await awaitedConnection(deps, state);
  if ('problem' in found) return { outcome: found };
  const { awaited } = found;
  if (found.connection.provider !== provider) return { ...found, why: 'wrong_provider' };
  if (awaited.expiresMs <= nowMs) return { ...found, why: 'link_expired' };
  const { code, error } = query;
  if (error !== undefined || !code)
    return { ...found, why: error === undefined || isDenial(error) ? 'access_denied' : 'code_refused' };
  return { ...found, code };
}

/** Both exist, belong together, may still be used, and consent has not come yet. */
async function awaitedConnection(
  deps: Deps,
  state: ConnectState | undefined,
): Promise<{ connection: ConnectionRow; awaited: Awaited } | ConnectOutcome> {
  const connection = state && (await connectionRows(deps.store).of(state.user, state.device));
  if (!state || !connection) return nowhere;
  const { provider, awaited } = connection;
  if (awaited === null || connection.status !== 'awaited') return { ...nowhere, provider, problem: 'link_used' };
  if (awaited.nonceHash !== nonceHash(deps, state.nonce)) return nowhere;
  const { link, keyHash } = awaited;
  const [subject, standing] = await Promise.all([
    subjectEvenUnshared(deps, state.user),
    linkRefusal(deps, { user: state.user, link, keyHash }),
  ]);
  if (!subject) return nowhere;
  const refusal = isSharedSince(subject.user, awaited.sharingEpoch) ? standing : 'link_revoked';
  return refusal ? { ...nowhere, provider, problem: refusal } : { connection, awaited };
}

const isDenial = (error: string): boolean => error === 'access_denied' || error === 'request_forbidden';

async function configuredFor(deps: Deps, { provider, env }: ConnectionRow): Promise<ConfiguredProvider | undefined> {
  try {
    return await configuredProvider(deps, provider, env);
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    deps.log('error', 'a provider is misconfigured', { provider, message: error.message });
    return undefined;
  }
}

/** The code is swapped once: some vendors end every token of the person when it comes twice. */
async function exchanged(
  deps: Deps,
  connection: ConnectionRow,
  awaited: Awaited,
  code: string,
  query: Readonly<Record<string, string>>,
): Promise<Linked | { why: DeviceError; advice?: string }> {
  const configured = await configuredFor(deps, connection);
  if (!configured) return { why: 'not_configured' };
  const asked = {
    credentials: configured.credentials,
    redirectUri: callbackUrl(connection),
    code,
    verifier: takesPkce(connection) ? openVerifier(deps, awaited.verifier, connection.device) : undefined,
    externalId: connection.device,
    nowMs: deps.clock.now(),
    query,
  };
  const line = connectingLine(deps, configured, { device: connection.device, startedMs: asked.nowMs });
  // The code is good once: what could not be sealed is not asked for.
  await tokenVault(deps, connection.env).seal('', grantContext(connection));
  try {
    const linked = await line.plainly(grantOf(connection.provider).exchange(asked));
    if (linked.account.length <= longestAccount) return linked;
    await giveBack(deps, connection, { ...linked, account: linked.account.slice(0, longestAccount) });
    return { why: 'code_refused' };
  } catch (error) {
    if (error instanceof GrantRefused) return refusal(deps, connection, error);
    if (!(error instanceof VendorAway || error instanceof Unexpected || error instanceof OutOfTime)) throw error;
    deps.log('warn', 'a vendor did not answer when a code was swapped', {
      provider: connection.provider,
      env: connection.env,
      message: error.message,
    });
    return { why: 'provider_unavailable' };
  }
}

/** Credentials that are refused are the operator's trouble, not the person's. */
function refusal(
  { log }: Deps,
  { provider, env }: ConnectionRow,
  { reason, message }: GrantRefused,
): { why: DeviceError; advice?: string } {
  if (reason === 'not_configured') {
    log('error', 'provider_credentials_refused', { provider, env, message });
    return { why: reason };
  }
  log('warn', 'a vendor refused a consent', { provider, env, reason, message });
  return { why: reason, advice: message };
}

/** Nobody is left to hold it. It may be the consent by which another user's device lives, so it takes the way of all that are given back. */
async function giveBack(deps: Deps, connection: ConnectionRow, { account, ...grant }: Linked): Promise<void> {
  const { user, device, env, provider } = connection;
  const sealed = await tokenVault(deps, env).seal(JSON.stringify(grant), grantContext(connection));
  const consent = { user, device, env, provider, vendorAccount: account, grant: sealed };
  await revocationRows(deps.store).start(consent, deps.clock.now());
  await wakeRevocation(deps, user, device);
}

/** The device says so from here on; the link is gone. */
async function failed(
  deps: Deps,
  connection: ConnectionRow,
  awaited: Awaited,
  why: DeviceError,
): Promise<ConnectOutcome> {
  const held = await failConnection(deps, connection, why);
  return held ? told(connection, awaited, why) : { ...nowhere, provider: connection.provider, problem: 'link_used' };
}

/** False when its state has changed since it was read. */
export const failConnection = (deps: Deps, connection: ConnectionRow, why: DeviceError): Promise<boolean> =>
  conditionalCommit(deps.store, [
    ...connectionRows(deps.store).ending(connection),
    deviceRows(deps.store).failing(connection.user, connection.device, why),
  ]);

const told = (
  { provider, device }: ConnectionRow,
  { redirectUrl, returnTo }: Awaited,
  problem: ConnectProblem | undefined,
): ConnectOutcome => ({
  provider,
  problem,
  deviceId: device,
  redirectUrl: redirectUrl ?? undefined,
  returnTo: returnTo ?? undefined,
});

const callbackUrl = ({ origin, provider }: ConnectionRow): string => `${origin}/connect/callback/${provider}`;

/** The built-in vendor stands at the real one's address, behind ours. */
function ofSandbox({ origin, provider }: ConnectionRow, url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${origin}/sandbox/${provider}/${host}${pathname}${search}`;
}
