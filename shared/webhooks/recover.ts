// Sends again what an endpoint did not get since a time: deliveries that were given up, and events that it was never sent,
// because it was paused or disabled. Those have no row, and are found again in the feed's pages.

import { type EventPage, feedRows } from '../events/feed-rows.ts';
import { firstPageSince } from '../events/first-page.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { messageGraceMs } from '../system/due.ts';
import { mustBeActive } from './deliveries.ts';
import { deliveryOf } from './delivery-id.ts';
import { deliveriesKeptMs, deliveryRows } from './delivery-rows.ts';
import { ownWebhook } from './endpoints.ts';
import { wakeDeliveries } from './fan-out.ts';
import { newDelivery } from './first-attempts.ts';
import { save } from './record-attempt.ts';
import { isBehind, subscribes } from './wanted.ts';
import type { Recovery } from './webhook.ts';
import { type WebhookRow, webhookRows } from './webhook-rows.ts';

const maxRecovered = 1000;
const pagesARead = 100;
/** One call reads no further: the next goes on there. */
const maxReads = 20;
/** Who names an event and who numbers it may have clocks that differ. */
const clockSlackMs = 60_000;

export async function recover(deps: Deps, caller: Caller, webhookId: string, since: string): Promise<Recovery> {
  const hook = await ownWebhook(deps, caller, webhookId);
  mustBeActive(hook.status);
  const sinceMs = Math.max(Date.parse(since), deps.clock.now() - deliveriesKeptMs, hook.createdMs);
  let first =
    hook.recovery?.since === since
      ? hook.recovery.first
      : (await firstPageSince(deps, hook, Math.max(0, sinceMs - clockSlackMs)))?.first;
  let recovered = 0;
  for (let reads = 1; first !== undefined; reads += 1) {
    const { pages, end } = await feedRows(deps.store).from(hook, first, pagesARead);
    for (const page of pages) {
      const { sent, isWhole } = await sendAgain(deps, hook, page, { sinceMs, atMost: maxRecovered - recovered });
      recovered += sent;
      first = isWhole ? page.next : page.first;
      if (!isWhole) return stopAt(deps, hook, { since, first }, recovered);
    }
    if (end) break;
    if (reads === maxReads) return stopAt(deps, hook, { since, first }, recovered);
  }
  if (hook.recovery) await webhookRows(deps.store).noteRecovery(hook, undefined);
  return { recovered, more: false };
}

async function stopAt(deps: Deps, hook: WebhookRow, at: { since: string; first: number }, recovered: number) {
  await webhookRows(deps.store).noteRecovery(hook, at);
  return { recovered, more: true };
}

/**
 * Skips events that will be sent anyway: a page that is still due, unless it was handed out before the
 * endpoint was active, and the pages that an endpoint is still behind on.
 */
async function sendAgain(
  deps: Deps,
  hook: WebhookRow,
  page: EventPage,
  { sinceMs, atMost }: { sinceMs: number; atMost: number },
): Promise<{ sent: number; isWhole: boolean }> {
  const events = page.events.filter((event) => event.atMs >= sinceMs && subscribes(hook, event));
  const rows = await deliveryRows(deps.store).existing(events.map((event) => deliveryOf(hook.id, event)));
  const isComing = (page.isDue && hook.statusMs < page.publishedMs) || isBehind(hook, page.first);
  const lacking = events.flatMap((event) => {
    const row = rows.get(deliveryOf(hook.id, event).id);
    return (row ? row.status !== 'pending' && row.status !== 'delivered' : !isComing) ? [{ event, row }] : [];
  });
  const now = deps.clock.now();
  const due = { atMs: now, sweepMs: now + messageGraceMs };
  const revived = await Promise.all(
    lacking.slice(0, atMost).map(async ({ event, row }) => {
      if (row) return deliveryRows(deps.store).revive(row, due.atMs, due.sweepMs);
      const fresh = newDelivery(deps, hook, event);
      return (await save(deps, fresh, { status: 'pending', tries: 0, attempts: [], due })) ? fresh : undefined;
    }),
  );
  const woken = revived.filter((row) => row !== undefined);
  await wakeDeliveries(deps, woken);
  return { sent: woken.length, isWhole: lacking.length <= atMost };
}
