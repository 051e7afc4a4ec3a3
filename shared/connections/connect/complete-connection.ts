// The way of a person's consent: from our link to the vendor's page, and from the vendor back to us.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { workerWriteDeadlineMs } from '../../platform/write-deadline.ts';
import { getGrantAdapter } from '../../providers/adapters.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import { GrantRefused, type LinkedGrant, maxAccountLength } from '../../providers/kit/grant.ts';
import { UnexpectedResponse } from '../../providers/kit/request-flow.ts';
import type { Deps } from '../../system/deps.ts';
import { commitConditionally } from '../../system/store.ts';
import { deviceRows } from '../../users/device-rows.ts';
import type { DeviceError } from '../../users/device-states.ts';
import { isSharedSince } from '../../users/sharing.ts';
import { readUserContextIncludingUnshared } from '../../users/user-context.ts';
import {
  type ConfiguredProvider,
  getConfiguredProvider,
  ProviderMisconfigured,
} from '../client/configured-provider.ts';
import { getTokenVault } from '../client/get-token-vault.ts';
import { ProviderUnavailable } from '../client/send-to-provider.ts';
import { OutOfTime } from '../client/sync-errors.ts';
import { createConnectClient } from '../client/user-client.ts';
import { type ConnectionRow, connectionRows, grantContext, type PendingConsent } from '../connection-rows.ts';
import { revocationRows } from '../revocation-rows.ts';
import { wakeRevocation } from '../wake-connection.ts';
import { activateDevice } from './activate-device.ts';
import {
  bindState,
  type ConnectState,
  computeChallenge,
  isSameBrowser,
  nonceHash,
  openBoundState,
  openState,
  openVerifier,
} from './connect-state.ts';
import { findLinkRefusal, type LinkRefusal } from './find-link-refusal.ts';

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

