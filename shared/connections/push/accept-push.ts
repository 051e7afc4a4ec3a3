// Takes what a vendor sends by itself: known to be from it, kept or noted for every person it is about, and then acknowledged, whether or not the vendor can be asked right now.

import type { CloudProviderId } from '../../catalog/provider.ts';
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

/** Some vendors tell of thousands of people at once, and wait for an answer meanwhile: of more than so many it is only kept what was said. */
const maxInlineUsers = 16;

const allEnvironments = ['live', 'sandbox'] as const satisfies Environment[];

/** Whom a push is for, or what it is answered with where it is only a question. */
export type RecognizedPush =
  | { env: Environment }
  /** `isAuthenticated`: whoever asked has shown what only the provider knows. */
  | { response: PushResponse; isAuthenticated: boolean };

/**
 * From headers, path and raw bytes: nothing of a stranger's body is parsed. Throws `Failure` for
 * whatever is not from the vendor. Which environment it is for follows from whose keys it was made
 * with; `environments` leaves out whose keys need not be tried.
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
  for (const env of environments) {
    const keys = await findPushKeys(deps, provider, env);
    if (!keys) continue;
    const answer = rules.answerHandshake?.(request, keys);
    if (answer && answer.status < 400) return { response: answer, isAuthenticated: true };
    refusal ??= answer;
    if (request.method === 'POST' && rules.isGenuine(request, keys)) return { env };
  }
  deps.log('warn', 'a push was refused', { provider, method: request.method });
  if (refusal) return { response: refusal, isAuthenticated: false };
  throw new Failure('unauthorized', `This was not sent by ${providerDescriptors[provider].name}, or too long ago.`);
}

/** Only of what was recognized. */
export async function processPush(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  request: PushRequest,
): Promise<PushResponse> {
  const rules = getPushRules(provider);
  const content = rules.read(request);
  if (content) await recordPush(deps, provider, env, content);
  else deps.log('warn', 'a push says nothing that is known here', { provider, env });
  return rules.acceptedResponse;
}

/**
 * Both in one, where nobody has to know in between. Throws `Failure` for whatever is not from the
 * vendor; nothing is written then.
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
  if (!rules) throw new Failure('not_found', `${providerDescriptors[provider].name} sends nothing to this service.`);
  return rules;
}

function assertBodySize({ maxBytes = defaultMaxPushBytes }: PushAdapter, { body }: PushRequest): void {
  if (body.byteLength > maxBytes) throw new Failure('payload_too_large', `The body must not exceed ${maxBytes} bytes.`);
}

async function findPushKeys(deps: Deps, provider: CloudProviderId, env: Environment): Promise<PushKeys | undefined> {
  try {
    const configured = await getConfiguredProvider(deps, provider, env);
    return configured && (await readPushKeys(deps, configured));
  } catch (error) {
    if (!(error instanceof ProviderMisconfigured)) throw error;
    deps.log('error', 'a provider is misconfigured', { provider, message: error.message });
    return undefined;
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
  // Nobody is linked by a longer name.
  const notifications = content.notifications.filter(({ account }) => account.length <= maxAccountLength);
  const accounts = [...Map.groupBy(notifications, (notification) => notification.account)].map(
    ([account, notifications]) => ({
      account,
      notes: notifications,
    }),
  );
  if (!(await tryRecordNow(deps, provider, env, accounts))) await splitPush(deps, provider, env, accounts);
  // Last: what was only half taken comes again and is taken whole.
  if (name !== undefined) await subscriptionRows(store).recordProcessedPush(provider, env, name, clock.now());
}

/** False when there are too many: nothing was done then. */
async function tryRecordNow(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  accounts: readonly AccountNotifications[],
): Promise<boolean> {
  if (accounts.length > maxInlineUsers) return false;
  const result = await Promise.all(
    accounts.map(async ({ account, notes: notifications }) => {
      const links = await connectionRows(deps.store).listLinkedDevices(provider, env, account);
      return links.map((link) => ({ link, notes: notifications }));
    }),
  );
  const linked = result.flat();
  if (linked.length > maxInlineUsers) return false;
  await Promise.all(
    linked.map(({ link, notes: notifications }) => recordNotifications(deps, provider, link, notifications)),
  );
  return true;
}
