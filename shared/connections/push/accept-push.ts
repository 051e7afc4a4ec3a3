// Takes what a vendor sends by itself: known to be from it, kept or noted for every person it is about, and then acknowledged, whether or not the vendor can be asked right now.

import type { CloudProviderId } from '../../catalog/provider.ts';
import { pushOf } from '../../providers/adapters.ts';
import { providers } from '../../providers/catalog.ts';
import { longestAccount } from '../../providers/kit/grant.ts';
import {
  type PushAnswer,
  type PushContent,
  type PushKeys,
  type PushRequest,
  type PushRules,
  usualPushBytes,
} from '../../providers/kit/push.ts';
import type { Environment } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { Failure } from '../../system/failure.ts';
import { configuredProvider, Misconfigured } from '../client/configured.ts';
import { pushKeys } from '../client/push-keys.ts';
import { connectionRows } from '../connection-rows.ts';
import { subscriptionRows } from '../subscription-rows.ts';
import { handOn, type NotedPerson } from './hand-on-push.ts';
import { recordNotifications } from './record-notifications.ts';

/** Some vendors tell of thousands of people at once, and wait for an answer meanwhile: of more than so many it is only kept what was said. */
const mostPeople = 16;

const everyEnvironment = ['live', 'sandbox'] as const satisfies Environment[];

/** Whom a push is for, or what it is answered with where it is only a question. */
export type RecognizedPush =
  | { env: Environment }
  /** `isProven`: whoever asked has shown what only the provider knows. */
  | { answer: PushAnswer; isProven: boolean };

/**
 * From headers, path and raw bytes: nothing of a stranger's body is parsed. Throws `Failure` for
 * whatever is not from the vendor. Which environment it is for follows from whose keys it was made
 * with; `among` leaves out whose keys need not be tried.
 */
export async function recognizePush(
  deps: Deps,
  provider: CloudProviderId,
  request: PushRequest,
  among: readonly Environment[] = everyEnvironment,
): Promise<RecognizedPush> {
  const rules = rulesOf(provider);
  mustFit(rules, request);
  const greeting = rules.greeting?.(request);
  if (greeting) return { answer: greeting, isProven: false };
  let refusal: PushAnswer | undefined;
  for (const env of among) {
    const keys = await keysOf(deps, provider, env);
    if (!keys) continue;
    const answer = rules.handshake?.(request, keys);
    if (answer && answer.status < 400) return { answer, isProven: true };
    refusal ??= answer;
    if (request.method === 'POST' && rules.isGenuine(request, keys)) return { env };
  }
  deps.log('warn', 'a push was refused', { provider, method: request.method });
  if (refusal) return { answer: refusal, isProven: false };
  throw new Failure('unauthorized', `This was not sent by ${providers[provider].name}, or too long ago.`);
}

/** Only of what was recognized. */
export async function takePush(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  request: PushRequest,
): Promise<PushAnswer> {
  const rules = rulesOf(provider);
  const content = rules.read(request);
  if (content) await take(deps, provider, env, content);
  else deps.log('warn', 'a push says nothing that is known here', { provider, env });
  return rules.accepted;
}

/**
 * Both in one, where nobody has to know in between. Throws `Failure` for whatever is not from the
 * vendor; nothing is written then.
 */
export async function acceptPush(
  deps: Deps,
  provider: CloudProviderId,
  request: PushRequest,
  among: readonly Environment[] = everyEnvironment,
): Promise<PushAnswer> {
  const found = await recognizePush(deps, provider, request, among);
  return 'answer' in found ? found.answer : takePush(deps, provider, found.env, request);
}

function rulesOf(provider: CloudProviderId): PushRules {
  const rules = pushOf(provider);
  if (!rules) throw new Failure('not_found', `${providers[provider].name} sends nothing to this service.`);
  return rules;
}

function mustFit({ maxBytes = usualPushBytes }: PushRules, { body }: PushRequest): void {
  if (body.byteLength > maxBytes) throw new Failure('payload_too_large', `The body must not exceed ${maxBytes} bytes.`);
}

async function keysOf(deps: Deps, provider: CloudProviderId, env: Environment): Promise<PushKeys | undefined> {
  try {
    const configured = await configuredProvider(deps, provider, env);
    return configured && (await pushKeys(deps, configured));
  } catch (error) {
    if (!(error instanceof Misconfigured)) throw error;
    deps.log('error', 'a provider is misconfigured', { provider, message: error.message });
    return undefined;
  }
}

async function take(deps: Deps, provider: CloudProviderId, env: Environment, content: PushContent): Promise<void> {
  const { store, clock } = deps;
  const name = content.name === undefined ? undefined : deps.keyring.hash('push-name', content.name);
  if (name !== undefined && (await subscriptionRows(store).hasSeen(provider, env, name))) return;
  // Nobody is linked by a longer name.
  const notes = content.notes.filter(({ account }) => account.length <= longestAccount);
  const people = [...Map.groupBy(notes, (note) => note.account)].map(([account, notes]) => ({
    account,
    notes,
  }));
  if (!(await takenNow(deps, provider, env, people))) await handOn(deps, provider, env, people);
  // Last: what was only half taken comes again and is taken whole.
  if (name !== undefined) await subscriptionRows(store).seen(provider, env, name, clock.now());
}

/** False when there are too many: nothing was done then. */
async function takenNow(
  deps: Deps,
  provider: CloudProviderId,
  env: Environment,
  people: readonly NotedPerson[],
): Promise<boolean> {
  if (people.length > mostPeople) return false;
  const found = await Promise.all(
    people.map(async ({ account, notes }) => {
      const links = await connectionRows(deps.store).linkedTo(provider, env, account);
      return links.map((link) => ({ link, notes }));
    }),
  );
  const linked = found.flat();
  if (linked.length > mostPeople) return false;
  await Promise.all(linked.map(({ link, notes }) => recordNotifications(deps, provider, link, notes)));
  return true;
}