const unknownLinkOutcome: ConnectOutcome = {
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
export async function startAuthorization(
  deps: Deps,
  state: string,
  { browser, isPreview = false }: { browser: string; isPreview?: boolean },
): Promise<{ authorizeUrl: string } | ConnectOutcome> {
  const openedState = openState(deps, state);
  const lookup = await findAwaitedConnection(deps, openedState);
  if ('problem' in lookup || !openedState) return 'problem' in lookup ? lookup : unknownLinkOutcome;
  const { connection, awaited } = lookup;
  const end = (why: DeviceError) =>
    isPreview ? toOutcome(connection, awaited, why) : failWithOutcome(deps, connection, awaited, why);
  if (awaited.expiresMs <= deps.clock.now()) return end('link_expired');
  const configured = await findConfiguredProvider(deps, connection);
  if (!configured) return end('not_configured');
  const url = getGrantAdapter(connection.provider).buildAuthorizeUrl({
    credentials: configured.credentials,
    redirectUri: callbackUrl(connection),
    state: bindState(deps, openedState, browser),
    challenge: takesPkce(connection)
      ? computeChallenge(openVerifier(deps, awaited.verifier, connection.device))
      : undefined,
  });
  return { authorizeUrl: connection.env === 'sandbox' ? buildSandboxUrl(connection, url) : configured.resolveUrl(url) };
}

/**
 * The sandbox's provider takes PKCE whomever it plays, so that a code of one link is refused in
 * another everywhere.
 */
const takesPkce = ({ provider, env }: ConnectionRow): boolean =>
  env === 'sandbox' || providerDescriptors[provider].oauth.pkce;

/** What a browser comes back from a provider with. */
export interface OAuthCallback {
  provider: string;
  query: Readonly<Record<string, string>>;
  /** The nonce of the browser that came; undefined when it has none. */
  browser: string | undefined;
}

/** The provider sends the person back: with a code, or with why not. */
export async function completeConnection(deps: Deps, callback: OAuthCallback): Promise<ConnectOutcome> {
  const now = deps.clock.now();
  const check = await checkCallback(deps, callback, now);
  if ('outcome' in check) return check.outcome;
  const { connection, awaited } = check;
  if ('why' in check) return failWithOutcome(deps, connection, awaited, check.why);
  const isClaimed = await commitConditionally(deps.store, [
    connectionRows(deps.store).buildStartExchange(connection, awaited.nonceHash, now, now + workerWriteDeadlineMs),
    deviceRows(deps.store).buildPendingCheck(connection.user, connection.device),
  ]);
  if (!isClaimed) return { ...unknownLinkOutcome, provider: connection.provider, problem: 'link_used' };
  const exchanging: ConnectionRow = { ...connection, status: 'exchanging' };
  const outcome = await exchangeCode(deps, exchanging, awaited, check.code, callback.query);
  if ('why' in outcome) {
    const failure = await failWithOutcome(deps, exchanging, awaited, outcome.why);
    return failure.problem === outcome.why ? { ...failure, advice: outcome.advice } : failure;
  }
  const isActivated = await activateDevice(deps, exchanging, outcome);
  if (!isActivated) {
    await enqueueRevocation(deps, connection, outcome);
    return unknownLinkOutcome;
  }
  return toOutcome(exchanging, awaited, undefined);
}

export interface ConnectionPreview {
  /** Its `problem` is undefined where the code would be swapped. */
  outcome: ConnectOutcome;
  /** Whether completing would change anything. */
  isPending: boolean;
}

/**
 * What completing would come to, as far as it is known before the code is swapped. Nothing changes.
 */
export async function previewConnection(deps: Deps, callback: OAuthCallback): Promise<ConnectionPreview> {
  const check = await checkCallback(deps, callback, deps.clock.now());
  if ('outcome' in check) return { outcome: check.outcome, isPending: false };
  const { connection, awaited } = check;
  return { outcome: toOutcome(connection, awaited, 'why' in check ? check.why : undefined), isPending: true };
}

type CallbackCheck =
  | { outcome: ConnectOutcome }
  | { connection: ConnectionRow; awaited: PendingConsent; why: DeviceError }
  | { connection: ConnectionRow; awaited: PendingConsent; code: string };

/**
 * Reads only. The browser is checked first: one that did not open the link learns nothing, and
 * costs no read.
 */
async function checkCallback(
  deps: Deps,
  { provider, query, browser }: OAuthCallback,
  nowMs: number,
): Promise<CallbackCheck> {
  const state = query['state'] === undefined ? undefined : openBoundState(deps, query['state']);
  if (!state) return { outcome: unknownLinkOutcome };
  if (!isSameBrowser(deps, state, browser)) return { outcome: { ...unknownLinkOutcome, problem: 'other_browser' } };
  const lookup = await findAwaitedConnection(deps, state);
  if ('problem' in lookup) return { outcome: lookup };
  const { awaited } = lookup;
  if (lookup.connection.provider !== provider) return { ...lookup, why: 'wrong_provider' };
  if (awaited.expiresMs <= nowMs) return { ...lookup, why: 'link_expired' };
  const { code, error } = query;
  if (error !== undefined || !code)
    return { ...lookup, why: error === undefined || isDenial(error) ? 'access_denied' : 'code_refused' };
  return { ...lookup, code };
}

/** Both exist, belong together, may still be used, and consent has not come yet. */
async function findAwaitedConnection(
  deps: Deps,
  state: ConnectState | undefined,
): Promise<{ connection: ConnectionRow; awaited: PendingConsent } | ConnectOutcome> {
  const connection = state && (await connectionRows(deps.store).find(state.user, state.device));
  if (!state || !connection) return unknownLinkOutcome;
  const { provider, awaited } = connection;
  if (awaited === null || connection.status !== 'awaited')
    return { ...unknownLinkOutcome, provider, problem: 'link_used' };
  if (awaited.nonceHash !== nonceHash(deps, state.nonce)) return unknownLinkOutcome;
  const { link, keyHash } = awaited;
  const [userContext, linkProblem] = await Promise.all([
    readUserContextIncludingUnshared(deps, state.user),
    findLinkRefusal(deps, { user: state.user, link, keyHash }),
  ]);
  if (!userContext) return unknownLinkOutcome;
  const refusal = isSharedSince(userContext.user, awaited.sharingEpoch) ? linkProblem : 'link_revoked';
  return refusal ? { ...unknownLinkOutcome, provider, problem: refusal } : { connection, awaited };
}

const isDenial = (error: string): boolean => error === 'access_denied' || error === 'request_forbidden';

async function findConfiguredProvider(
  deps: Deps,
  { provider, env }: ConnectionRow,
): Promise<ConfiguredProvider | undefined> {
  try {
    return await getConfiguredProvider(deps, provider, env);
  } catch (error) {
    if (!(error instanceof ProviderMisconfigured)) throw error;
    deps.log('error', 'a provider is misconfigured', { provider, message: error.message });
    return undefined;
  }
}

/** The code is swapped once: some vendors end every token of the person when it comes twice. */
async function exchangeCode(
  deps: Deps,
  connection: ConnectionRow,
  awaited: PendingConsent,
  code: string,
  query: Readonly<Record<string, string>>,
): Promise<LinkedGrant | { why: DeviceError; advice?: string }> {
  const configured = await findConfiguredProvider(deps, connection);
  if (!configured) return { why: 'not_configured' };
  const exchangeRequest = {
    credentials: configured.credentials,
    redirectUri: callbackUrl(connection),
    code,
    verifier: takesPkce(connection) ? openVerifier(deps, awaited.verifier, connection.device) : undefined,
    externalId: connection.device,
    nowMs: deps.clock.now(),
    query,
  };
  const providerClient = createConnectClient(deps, configured, {
    device: connection.device,
    startedMs: exchangeRequest.nowMs,
  });
  // The code is good once: what could not be sealed is not asked for.
  await getTokenVault(deps, connection.env).seal('', grantContext(connection));
  try {
    const linked = await providerClient.withoutToken(getGrantAdapter(connection.provider).exchange(exchangeRequest));
    if (linked.account.length <= maxAccountLength) return linked;
    await enqueueRevocation(deps, connection, { ...linked, account: linked.account.slice(0, maxAccountLength) });
    return { why: 'code_refused' };
  } catch (error) {
    if (error instanceof GrantRefused) return handleGrantRefused(deps, connection, error);
    if (!(error instanceof ProviderUnavailable || error instanceof UnexpectedResponse || error instanceof OutOfTime))
      throw error;
    deps.log('warn', 'a vendor did not answer when a code was swapped', {
      provider: connection.provider,
      env: connection.env,
      message: error.message,
    });
    return { why: 'provider_unavailable' };
  }
}

/** Credentials that are refused are the operator's trouble, not the person's. */
function handleGrantRefused(
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
async function enqueueRevocation(
  deps: Deps,
  connection: ConnectionRow,
  { account, ...grant }: LinkedGrant,
): Promise<void> {
  const { user, device, env, provider } = connection;
  const sealed = await getTokenVault(deps, env).seal(JSON.stringify(grant), grantContext(connection));
  const consent = { user, device, env, provider, providerAccount: account, grant: sealed };
  await revocationRows(deps.store).start(consent, deps.clock.now());
  await wakeRevocation(deps, user, device);
}

/** The device says so from here on; the link is gone. */
async function failWithOutcome(
  deps: Deps,
  connection: ConnectionRow,
  awaited: PendingConsent,
  why: DeviceError,
): Promise<ConnectOutcome> {
  const applied = await failConnection(deps, connection, why);
  return applied
    ? toOutcome(connection, awaited, why)
    : { ...unknownLinkOutcome, provider: connection.provider, problem: 'link_used' };
}

/** False when its state has changed since it was read. */
export const failConnection = (deps: Deps, connection: ConnectionRow, why: DeviceError): Promise<boolean> =>
  commitConditionally(deps.store, [
    ...connectionRows(deps.store).buildEnd(connection),
    deviceRows(deps.store).buildFail(connection.user, connection.device, why),
  ]);

const toOutcome = (
  { provider, device }: ConnectionRow,
  { redirectUrl, returnTo }: PendingConsent,
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
function buildSandboxUrl({ origin, provider }: ConnectionRow, url: string): string {
  const { host, pathname, search } = new URL(url);
  return `${origin}/sandbox/${provider}/${host}${pathname}${search}`;
}
