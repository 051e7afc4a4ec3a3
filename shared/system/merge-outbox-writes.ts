// Merges the events of a commit into one row, in the order in which they were added. Numbering a
// row costs as much as numbering one event, and the events of a change stay together.
import type { Item, Put, Write } from '../platform/ports.ts';

type OutboxPut = Put & { item: { feed: string; events: Item[] } };

const isOutboxPut = (write: Write): write is OutboxPut =>
  write.kind === 'put' && typeof write.item['feed'] === 'string' && Array.isArray(write.item['events']);

export function mergeOutboxWrites(writes: Write[]): Write[] {
  const firstByFeed = new Map<string, OutboxPut>();
  const merged: Write[] = [];
  for (const write of writes) {
    const first = isOutboxPut(write) ? firstByFeed.get(write.item.feed) : undefined;
    if (first && isOutboxPut(write)) first.item.events.push(...write.item.events);
    else if (isOutboxPut(write)) {
      const copy = { ...write, item: { ...write.item, events: [...write.item.events] } };
      firstByFeed.set(copy.item.feed, copy);
      merged.push(copy);
    } else merged.push(write);
  }
  return merged;
}
