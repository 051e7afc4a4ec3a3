// The consent flow: from this service's link to the provider's consent page, and back through the
// callback.

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
import type { UserRow } from '../../users/user-rows.ts';
import {
  type ConfiguredProvider,
  getConfiguredProvider,
  ProviderMisconfigured,
} from '../client/configured-provider.ts';
import { getTokenVault } from '../client/get-token-vault.ts';
import { ProviderUnavailable } from '../client/send-to-provider.ts';
import { OutOfTime } from '../client/sync-errors.ts';
import { createConnectClient } from '../client/user-client.ts';
import { suggestedPersonaParameter, suggestedTimeZoneParameter } from '../connection.ts';
import {
  type ConnectionRow,
  connectionLogFields,
  connectionRows,
  grantContext,
  type PendingConsent,
} from '../connection-rows.ts';
import { revocationRows } from '../revocation-rows.ts';
import { wakeRevocation } from '../wake-connection.ts';
import { activateDevice } from './activate-device.ts';
import { checkLink, type LinkRefusal } from './check-link.ts';
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

/** Why a link or a callback is rejected. A problem that is not a `DeviceError` changes nothing. */
export type ConnectProblem = DeviceError | 'unknown_link' | 'link_used' | 'other_browser' | LinkRefusal;

export interface ConnectOutcome {
  provider: CloudProviderId | undefined;
  problem: ConnectProblem | undefined;
  /** What the provider requires of the user, if the problem alone does not say it. */
  advice?: string | undefined;
  deviceId: string | undefined;
  /** Where to redirect the user; undefined to show a result page instead. */
  redirectUrl: string | undefined;
  /** The page of this service that the user came from. */
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
 * Returns the provider's consent page for a link. The same link can be opened again, in any
 * browser, until consent is given. The state that is passed to the provider is valid only in
 * `browser`. A preview changes nothing, not even when the link has expired.
 */
export async function startAuthorization(
  deps: Deps,
  state: string,
  { browser, isPreview = false }: { browser: string; isPreview?: boolean },
): Promise<{ authorizeUrl: string } | ConnectOutcome> {
  const openedState = openState(deps, state);
  const lookup = await findAwaitedConnection(deps, openedState);
  if ('problem' in lookup || !openedState) return 'problem' in lookup ? lookup : unknownLinkOutcome;
  const { connection, pendingConsent, user } = lookup;
  const end = (why: DeviceError) =>
    isPreview ? toOutcome(connection, pendingConsent, why) : failWithOutcome(deps, connection, pendingConsent, why);
  if (pendingConsent.expiresMs <= deps.clock.now()) return end('link_expired');
  const configured = await findConfiguredProvider(deps, connection);
  if (!configured) return end('not_configured');
  const url = getGrantAdapter(connection.provider).buildAuthorizeUrl({
    credentials: configured.credentials,
    redirectUri: callbackUrl(connection),
    state: bindState(deps, openedState, browser),
    challenge: takesPkce(connection)
      ? computeChallenge(openVerifier(deps, pendingConsent.verifier, connection.device))
      : undefined,
  });
  return {
    authorizeUrl: connection.env === 'sandbox' ? buildSandboxUrl(connection, url, user) : configured.resolveUrl(url),
  };
}

/**
 * The simulated provider uses PKCE for every provider that it simulates, so that a code from one
 * link is always refused in another.
 */
const takesPkce = ({ provider, env }: ConnectionRow): boolean =>
  env === 'sandbox' || providerDescriptors[provider].oauth.pkce;

/** What a browser sends when it returns from a provider. */
export interface OAuthCallback {
  provider: string;
  query: Readonly<Record<string, string>>;
  /** The nonce of the returning browser; undefined when it has none. */
  browser: string | undefined;
}

/** Handles the redirect from the provider, which carries a code or an error. */
export async function completeConnection(deps: Deps, callback: OAuthCallback): Promise<ConnectOutcome> {
  const now = deps.clock.now();
  const check = await checkCallback(deps, callback, now);
  if ('outcome' in check) return check.outcome;
  const { connection, pendingConsent } = check;
  if ('why' in check) return failWithOutcome(deps, connection, pendingConsent, check.why);
  const isClaimed = await commitConditionally(deps.store, [
    connectionRows(deps.store).buildStartExchange(
      connection,
      pendingConsent.nonceHash,
      now,
      now + workerWriteDeadlineMs,
    ),
    deviceRows(deps.store).buildPendingCheck(connection.user, connection.device),
  ]);
  if (!isClaimed) return { ...unknownLinkOutcome, provider: connection.provider, problem: 'link_used' };
  const exchanging: ConnectionRow = { ...connection, status: 'exchanging' };
  const outcome = await exchangeCode(deps, exchanging, pendingConsent, check.code, callback.query);
  if ('why' in outcome) {
    const failure = await failWithOutcome(deps, exchanging, pendingConsent, outcome.why);
    return failure.problem === outcome.why ? { ...failure, advice: outcome.advice } : failure;
  }
  const isActivated = await activateDevice(deps, exchanging, outcome);
  if (!isActivated) {
    await enqueueRevocation(deps, connection, outcome);
    return unknownLinkOutcome;
  }
  return toOutcome(exchanging, pendingConsent, undefined);
}

export interface ConnectionPreview {
  /** `problem` is undefined when the code would be exchanged. */
  outcome: ConnectOutcome;
  /** Whether completing would change anything. */
  isPending: boolean;
}

/**
 * Predicts the outcome of completing the connection, as far as it is known before the code is
 * exchanged. Changes nothing.
 */
export async function previewConnection(deps: Deps, callback: OAuthCallback): Promise<ConnectionPreview> {
  const check = await checkCallback(deps, callback, deps.clock.now());
  if ('outcome' in check) return { outcome: check.outcome, isPending: false };
  const { connection, pendingConsent } = check;
  return { outcome: toOutcome(connection, pendingConsent, 'why' in check ? check.why : undefined), isPending: true };
}

type CallbackCheck =
  | { outcome: ConnectOutcome }
  | { connection: ConnectionRow; pendingConsent: PendingConsent; why: DeviceError }
  | { connection: ConnectionRow; pendingConsent: PendingConsent; code: string };

/**
 * Only reads. Checks the browser first: a browser that did not open the link learns nothing and
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
  const { pendingConsent } = lookup;
  if (lookup.connection.provider !== provider) return { ...lookup, why: 'wrong_provider' };
  if (pendingConsent.expiresMs <= nowMs) return { ...lookup, why: 'link_expired' };
  const { code, error } = query;
  if (error !== undefined || !code)
    return { ...lookup, why: error === undefined || isDenial(error) ? 'access_denied' : 'code_refused' };
  return { ...lookup, code };
}

interface AwaitedConnection {
  connection: ConnectionRow;
  pendingConsent: PendingConsent;
  user: UserRow;
}

/**
 * Finds the connection and its pending consent, if the link may still be used and consent has not
 * been given yet.
 */
async function findAwaitedConnection(
  deps: Deps,
  state: ConnectState | undefined,
): Promise<AwaitedConnection | ConnectOutcome> {
  const connection = state && (await connectionRows(deps.store).find(state.user, state.device));
  if (!state || !connection) return unknownLinkOutcome;
  const { provider, pendingConsent } = connection;
  if (pendingConsent === null || connection.status !== 'pending')
    return { ...unknownLinkOutcome, provider, problem: 'link_used' };
  if (pendingConsent.nonceHash !== nonceHash(deps, state.nonce)) return unknownLinkOutcome;
  const { link, keyHash, maker } = pendingConsent;
  const [userContext, check] = await Promise.all([
    readUserContextIncludingUnshared(deps, state.user),
    checkLink(deps, { user: state.user, link, keyHash, maker }),
  ]);
  if (!userContext) return unknownLinkOutcome;
  const refusal = isSharedSince(userContext.user, pendingConsent.sharingEpoch) ? check.refusal : 'link_revoked';
  if (refusal) return { ...unknownLinkOutcome, provider, problem: refusal };
  return { connection, pendingConsent, user: userContext.user };
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
    deps.log('error', 'provider_misconfigured', { provider, env, detail: error.message });
    return undefined;
  }
}

