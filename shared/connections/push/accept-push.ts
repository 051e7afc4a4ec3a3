// Accepts pushes from providers: verifies the sender, stores or records the content for every user
// it concerns, and then acknowledges it, whether or not the provider can be called right now.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { awaitAll } from '../../platform/await-all.ts';
import { getPushAdapter } from '../../providers/adapters.ts';
import { providerDescriptors } from '../../providers/catalog.ts';
import { maxAccountLength } from '../../providers/kit/grant.ts';
import {
  defaultMaxPushBytes,
  type PushAdapter,
  type PushContent,
  type PushKeys,
  type PushRequest,
  type PushResponse,
} from '../../providers/kit/push.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import { getConfiguredProvider, ProviderMisconfigured } from '../client/configured-provider.ts';
import { readPushKeys } from '../client/push-keys.ts';
import { connectionRows } from '../connection-rows.ts';
import { subscriptionRows } from '../subscription-rows.ts';
import { recordNotifications } from './record-notifications.ts';
import { type AccountNotifications, splitPush } from './split-push.ts';

/**
 * Some providers report on thousands of users at once and wait for the response. Above this number
 * of users, the push is only stored, and workers process it later.
 */
const maxInlineUsers = 16;

/** Corrected settings are in use within minutes. */
const retryAfterSeconds = 60;

const allEnvironments = ['live', 'sandbox'] as const satisfies Environment[];

/** The environment of a push, or the response to a request that is only a probe or a handshake. */
export type RecognizedPush =
  | { env: Environment }
  /** `isAuthenticated`: the sender has proved that it is the provider. */
  | { response: PushResponse; isAuthenticated: boolean };

/**
 * Uses only headers, path and raw bytes: the body of an unverified request is never parsed. Throws
 * `Failure` for a request that is not from the provider. The keys that verify the request determine
 * its environment; `environments` limits which keys are tried.
 *
 * Without usable settings, nobody knows whether the request is genuine. A provider may end its
 * subscription after a 401, so the response is `unavailable`, and the provider sends it again.
 */
export async function recognizePush(
  deps: Deps,
  provider: CloudProviderId,
  request: PushRequest,
  environments: readonly Environment[] = allEnvironments,
): Promise<RecognizedPush> {
  const rules = getPushRules(provider);
  assertBodySize(rules, request);
  const greeting = rules.answerProbe?.(request);
  if (greeting) return { response: greeting, isAuthenticated: false };
  let refusal: PushResponse | undefined;
  let isMisconfigured = false;
  for (const env of environments) {
    const keys = await findPushKeys(deps, provider, env);
    if (keys === 'misconfigured') isMisconfigured = true;
    if (!keys || keys === 'misconfigured') continue;
    const answer = rules.answerHandshake?.(request, keys);
    if (answer && answer.status < 400) return { response: answer, isAuthenticated: true };
    refusal ??= answer;
    if (request.method === 'POST' && rules.isGenuine(request, keys)) return { env };
  }
  if (isMisconfigured)
    throw new Failure('unavailable', 'This request cannot be verified at the moment. Try again later.', {
      retryAfterSeconds,
    });
  deps.log('warn', 'push_refused', { provider, method: request.method });
  if (refusal) return { response: refusal, isAuthenticated: false };
  throw new Failure(
    'unauthorized',
    `This request does not come from ${providerDescriptors[provider].name}, or it is too old.`,
  );
}

/** Processes a push that `recognizePush` has verified. */
export async function processPush(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  request: PushRequest,
): Promise<PushResponse> {
  const rules = getPushRules(provider);
  const content = rules.read(request);
  if (content) await recordPush(deps, provider, env, content);
  else deps.log('warn', 'push_content_unknown', { provider, env });
  return rules.acceptedResponse;
}

/**
 * Recognizes and processes a push in one call. Throws `Failure` and writes nothing when the request
 * is not from the provider.
 */
export async function acceptPush(
  deps: Deps,
  provider: CloudProviderId,
  request: PushRequest,
  environments: readonly Environment[] = allEnvironments,
): Promise<PushResponse> {
  const result = await recognizePush(deps, provider, request, environments);
  return 'response' in result ? result.response : processPush(deps, provider, result.env, request);
}

function getPushRules(provider: CloudProviderId): PushAdapter {
  const rules = getPushAdapter(provider);
  if (!rules)
    throw new Failure('not_found', `${providerDescriptors[provider].name} does not send pushes to this service.`);
  return rules;
}

function assertBodySize({ maxBytes = defaultMaxPushBytes }: PushAdapter, { body }: PushRequest): void {
  if (body.byteLength > maxBytes)
    throw new Failure('payload_too_large', `The body must not exceed ${maxBytes.toLocaleString('en')} bytes.`);
}

/** Returns undefined when this deployment has no credentials for the provider. */
async function findPushKeys(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
): Promise<PushKeys | 'misconfigured' | undefined> {
  try {
    const configured = await getConfiguredProvider(deps, provider, env);
    return configured && (await readPushKeys(deps, configured));
  } catch (error) {
    if (!(error instanceof ProviderMisconfigured)) throw error;
    deps.log('error', 'provider_misconfigured', { provider, detail: error.message });
    return 'misconfigured';
  }
}

async function recordPush(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  content: PushContent,
): Promise<void> {
  const { store, clock } = deps;
  const name = content.messageId === undefined ? undefined : deps.keyring.hash('push-name', content.messageId);
  if (name !== undefined && (await subscriptionRows(store).hasProcessedPush(provider, env, name))) return;
  // No connection has a longer account id.
  const notifications = content.notifications.filter(({ account }) => account.length <= maxAccountLength);
  const accounts = [...Map.groupBy(notifications, (notification) => notification.account)].map(
    ([account, notifications]) => ({
      account,
      notifications,
    }),
  );
  if (!(await tryRecordNow(deps, provider, env, accounts))) await splitPush(deps, provider, env, accounts);
  // Recorded last, so that a push that was only partly processed is processed in full when it comes
  // again.
  if (name !== undefined) await subscriptionRows(store).recordProcessedPush(provider, env, name, clock.now());
}

/** Returns false, having done nothing, when there are too many users. */
async function tryRecordNow(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  accounts: readonly AccountNotifications[],
): Promise<boolean> {
  if (accounts.length > maxInlineUsers) return false;
  const result = await Promise.all(
    accounts.map(async ({ account, notifications }) => {
      const links = await connectionRows(deps.store).listLinkedDevices(provider, env, account);
      return links.map((link) => ({ link, notifications }));
    }),
  );
  const linked = result.flat();
  if (linked.length > maxInlineUsers) return false;
  await awaitAll(linked.map(({ link, notifications }) => recordNotifications(deps, provider, link, notifications)));
  return true;
}
