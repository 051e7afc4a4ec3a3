// An endpoint whose circuit was open is behind its feed: nothing was written for it meanwhile. When it is back it is sent
// what it missed from the feed's own pages, in order, and then goes on with everybody else.

import { feedRows } from '../events/feed-rows.ts';
import { inPieces } from '../platform/in-pieces.ts';
import type { Deps } from '../system/deps.ts';
import { messageGraceMs } from '../system/due.ts';
import type { Job } from '../system/jobs.ts';
import { conditionalCommit } from '../system/store.ts';
import { isOnProbation, openUntilMs, wakeCatchUp } from './circuit-breaker.ts';
import type { EndpointBulkhead } from './endpoint-bulkhead.ts';
import { type Sent, sendMissing } from './first-attempts.ts';
import { subscribes } from './wanted.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

/** No further events are begun after it: a run has half a minute. */
const maxMs = 10_000;
/** Longer than a run lives: nobody else catches up for the endpoint meanwhile. */
const turnMs = 60_000;
const pagesARead = 10;
const eventsAtOnce = 10;
const stuckMs = 20_000;
/** A page that is missing for longer is gone; within that time it may only not be visible yet. */
const visibleAfterMs = 60_000;

type CatchUpJob = Extract<Job<'deliver'>, { catch_up: true }>;
type Behind = WebhookRow & { behindFrom: number };

export async function catchUp(deps: Deps, bulkhead: EndpointBulkhead, job: CatchUpJob): Promise<void> {
  const { store, clock } = deps;
  const hook = await webhookRows(store).byId(job.account_id, job.env, job.webhook_id);
  const now = clock.now();
  if (!isToCatchUp(hook) || hook.openUntilMs > now) return;
  if (!(await webhookRows(store).takeTurn(hook, now, now + turnMs, isOnProbation(hook)))) return;
  const { sent, next, failures } = await sendFrom(deps, bulkhead, hook, now + maxMs);
  if (sent === 'disabled' || (sent === 'done' && (await isThrough(deps, hook, next)))) return;
  const isOpen = sent === 'down' || sent === 'failing';
  // The failure that opened the circuit has ended the turn, and said when the endpoint is looked at again.
  if (isOpen && next === hook.behindFrom) return;
  const pauseMs = sent === 'stuck' ? stuckMs : 0;
  const againMs = isOpen ? openUntilMs(failures, clock.now()) : clock.now() + pauseMs;
  const isMoved = await webhookRows(store).moveOn(hook, next, isOpen ? againMs : 0, againMs + messageGraceMs);
  if (!isMoved) await webhookRows(store).endTurn(hook);
  if (!isOpen) await wakeCatchUp(deps, hook, pauseMs);
}

const isToCatchUp = (hook: WebhookRow | undefined): hook is Behind =>
  hook?.status === 'active' && hook.behindFrom !== undefined;

/** Sends page after page; `next` is the first that was not dealt with. It stops when the circuit opens again. */
async function sendFrom(
  deps: Deps,
  bulkhead: EndpointBulkhead,
  hook: Behind,
  untilMs: number,
): Promise<{ sent: Sent; next: number; failures: number }> {
  let next = hook.behindFrom;
  let failures = hook.failures;
  while (deps.clock.now() < untilMs) {
    const { pages } = await feedRows(deps.store).from(hook, next, pagesARead);
    if (pages.length === 0) break;
    for (const page of pages) {
      const isMissingOne = page.first !== next && deps.clock.now() - page.publishedMs < visibleAfterMs;
      if (isMissingOne || deps.clock.now() >= untilMs) return { sent: 'done', next, failures };
      const wanted = page.events.filter((event) => subscribes(hook, event));
      for (const events of inPieces(wanted, eventsAtOnce)) {
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
 * Whether it has seen the whole feed. Who numbers the next page either knows already that the endpoint is not behind any
 * more, or is refused over the turn: no page comes between.
 */
async function isThrough({ store }: Deps, hook: Behind, next: number): Promise<boolean> {
  return conditionalCommit(store, [webhookRows(store).catchingUp(hook), feedRows(store).turning(hook, next)]);
}
