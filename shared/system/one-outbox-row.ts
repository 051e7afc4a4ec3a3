// The events of a commit are one row, in the order they were added by its parts: numbering a row costs as much as
// numbering a list, and the events of one change stay together.
import type { Item, Put, Write } from '../platform/ports.ts';

type Announcing = Put & { item: { feed: string; events: Item[] } };

const announces = (write: Write): write is Announcing =>
  write.kind === 'put' && typeof write.item['feed'] === 'string' && Array.isArray(write.item['events']);

export function withOneOutboxRow(writes: Write[]): Write[] {
  const firstOf = new Map<string, Announcing>();
  const joined: Write[] = [];
  for (const write of writes) {
    const first = announces(write) ? firstOf.get(write.item.feed) : undefined;
    if (first && announces(write)) first.item.events.push(...write.item.events);
    else if (announces(write)) {
      const own = { ...write, item: { ...write.item, events: [...write.item.events] } };
      firstOf.set(own.item.feed, own);
      joined.push(own);
    } else joined.push(write);
  }
  return joined;
}
