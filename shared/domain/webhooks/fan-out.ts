// A page of a feed is handed to the endpoints that want its events: one message for each endpoint and some events. A
// delivery's row is written with its first attempt, so the page stays due until every row is there.
import { createHash } from 'node:crypto';
import { EngineUnavailable } from '../../engine/ports.ts';
import { makeId } from '../../model/ids.ts';
import { inPieces } from '../../model/in-pieces.ts';
import type { Job } from '../../model/jobs.ts';
import { type DeliveryRow, deliveryRows } from '../../store/deliveries.ts';
import type { EventRow } from '../../store/event-row.ts';
import { type EventPage, type FeedName, type FeedRow, feedRows } from '../../store/feed.ts';
import { type WebhookRow, webhookRows } from '../../store/webhooks.ts';
import type { Deps } from '../deps.ts';
import { isWanted } from './wanted.ts';

const eventsAMessage = 10;
/** Until then nobody has sent anything of the page yet, but for a repeated message, which finds the rows itself. */
const freshMs = 30_000;
const firstCheckSeconds = 45;
const maxCheckSeconds = 900;
const maxPauseMs = 3_600_000;
const pauseShare = 4;

export async function fanOut(deps: Deps, { account_id, env, first }: Job<'fan-out'>): Promise<void> {
  const { store, clock } = deps;
  const feed = { account: account_id, env };
  const page = await feedRows(store).page(feed, first);
  if (!page?.isDue) return;
  const ageMs = Math.max(0, clock.now() - page.publishedMs);
  const wanted = await wantedOf(deps, feed, page);
  const missing = ageMs < freshMs ? wanted : await withoutRows(deps, wanted);
  if (missing.length === 0) return feedRows(store).clear(feed, first);
  // What was sent and has no row yet waits in the queue, or was lost: it is sent again, less often the older it is.
  if (ageMs >= freshMs)
    await feedRows(store).postpone(feed, first, clock.now() + Math.min(Math.round(ageMs / pauseShare), maxPauseMs));
  const chunks = chunksOf(missing);
  const jobs = chunks.map(
    ({ hook, some }): Job<'deliver'> => ({
      webhook_id: hook.id,
      account_id,
      env,
      first,
      numbers: some.map(({ seq }) => seq),
      // Who sends all there is clears the page as well; with several, this looks again.
      is_all: chunks.length === 1,
    }),
  );
  await tolerating(deps, () => deps.queue.sendAll('deliver', jobs));
  if (chunks.length === 1) return;
  const delaySeconds = Math.min(maxCheckSeconds, Math.max(firstCheckSeconds, Math.ceil(ageMs / 1000)));
  await tolerating(deps, () => deps.queue.send('fan-out', { account_id, env, first }, { delaySeconds }));
}

interface Wanted {
  hook: WebhookRow;
  events: FeedRow[];
}

async function wantedOf({ store }: Deps, feed: FeedName, page: EventPage): Promise<Wanted[]> {
  const hooks = await webhookRows(store).ofEnvironment(feed.account, feed.env);
  return hooks.flatMap((hook) => {
    const events = page.events.filter((event) => isWanted(hook, event, page.first));
    return events.length > 0 ? [{ hook, events }] : [];
  });
}

async function withoutRows({ store }: Deps, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const ids = wanted.flatMap(({ hook, events }) => events.map((event) => deliveryOf(hook.id, event)));
  const rows = await deliveryRows(store).existing(ids);
  return wanted.flatMap(({ hook, events }) => {
    const left = events.filter((event) => !rows.has(deliveryOf(hook.id, event).id));
    return left.length > 0 ? [{ hook, events: left }] : [];
  });
}

const chunksOf = (wanted: readonly Wanted[]) =>
  wanted.flatMap(({ hook, events }) => inPieces(events, eventsAMessage).map((some) => ({ hook, some })));

/** Always the same for an event and an endpoint, and in the order of the events. */
export const deliveryOf = (webhook: string, { id, atMs }: Pick<EventRow, 'id' | 'atMs'>) => ({
  webhook,
  id: makeId('delivery', atMs, createHash('sha256').update(`${id}.${webhook}`).digest()),
});

export async function wakeDeliveries(deps: Deps, rows: Pick<DeliveryRow, 'webhook' | 'id'>[]): Promise<void> {
  if (rows.length === 0) return;
  const jobs = rows.map((row): Job<'deliver'> => ({ webhook_id: row.webhook, delivery_id: row.id }));
  await tolerating(deps, () => deps.queue.sendAll('deliver', jobs));
}

/** What a message is about stands in the table, and a sweep finds it. */
async function tolerating(deps: Deps, send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    deps.log('warn', 'deliveries_not_queued', { error });
  }
}