/**
 * Exchanges the code only once: some providers invalidate all of a user's tokens when a code
 * arrives twice.
 */
async function exchangeCode(
  deps: Deps,
  connection: ConnectionRow,
  pendingConsent: PendingConsent,
  code: string,
  query: Readonly<Record<string, string>>,
): Promise<LinkedGrant | { why: DeviceError; advice?: string }> {
  const configured = await findConfiguredProvider(deps, connection);
  if (!configured) return { why: 'not_configured' };
  const exchangeRequest = {
    credentials: configured.credentials,
    redirectUri: callbackUrl(connection),
    code,
    verifier: takesPkce(connection) ? openVerifier(deps, pendingConsent.verifier, connection.device) : undefined,
    externalId: connection.device,
    nowMs: deps.clock.now(),
    query,
  };
  const providerClient = createConnectClient(deps, configured, {
    device: connection.device,
    startedMs: exchangeRequest.nowMs,
  });
  // The code works only once, so check first that the vault can seal.
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
    deps.log('warn', 'code_exchange_failed', {
      ...connectionLogFields(connection),
      detail: error.message,
    });
    return { why: 'provider_unavailable' };
  }
}

/** Refused credentials are a problem for the operator, not for the user. */
function handleGrantRefused(
  { log }: Deps,
  connection: ConnectionRow,
  { reason, message }: GrantRefused,
): { why: DeviceError; advice?: string } {
  if (reason === 'not_configured') {
    log('error', 'provider_credentials_refused', { ...connectionLogFields(connection), detail: message });
    return { why: reason };
  }
  log('warn', 'grant_refused', { ...connectionLogFields(connection), reason, detail: message });
  return { why: reason, advice: message };
}

/**
 * Queues the revocation of a consent that no connection holds. Another user's device may depend on
 * the same consent, so it takes the same path as every other revocation.
 */
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

/** Marks the device as failed and removes the link. */
async function failWithOutcome(
  deps: Deps,
  connection: ConnectionRow,
  pendingConsent: PendingConsent,
  why: DeviceError,
): Promise<ConnectOutcome> {
  const applied = await failConnection(deps, connection, why);
  return applied
    ? toOutcome(connection, pendingConsent, why)
    : { ...unknownLinkOutcome, provider: connection.provider, problem: 'link_used' };
}

/** Returns false when the connection has changed since it was read. */
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

/**
 * The simulated provider is served under this deployment's origin, followed by the real provider's
 * host and path. Its page suggests the user's time zone and persona for the fictional user.
 */
function buildSandboxUrl({ origin, provider }: ConnectionRow, url: string, { timezone, profile }: UserRow): string {
  const { host, pathname, search } = new URL(url);
  const suggestions = [
    [suggestedTimeZoneParameter, timezone],
    [suggestedPersonaParameter, profile.sandbox_persona],
  ]
    .flatMap(([name, value]) => (value ? [`&${name}=${encodeURIComponent(value)}`] : []))
    .join('');
  return `${origin}/sandbox/${provider}/${host}${pathname}${search}${suggestions}`;
}
