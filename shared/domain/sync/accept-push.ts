// Takes what a vendor sends by itself: known to be from it, kept or noted for every person it is about, and then acknowledged, whether or not the vendor can be asked right now.
import type { Environment } from '../../model/account.ts';
import { Failure } from '../../model/failure.ts';
import { inPieces } from '../../model/in-pieces.ts';
import { addDays, utcDay } from '../../model/local-day.ts';
import type { CloudProviderId } from '../../model/provider.ts';
import { adapterOf } from '../../providers/adapters.ts';
import { providers } from '../../providers/catalog.ts';
import { rawPages, type VendorPage } from '../../providers/pages.ts';
import type { PushAnswer, PushContent, PushKeys, PushNote, PushRequest, PushRules } from '../../providers/push.ts';
import { connectionRows } from '../../store/connections.ts';
import { subscriptionRows } from '../../store/subscriptions.ts';
import { type SyncNote, syncRows } from '../../store/syncs.ts';
import type { Deps } from '../deps.ts';
import { acceptRecords } from '../ingest/accept-records.ts';
import { configuredProvider, Misconfigured } from '../providers/configured.ts';
import { activeDevices, subjectOf } from '../users/subject.ts';
import { wake } from '../work/wake.ts';
import { pushKeys } from './push-keys.ts';

/** Some vendors tell of hundreds of people at once, and wait for an answer meanwhile. */
const peopleAtOnce = 16;
/** In place of more notes than a connection keeps. */
const weeksAgain = 4;

const everyEnvironment = ['live', 'sandbox'] as const satisfies Environment[];

/** Throws `Failure` for whatever is not from the vendor; nothing is written then. `among` leaves out whose keys need not be tried. */
export async function acceptPush(
  deps: Deps,
  provider: CloudProviderId,
  request: PushRequest,
  among: readonly Environment[] = everyEnvironment,
): Promise<PushAnswer> {
  const rules = providers[provider].push ? adapterOf(provider).push : undefined;
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
  const people = [...Map.groupBy(content.notes, (note) => note.account)];
  for (const some of inPieces(people, peopleAtOnce))
    await Promise.all(
      some.map(async ([account, notes]) => {
        for (const link of await connectionRows(store).linkedTo(provider, env, account))
          await takeFor(deps, provider, link, notes);
      }),
    );
  // Last: what was only half taken comes again and is taken whole.
  if (name !== undefined) await subscriptionRows(store).seen(provider, env, name, clock.now());
}

type Link = { user: string; device: string };

async function takeFor(deps: Deps, provider: CloudProviderId, link: Link, notes: readonly PushNote[]): Promise<void> {
  const pages = notes.flatMap((note) => (note.what === 'data' ? note.page : []));
  if (pages.length > 0) await keep(deps, provider, link, pages);
  const toAsk = notes.flatMap(asked);
  if (toAsk.length > 0) await noteDown(deps, link, toAsk);
}

async function keep(deps: Deps, provider: CloudProviderId, link: Link, pages: readonly VendorPage[]): Promise<void> {
  const subject = await subjectOf(deps, link.user);
  const device = activeDevices(subject?.devices ?? []).find(({ id }) => id === link.device);
  if (!subject || !device) return;
  const { format } = adapterOf(provider);
  const { timezone } = subject.user;
  const now = deps.clock.now();
  const raw = rawPages({ source: provider, format, timeZone: timezone }, { asked: null, pages }, utcDay(now));
  await acceptRecords(deps, link.user, now, [{ device, raw, scopes: [] }]);
}

function asked(note: PushNote): SyncNote[] {
  if (note.what === 'data') return [];
  if (note.what === 'days') return [{ what: 'days', from: note.from, to: note.to }];
  if (note.what === 'object') return [{ what: 'object', resource: note.resource, id: note.id }];
  if (note.what === 'deleted') return [{ what: 'deleted', kind: note.kind, id: note.id }];
  return [{ what: 'ended' }];
}

async function noteDown(deps: Deps, link: Link, notes: readonly SyncNote[]): Promise<void> {
  const now = deps.clock.now();
  const { note, collapse } = syncRows(deps.store);
  const noted = await note(link, notes, now);
  if (noted === false) return;
  const today = utcDay(now);
  const weeks: SyncNote = { what: 'days', from: addDays(today, -7 * weeksAgain), to: addDays(today, 1) };
  if (noted === 'full') await collapse(link, [weeks, ...notes.filter(({ what }) => what === 'ended').slice(0, 1)], now);
  await wake(deps, 'sync', { user_id: link.user, device_id: link.device });
}
