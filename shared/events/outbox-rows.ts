// The outbox: what a commit announces is one row among its writes, due until the feed's writer has numbered its events.
import * as z from 'zod';
import type { Item, Key, Write } from '../platform/ports.ts';
import { due } from '../system/due.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';
import type { NewEvent } from './event.ts';
import { EventRow, eventItem, newEventItem } from './event-row.ts';
import type { FeedName } from './feed-rows.ts';

const OutboxItem = z.object({ pk: z.string(), sk: z.string(), feed: z.string(), events: z.array(EventRow).min(1) });
export interface OutboxRow {
  key: Key;
  feed: string;
  events: EventRow[];
}
const outboxRow = ({ pk, sk, feed, events }: z.infer<typeof OutboxItem>): OutboxRow => ({
  key: { pk, sk },
  feed,
  events,
});

/** As a queue groups its messages: `account#env`. */
export const feedGroup = ({ account, env }: FeedName): string => `${account}#${env}`;

/**
 * The attributes that make a row an outbox row. Events of one commit are of one environment. The stream hands on every
 * row that has `feed`.
 */
const announcing = (event: NewEvent): { feed: string; events: Item[] } => ({
  feed: feedGroup(event),
  events: [newEventItem(event)],
});

/** Refused when somebody has numbered its events since it was read. */
const removing = (key: Key): Write => ({ kind: 'delete', key, condition: 'attribute_exists(#feed)' });

export const outboxRows = repository(({ table }) => {
  return {
    /** Among the writes of the change. With an owner it stands in that person's partition, and erasure sends it out before the receipt. */
    appending(owner: string | undefined, event: NewEvent): Write {
      const { feed, events } = announcing(event);
      const place = due('feed', `${feed}#${event.id}`, event.atMs);
      return {
        kind: 'put',
        item: { ...keys.outbox(event.id, owner), feed, events, ...place },
        condition: 'attribute_not_exists(#pk)',
      };
    },

    removing,

    /** Some of what a person's commits announce and is not numbered yet, the oldest first. */
    async ofPerson(user: string, atMost: number): Promise<OutboxRow[]> {
      const { pk, sk: prefix } = keys.outbox('', user);
      const { items } = await table.query({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk, prefix },
        limit: atMost,
        consistent: true,
      });
      return items.flatMap((item) => {
        const { data } = OutboxItem.safeParse(item);
        return data ? [outboxRow(data)] : [];
      });
    },

    /**
     * Merges several rows into one, in the person's partition or outside of it; refused when one of
     * them was numbered since. The merged row has a new key, because the feed's writer may have read
     * an old row before and would delete it together with events that it never numbered.
     */
    joining(rows: readonly OutboxRow[], place: 'inside' | 'outside'): Write[] {
      const [first] = rows;
      const [event] = first?.events ?? [];
      if (!first || !event) return [];
      const joined: Write = {
        kind: 'put',
        item: {
          ...(place === 'outside' ? keys.outbox(event.id, undefined) : keys.joinedOutbox(first.key)),
          feed: first.feed,
          events: rows.flatMap(({ events }) => events.map(eventItem)),
          ...due('feed', `${first.feed}#${event.id}`, event.atMs),
        },
        condition: 'attribute_not_exists(#pk)',
      };
      return [joined, ...rows.map(({ key }) => removing(key))];
    },
  };
});

/** Those of the items that are outbox rows of this feed, and the keys of those that cannot be read. */
export function outboxIn(items: readonly Item[], feed: FeedName): { rows: OutboxRow[]; unreadable: Key[] } {
  const rows: OutboxRow[] = [];
  const unreadable: Key[] = [];
  for (const item of items) {
    if (item['feed'] !== feedGroup(feed)) continue;
    const key = { pk: String(item['pk']), sk: String(item['sk']) };
    const parsed = OutboxItem.safeParse(item);
    if (parsed.success) rows.push(outboxRow(parsed.data));
    else unreadable.push(key);
  }
  return { rows, unreadable };
}
