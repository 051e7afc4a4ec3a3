// Merges the events of a commit into one row, in the order in which they were added. Numbering a
// row costs as much as numbering one event, and the events of a change stay together. What the row
// says about uploads is added up.
import type { Item, Put, Write } from '../platform/ports.ts';

type OutboxPut = Put & { item: { feed: string; events: Item[] } };

const isOutboxPut = (write: Write): write is OutboxPut =>
  write.kind === 'put' && typeof write.item['feed'] === 'string' && Array.isArray(write.item['events']);

const countNames = ['uploads', 'records'] as const;

const readCount = (item: Item, name: string): number => (typeof item[name] === 'number' ? item[name] : 0);

/** The counts of a merged row; a row that counts nothing has none, and is no larger for it. */
export function addUploadCounts(items: readonly Item[]): Item {
  const sums = countNames.map((name) => [name, items.reduce((sum, item) => sum + readCount(item, name), 0)] as const);
  return Object.fromEntries(sums.filter(([, sum]) => sum > 0));
}

export function mergeOutboxWrites(writes: Write[]): Write[] {
  const firstByFeed = new Map<string, OutboxPut>();
  const merged: Write[] = [];
  for (const write of writes) {
    const first = isOutboxPut(write) ? firstByFeed.get(write.item.feed) : undefined;
    if (first && isOutboxPut(write)) {
      first.item.events.push(...write.item.events);
      Object.assign(first.item, addUploadCounts([first.item, write.item]));
    } else if (isOutboxPut(write)) {
      const copy = { ...write, item: { ...write.item, events: [...write.item.events] } };
      firstByFeed.set(copy.item.feed, copy);
      merged.push(copy);
    } else merged.push(write);
  }
  return merged;
}
