// Which events are sent to an endpoint as they happen.
import type { EventRow } from '../events/event-row.ts';
import type { CountDeliveries } from '../events/number-events.ts';
import { isInGap } from './feed-gaps.ts';
import { listEndpoints } from './list-endpoints.ts';
import type { WebhookRow } from './webhook-rows.ts';

/**
 * The clocks of the function that registers an endpoint and the one that writes an event may
 * differ.
 */
const clockSlackMs = 1_000;

/**
 * Whether an event is for an endpoint: of a subscribed type, and not from before the endpoint was
 * registered. An endpoint is not sent events about its own failures, which would only be more
 * failing deliveries.
 */
export const isSubscribed = (
  hook: Pick<WebhookRow, 'id' | 'events' | 'createdMs'>,
  event: Pick<EventRow, 'type' | 'atMs' | 'more'>,
): boolean =>
  (hook.events.includes('*') || hook.events.includes(event.type)) &&
  hook.id !== event.more?.webhook_id &&
  event.atMs >= hook.createdMs - clockSlackMs;

/** An endpoint that is behind gets the page when it catches up (`catch-up.ts`). */
export const isBehind = ({ gaps }: Pick<WebhookRow, 'gaps'>, page: number): boolean =>
  gaps !== undefined && isInGap(gaps, page);

/**
 * Nothing is sent to a paused or disabled endpoint; it can request what it missed
 * (`recover-deliveries.ts`).
 */
export const shouldDeliver = (hook: WebhookRow, event: EventRow, page: number): boolean =>
  hook.status === 'active' && !isBehind(hook, page) && isSubscribed(hook, event);

export const countDeliveries: CountDeliveries = async (deps, feed, events, first) => {
  const counts = { now: 0, later: 0 };
  for (const hook of await listEndpoints(deps, feed)) {
    if (hook.status !== 'active') continue;
    const count = events.filter((event) => isSubscribed(hook, event)).length;
    counts[isBehind(hook, first) ? 'later' : 'now'] += count;
  }
  return counts;
};
