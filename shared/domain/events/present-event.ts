// An event as it is told everywhere: in the feed, on the bus and to webhooks.
import type { FeedEvent } from '../../model/feed-event.ts';
import { timestamp } from '../../model/time.ts';
import type { EventRow } from '../../store/event-row.ts';

export const presentEvent = (row: EventRow): FeedEvent => ({
  event_id: row.id,
  event_type: row.type,
  metrics: row.metrics ?? [],
  user_id: row.user ?? null,
  device_id: row.device ?? null,
  timestamp: timestamp(row.atMs),
  ...row.more,
});
