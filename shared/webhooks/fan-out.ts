// Fans a page of a feed out to the endpoints that subscribe to its events: one message for each
// endpoint and ten events, or a direct send if there is only one. A delivery's row is written with
// its first attempt, so the page stays due until every row exists.

import { type EventPage, type FeedName, type FeedRow, feedRows } from '../events/feed-rows.ts';
import { chunkArray } from '../platform/chunk-array.ts';
import { EngineUnavailable } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import type { FeedPageJob, Job } from '../system/jobs.ts';
import { type DeliveryRow, deliveryKey, deliveryRows } from './delivery-rows.ts';
import type { EndpointBulkhead } from './endpoint-bulkhead.ts';
import { shouldDeliver } from './event-routing.ts';
import { sendEvents } from './first-attempts.ts';
import { listEndpoints } from './list-endpoints.ts';
import type { WebhookRow } from './webhook-rows.ts';

const eventsPerMessage = 10;
/**
 * A younger page has not been sent yet, except by a duplicate message, which then finds the rows
 * itself.
 */
const freshMs = 30_000;
const firstCheckSeconds = 45;
const maxCheckSeconds = 900;
const maxPauseMs = 3_600_000;
const pauseShare = 0.25;

export async function fanOut(deps: Deps, bulkhead: EndpointBulkhead, job: FeedPageJob): Promise<void> {
  const { store, clock } = deps;
  const feed = { account: job.account_id, env: job.env };
  const page = await feedRows(store).findPage(feed, job.first);
  if (!page?.isPending) return;
  const ageMs = Math.max(0, clock.now() - page.publishedMs);
  const endpointEvents = await selectEndpointEvents(deps, feed, page);
  const missing = ageMs < freshMs ? endpointEvents : await filterUndelivered(deps, endpointEvents);
  const [only, ...others] = splitIntoMessages(missing);
  if (!only) return feedRows(store).clearPending(feed, page.first);
  // An event that was sent and has no row yet is either waiting in the queue or was lost. It is
  // sent again, less often the older it is.
  if (ageMs >= freshMs)
    await feedRows(store).postpone(
      feed,
      page.first,
      clock.now() + Math.min(Math.round(ageMs * pauseShare), maxPauseMs),
    );
  if (others.length === 0 && isHealthy(only.hook))
    return sendEvents(deps, bulkhead, { ...only, feed, page, isAll: true });
  const jobs = [only, ...others].map(
    ({ hook, events }): Job<'deliver'> => ({
      ...job,
      webhook_id: hook.id,
      numbers: events.map(({ seq }) => seq),
      // A job that sends everything also clears the page. With several jobs, this function checks
      // again.
      is_all: others.length === 0,
    }),
  );
  await tolerateQueueOutage(deps, () => deps.queue.sendAll('deliver', jobs));
  if (others.length === 0) return;
  const delaySeconds = Math.min(maxCheckSeconds, Math.max(firstCheckSeconds, Math.ceil(ageMs / 1000)));
  await tolerateQueueOutage(deps, () => deps.queue.send('deliver', job, { delaySeconds }));
}

/** A failing endpoint may hang, so its requests are made separately and do not delay a page. */
const isHealthy = ({ failures }: WebhookRow): boolean => failures === 0;

interface EndpointEvents {
  hook: WebhookRow;
  events: FeedRow[];
}

async function selectEndpointEvents(deps: Deps, feed: FeedName, page: EventPage): Promise<EndpointEvents[]> {
  const hooks = await listEndpoints(deps, feed);
  return hooks.flatMap((hook) => {
    const events = page.events.filter((event) => shouldDeliver(hook, event, page.first));
    return events.length > 0 ? [{ hook, events }] : [];
  });
}

async function filterUndelivered(
  { store }: Deps,
  endpointEvents: readonly EndpointEvents[],
): Promise<EndpointEvents[]> {
  const ids = endpointEvents.flatMap(({ hook, events }) => events.map((event) => deliveryKey(hook.id, event)));
  const rows = await deliveryRows(store).findExisting(ids);
  return endpointEvents.flatMap(({ hook, events }) => {
    const undelivered = events.filter((event) => !rows.has(deliveryKey(hook.id, event).id));
    return undelivered.length > 0 ? [{ hook, events: undelivered }] : [];
  });
}

const splitIntoMessages = (endpointEvents: readonly EndpointEvents[]) =>
  endpointEvents.flatMap(({ hook, events }) =>
    chunkArray(events, eventsPerMessage).map((chunk) => ({ hook, events: chunk })),
  );

export async function wakeDeliveries(deps: Deps, rows: Pick<DeliveryRow, 'webhook' | 'id'>[]): Promise<void> {
  if (rows.length === 0) return;
  const jobs = rows.map((row): Job<'deliver'> => ({ webhook_id: row.webhook, delivery_id: row.id }));
  await tolerateQueueOutage(deps, () => deps.queue.sendAll('deliver', jobs));
}

/** The work is stored in the table, and a sweep finds it. */
async function tolerateQueueOutage(deps: Deps, send: () => Promise<void>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    deps.log('warn', 'deliveries_not_queued', { cause: error });
  }
}
