// An endpoint whose circuit was open is behind its feed: no deliveries were written for it. When it
// responds again, it is sent what it missed from the feed's pages, in order, and then gets new
// events like every other endpoint.

import { feedRows } from '../events/feed-rows.ts';
import { chunkArray } from '../platform/chunk-array.ts';
import type { Deps } from '../system/deps.ts';
import type { Job } from '../system/jobs.ts';
import { messageGraceMs } from '../system/pending-kinds.ts';
import { commitConditionally } from '../system/store.ts';
import { isOnProbation, openUntilMs, wakeCatchUp } from './circuit-breaker.ts';
import type { EndpointBulkhead } from './endpoint-bulkhead.ts';
import { isSubscribed } from './event-routing.ts';
import { type SendOutcome, sendMissing } from './first-attempts.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/** No further events are started after this time; a run has half a minute. */
const maxRunMs = 10_000;
/** Longer than a run, so that no other worker catches up for the endpoint in the meantime. */
const leaseMs = 60_000;
const pagesPerRead = 10;
const eventsPerBatch = 10;
const stuckRetryMs = 20_000;
/**
 * A page that has been missing for longer has expired; within this time, it may only not be visible
 * yet.
 */
const visibleAfterMs = 60_000;

type CatchUpJob = Extract<Job<'deliver'>, { catch_up: true }>;
type BehindWebhook = WebhookRow & { behindFrom: number };

export async function catchUp(deps: Deps, bulkhead: EndpointBulkhead, job: CatchUpJob): Promise<void> {
  const { store, clock } = deps;
  const hook = await webhookRows(store).findById(job.account_id, job.env, job.webhook_id);
  const now = clock.now();
  if (!needsCatchUp(hook) || hook.openUntilMs > now) return;
  if (!(await webhookRows(store).acquireTurn(hook, now, now + leaseMs, isOnProbation(hook)))) return;
  const { sent, next, failures } = await sendPagesFrom(deps, bulkhead, hook, now + maxRunMs);
  if (sent === 'disabled' || (sent === 'done' && (await finishCatchUp(deps, hook, next)))) return;
  const isOpen = sent === 'down' || sent === 'failing';
  // The failure that opened the circuit has ended the turn and set when the endpoint is checked
  // again.
  if (isOpen && next === hook.behindFrom) return;
  const pauseMs = sent === 'stuck' ? stuckRetryMs : 0;
  const againMs = isOpen ? openUntilMs(failures, clock.now()) : clock.now() + pauseMs;
  const isAdvanced = await webhookRows(store).advance(hook, next, isOpen ? againMs : 0, againMs + messageGraceMs);
  if (!isAdvanced) await webhookRows(store).endTurn(hook);
  if (!isOpen) await wakeCatchUp(deps, hook, pauseMs);
}

const needsCatchUp = (hook: WebhookRow | undefined): hook is BehindWebhook =>
  hook?.status === 'active' && hook.behindFrom !== undefined;

/**
 * Sends page after page; `next` is the first page that was not finished. Stops when the circuit
 * opens again.
 */
async function sendPagesFrom(
  deps: Deps,
  bulkhead: EndpointBulkhead,
  hook: BehindWebhook,
  untilMs: number,
): Promise<{ sent: SendOutcome; next: number; failures: number }> {
  let next = hook.behindFrom;
  let failures = hook.failures;
  while (deps.clock.now() < untilMs) {
    const { pages } = await feedRows(deps.store).readFrom(hook, next, pagesPerRead);
    if (pages.length === 0) break;
    for (const page of pages) {
      const isMissingOne = page.first !== next && deps.clock.now() - page.publishedMs < visibleAfterMs;
      if (isMissingOne || deps.clock.now() >= untilMs) return { sent: 'done', next, failures };
      const subscribedEvents = page.events.filter((event) => isSubscribed(hook, event));
      for (const events of chunkArray(subscribedEvents, eventsPerBatch)) {
        const sent = await sendMissing(deps, bulkhead, { ...hook, failures }, events);
        failures = sent === 'done' ? 0 : failures + 1;
        const isStopped = sent === 'failing' ? isOnProbation({ failures }) : sent !== 'done';
        if (isStopped) return { sent, next, failures };
      }
      next = page.next;
    }
  }
  return { sent: 'done', next, failures };
}

/**
 * Whether the endpoint has seen the whole feed. A run that numbers the next page either already
 * knows that the endpoint is no longer behind, or fails because of the count, so no page is missed
 * in between.
 */
async function finishCatchUp({ store }: Deps, hook: BehindWebhook, next: number): Promise<boolean> {
  return commitConditionally(store, [
    webhookRows(store).buildCaughtUp(hook),
    feedRows(store).buildCountCatchUp(hook, next),
  ]);
}
