// The first attempt of each delivery, which also writes its row: one write if the endpoint accepts
// it.

import { type EventPage, type FeedName, type FeedRow, feedRows } from '../events/feed-rows.ts';
import { presentEvent } from '../events/present-event.ts';
import { awaitAll } from '../platform/await-all.ts';
import type { Deps } from '../system/deps.ts';
import type { Job } from '../system/jobs.ts';
import { type AttemptOutcome, attemptInBulkhead } from './attempt-delivery.ts';
import { checkCircuit, countFailure, isOnProbation, markBehind, openUntilMs, wakeIfBehind } from './circuit-breaker.ts';
import { deliveryKey, deliveryRows } from './delivery-rows.ts';
import type { EndpointBulkhead } from './endpoint-bulkhead.ts';
import { isBehind, isSubscribed } from './event-routing.ts';
import { countSuccess, type DeliveryDraft, hasFailedForLong, recordAttempt } from './record-attempt.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/** Sends some events of a page to one endpoint. */
export async function sendPage(
  deps: Deps,
  bulkhead: EndpointBulkhead,
  job: Extract<Job<'deliver'>, { numbers: number[] }>,
): Promise<void> {
  const feed = { account: job.account_id, env: job.env };
  const page = await feedRows(deps.store).findPage(feed, job.first);
  if (!page?.isPending) return;
  const hook = await webhookRows(deps.store).findById(feed.account, feed.env, job.webhook_id);
  const events = page.events.filter((event) => job.numbers.includes(event.seq) && hook && isSubscribed(hook, event));
  await sendEvents(deps, bulkhead, { feed, page, hook, events, isAll: job.is_all });
}

type PageName = Pick<EventPage, 'first' | 'publishedMs'>;

interface PageDelivery {
  feed: FeedName;
  page: PageName;
  /** Undefined if it was deleted. */
  hook: WebhookRow | undefined;
  events: readonly FeedRow[];
  /** No other endpoint needs deliveries of the page. */
  isAll: boolean;
}

/** Skips events that have a row, so that a redelivered message sends nothing twice. */
export async function sendEvents(
  deps: Deps,
  bulkhead: EndpointBulkhead,
  { feed, page, hook, events, isAll }: PageDelivery,
): Promise<void> {
  if (hook?.status === 'active' && !isBehind(hook, page.first)) {
    const isDone = await sendOrMarkBehind(deps, bulkhead, hook, page, events);
    if (!isDone) return;
  }
  if (isAll) await feedRows(deps.store).clearPending(feed, page.first);
}

/** Returns false if the page must stay due: the endpoint is stuck, and nothing was attempted. */
async function sendOrMarkBehind(
  deps: Deps,
  bulkhead: EndpointBulkhead,
  hook: WebhookRow,
  page: PageName,
  events: readonly FeedRow[],
): Promise<boolean> {
  const now = deps.clock.now();
  const blockedUntilMs = await checkCircuit(deps, hook, now);
  if (blockedUntilMs !== undefined) {
    await markBehind(deps, hook, page, blockedUntilMs);
    return true;
  }
  const { outcome } = await sendMissing(deps, bulkhead, hook, events);
  if (outcome === 'down') await markBehind(deps, hook, page, openUntilMs(hook.failures + 1, now));
  if (outcome === 'done') await wakeIfBehind(deps, hook);
  return outcome !== 'stuck';
}

/**
 * `done` and `failing`: every event has a row, and some or none were delivered. `known`: every event
 * already had one. `down`: the request that tests whether the endpoint is back has failed. `stuck`:
 * the endpoint has too many requests in flight.
 */
export type SendOutcome = 'done' | 'failing' | 'known' | 'down' | 'stuck' | 'disabled';

export interface SendResult {
  outcome: SendOutcome;
  attempted: number;
  failed: number;
}

/** Sends the events that have no row yet, concurrently. An endpoint on probation gets one first. */
export async function sendMissing(
  deps: Deps,
  bulkhead: EndpointBulkhead,
  hook: WebhookRow,
  events: readonly FeedRow[],
): Promise<SendResult> {
  const missing = await findMissing(deps, hook, events);
  if (missing.length === 0) return { outcome: 'known', attempted: 0, failed: 0 };
  if (!isOnProbation(hook)) return sendConcurrently(deps, bulkhead, hook, missing);
  const probe = await sendConcurrently(deps, bulkhead, hook, missing.slice(0, 1));
  const others = missing.slice(1);
  if (probe.outcome !== 'done' || others.length === 0) return probe;
  return sendConcurrently(deps, bulkhead, { ...hook, failures: 0, lastDeliveryMs: deps.clock.now() }, others);
}

/** The events that were never sent to the endpoint. */
export async function findMissing(deps: Deps, hook: WebhookRow, events: readonly FeedRow[]): Promise<FeedRow[]> {
  const rows = await deliveryRows(deps.store).findExisting(events.map((event) => deliveryKey(hook.id, event)));
  return events.filter((event) => !rows.has(deliveryKey(hook.id, event).id));
}

async function sendConcurrently(
  deps: Deps,
  bulkhead: EndpointBulkhead,
  hook: WebhookRow,
  events: readonly FeedRow[],
): Promise<SendResult> {
  const outcomes = await awaitAll(events.map((event) => tryEvent(deps, bulkhead, hook, event)));
  const failed = outcomes.filter((each) => each === 'failed' || each === 'down').length;
  const result = { attempted: events.length, failed };
  webhookRows(deps.store).noteFailedAttempts(hook.id, failed);
  const hasArrived = outcomes.includes('delivered');
  if (outcomes.includes('disabled')) return { ...result, outcome: 'disabled' };
  if (hasArrived) await countSuccess(deps, hook);
  else if (outcomes.some((each) => each !== 'stuck')) await countFailure(deps, hook);
  if (outcomes.includes('down')) return { ...result, outcome: 'down' };
  if (outcomes.includes('stuck')) return { ...result, outcome: 'stuck' };
  return { ...result, outcome: hasArrived ? 'done' : 'failing' };
}

async function tryEvent(deps: Deps, bulkhead: EndpointBulkhead, hook: WebhookRow, event: FeedRow) {
  const row = newDelivery(deps, hook, event);
  const outcome = await attemptInBulkhead(deps, bulkhead, hook, { id: row.eventId, body: row.body });
  if (!outcome) return 'stuck';
  if (isFailedProbe(deps, hook, outcome)) return 'down';
  return recordAttempt(deps, row, hook, outcome);
}

/** An endpoint that is still down costs no row: the event is sent when the endpoint is back. */
const isFailedProbe = ({ clock }: Deps, hook: WebhookRow, { verdict }: AttemptOutcome): boolean =>
  isOnProbation(hook) && verdict === 'failed' && !hasFailedForLong(hook, clock.now());

export function newDelivery({ clock }: Deps, hook: WebhookRow, event: FeedRow): DeliveryDraft {
  return {
    ...deliveryKey(hook.id, event),
    account: hook.account,
    env: hook.env,
    eventId: event.id,
    eventType: event.type,
    body: JSON.stringify(presentEvent(event)),
    status: 'pending',
    createdMs: clock.now(),
    attempts: [],
    tries: 0,
    isNew: true,
  };
}
