// An event as it is told everywhere: in the feed, on the bus and to webhooks.
import type { FeedEvent } from '../../model/feed-event.ts';
import { timestamp } from '../../model/time.ts';
import type { EventRow } from '../../store/events.ts';

export const presentEvent = (
  row: Pick<EventRow, 'id' | 'type' | 'metrics' | 'user' | 'device' | 'atMs' | 'more'>,
): FeedEvent => ({
  event_id: row.id,
  event_type: row.type,
  metrics: row.metrics ?? [],
  user_id: row.user ?? null,
  device_id: row.device ?? null,
  timestamp: timestamp(row.atMs),
  ...row.more,
});
