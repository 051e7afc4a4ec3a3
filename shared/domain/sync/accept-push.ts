// Takes what a vendor sends by itself: known to be from it, kept or noted for every person it is about, and then acknowledged, whether or not the vendor can be asked right now.
import type { Environment } from '../../model/account.ts';
import { Failure } from '../../model/failure.ts';
import type { CloudProviderId } from '../../model/provider.ts';
import { pushOf } from '../../providers/adapters.ts';
import { providers } from '../../providers/catalog.ts';
import { longestAccount } from '../../providers/grant.ts';
import type { PushAnswer, PushContent, PushKeys, PushRequest, PushRules } from '../../providers/push.ts';
import { connectionRows } from '../../store/connections.ts';
import { subscriptionRows } from '../../store/subscriptions.ts';
import type { Deps } from '../deps.ts';
import { configuredProvider, Misconfigured } from '../providers/configured.ts';
import { handOn, type NotedPerson } from './hand-on-push.ts';
import { pushKeys } from './push-keys.ts';
import { takeNotes } from './take-notes.ts';

/** Some vendors tell of thousands of people at once, and wait for an answer meanwhile: of more than so many it is only kept what was said. */
const mostPeople = 16;

const everyEnvironment = ['live', 'sandbox'] as const satisfies Environment[];

/** Throws `Failure` for whatever is not from the vendor; nothing is written then. `among` leaves out whose keys need not be tried. */
export async function acceptPush(
  deps: Deps,
  provider: CloudProviderId,
  request: PushRequest,
  among: readonly Environment[] = everyEnvironment,
): Promise<PushAnswer> {
  const rules = pushOf(provider);
  if (!rules) throw new Failure('not_found', `${providers[provider].name} sends nothing to this service.`);
  const found = await recognized(deps, provider, rules, request, among);
  if ('answer' in found) return found.answer;
  const content = rules.read(request);
  if (!content) {
    deps.log('warn', 'a push says nothing that is known here', { provider, env: found.env });
    return rules.accepted;
  }
  await take(deps, provider, found.env, content);
  return rules.accepted;
}

/** Which environment it is for follows from whose keys it was made with. */
async function recognized(
  deps: Deps,
  provider: CloudProviderId,
  rules: PushRules,
  request: PushRequest,
  among: readonly Environment[],
): Promise<{ env: Environment } | { answer: PushAnswer }> {
  let refusal: PushAnswer | undefined;
  for (const env of among) {
    const keys = await keysOf(deps, provider, env);
    if (!keys) continue;
    const answer = rules.handshake?.(request, keys);
    if (answer && answer.status < 400) return { answer };
    refusal ??= answer;
    if (request.method === 'POST' && rules.isGenuine(request, keys)) return { env };
  }
  deps.log('warn', 'a push was refused', { provider, method: request.method });
  if (refusal) return { answer: refusal };
  throw new Failure('unauthorized', `This was not sent by ${providers[provider].name}, or too long ago.`);
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
  await Promise.all(linked.map(({ link, notes }) => takeNotes(deps, provider, link, notes)));
  return true;
}
