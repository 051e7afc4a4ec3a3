// Renders an event as it appears everywhere: in the feed, on the bus and in webhooks.

import { formatTimestamp } from '../platform/time/time.ts';
import type { EventRow } from './event-row.ts';
import type { FeedEvent } from './feed-event.ts';

export const presentEvent = (row: EventRow): FeedEvent =>
  asFeedEvent({
    event_id: row.id,
    event_type: row.type,
    metrics: row.metrics ?? [],
    user_id: row.user ?? null,
    device_id: row.device ?? null,
    timestamp: formatTimestamp(row.atMs),
    ...row.more,
  });

/**
 * The cast is safe because what publishes an event of a type stores the fields of its schema. Rows
 * do not tell the types apart, because they may have been written by a newer release.
 */
const asFeedEvent = (event: { [field: string]: unknown; event_type: FeedEvent['event_type'] }): FeedEvent =>
  event as FeedEvent;
