// Resends what an endpoint has missed since a time: deliveries that were given up, and events that
// it was never sent because it was paused or disabled. The latter have no row and are found in the
// feed's pages.

import { type EventPage, type FeedName, feedRows } from '../events/feed-rows.ts';
import { findFirstPageSince } from '../events/find-first-page-since.ts';
import { awaitAll } from '../platform/await-all.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { messageGraceMs } from '../system/pending-kinds.ts';
import { assertWebhookActive } from './deliveries.ts';
import { deliveryKey, deliveryRetentionMs, deliveryRows } from './delivery-rows.ts';
import { getAuthorizedWebhook } from './endpoints.ts';
import { isBehind, isSubscribed } from './event-routing.ts';
import { wakeDeliveries } from './fan-out.ts';
import { newDelivery } from './first-attempts.ts';
import { readReadablePages } from './read-gap.ts';
import { saveDelivery } from './record-attempt.ts';
import type { Recovery } from './webhook.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

const maxRecovered = 1000;
const pagesPerRead = 100;
/** One call reads at most this many times; the next call continues there. */
const maxReads = 20;
/** The clocks of the function that creates an event and the one that numbers it may differ. */
const clockSlackMs = 60_000;
const writtenByNewerRelease =
  'The next events were written by a newer release of the service, which is not running at the moment. Try again later.';
const retryAfterSeconds = 300;

export async function recoverDeliveries(
  deps: Deps,
  caller: Caller,
  webhookId: string,
  since: string,
): Promise<Recovery> {
  const hook = await getAuthorizedWebhook(deps, caller, webhookId);
  assertWebhookActive(hook.status);
  const sinceMs = Math.max(Date.parse(since), deps.clock.now() - deliveryRetentionMs, hook.createdMs);
  let first =
    hook.recovery?.since === since
      ? hook.recovery.first
      : await findFirstPage(deps, hook, Math.max(0, sinceMs - clockSlackMs));
  const start = first;
  let recovered = 0;
  for (let reads = 1; first !== undefined; reads += 1) {
    const { pages, end, next } = await readReadablePages(deps, hook, first, pagesPerRead);
    for (const page of pages) {
      if (!page.events) {
        if (page.first !== start) return saveProgress(deps, hook, { since, first: page.first }, recovered);
        throw new Failure('unavailable', writtenByNewerRelease, { retryAfterSeconds });
      }
      const { sent, isComplete } = await resendPage(deps, hook, page, { sinceMs, limit: maxRecovered - recovered });
      recovered += sent;
      first = isComplete ? page.next : page.first;
      if (!isComplete) return saveProgress(deps, hook, { since, first }, recovered);
    }
    if (end) break;
    first = Math.max(first, next);
    if (reads === maxReads) return saveProgress(deps, hook, { since, first }, recovered);
  }
  if (hook.recovery) await webhookRows(deps.store).recordRecovery(hook, undefined);
  return { recovered, more: false };
}

async function findFirstPage(deps: Deps, feed: FeedName, sinceMs: number): Promise<number | undefined> {
  const end = await feedRows(deps.store).readEnd(feed);
  return (await findFirstPageSince(deps, feed, sinceMs, end))?.first;
}

async function saveProgress(deps: Deps, hook: WebhookRow, at: { since: string; first: number }, recovered: number) {
  await webhookRows(deps.store).recordRecovery(hook, at);
  return { recovered, more: true };
}

/**
 * Skips events that will be sent anyway: those of a page that is still due, unless it was fanned
 * out before the endpoint was active, and those of pages that the endpoint is still behind on.
 */
async function resendPage(
  deps: Deps,
  hook: WebhookRow,
  page: EventPage,
  { sinceMs, limit }: { sinceMs: number; limit: number },
): Promise<{ sent: number; isComplete: boolean }> {
  const events = page.events.filter((event) => event.atMs >= sinceMs && isSubscribed(hook, event));
  const rows = await deliveryRows(deps.store).findExisting(events.map((event) => deliveryKey(hook.id, event)));
  const willBeSent = (page.isPending && hook.statusMs < page.publishedMs) || isBehind(hook, page.first);
  const undelivered = events.flatMap((event) => {
    const row = rows.get(deliveryKey(hook.id, event).id);
    return (row ? row.status !== 'pending' && row.status !== 'delivered' : !willBeSent) ? [{ event, row }] : [];
  });
  const now = deps.clock.now();
  const due = { atMs: now, sweepMs: now + messageGraceMs };
  const revived = await awaitAll(
    undelivered.slice(0, limit).map(async ({ event, row }) => {
      if (row) return deliveryRows(deps.store).restart(row, due.atMs, due.sweepMs);
      const fresh = newDelivery(deps, hook, event);
      return (await saveDelivery(deps, fresh, { status: 'pending', tries: 0, attempts: [], due })) ? fresh : undefined;
    }),
  );
  const enqueued = revived.filter((row) => row !== undefined);
  await wakeDeliveries(deps, enqueued);
  return { sent: enqueued.length, isComplete: undelivered.length <= limit };
}
