// The outbox: what a commit announces is one row among its writes, due until the feed's writer has numbered its events.
import * as z from 'zod';
import type { Item, Key, Write } from '../platform/ports.ts';
import { keys } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import type { NewEvent } from './event.ts';
import { EventRow, toEventItem, toNewEventItem } from './event-row.ts';
import type { FeedName } from './feed-rows.ts';

const OutboxItem = z.object({ pk: z.string(), sk: z.string(), feed: z.string(), events: z.array(EventRow).min(1) });
export interface OutboxRow {
  key: Key;
  feed: string;
  events: EventRow[];
}
const toOutboxRow = ({ pk, sk, feed, events }: z.infer<typeof OutboxItem>): OutboxRow => ({
  key: { pk, sk },
  feed,
  events,
});

/** As a queue groups its messages: `account#env`. */
export const formatFeedGroup = ({ account, env }: FeedName): string => `${account}#${env}`;

/**
 * The attributes that make a row an outbox row. Events of one commit are of one environment. The stream hands on every
 * row that has `feed`.
 */
const toOutboxAttributes = (event: NewEvent): { feed: string; events: Item[] } => ({
  feed: formatFeedGroup(event),
  events: [toNewEventItem(event)],
});

/** Refused when somebody has numbered its events since it was read. */
const buildRemove = (key: Key): Write => ({ kind: 'delete', key, condition: 'attribute_exists(#feed)' });

export const outboxRows = repository(({ table }) => {
  return {
    /** Among the writes of the change. With an owner it stands in that person's partition, and erasure sends it out before the receipt. */
    buildAppend(owner: string | undefined, event: NewEvent): Write {
      const { feed, events } = toOutboxAttributes(event);
      const indexKeys = pendingIndexKeys('feed', `${feed}#${event.id}`, event.atMs);
      return {
        kind: 'put',
        item: { ...keys.outbox(event.id, owner), feed, events, ...indexKeys },
        condition: 'attribute_not_exists(#pk)',
      };
    },

    buildRemove,

    /** Some of what a person's commits announce and is not numbered yet, the oldest first. */
    async listByUser(user: string, limit: number): Promise<OutboxRow[]> {
      const { pk, sk: prefix } = keys.outbox('', user);
      const { items } = await table.query({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk, prefix },
        limit: limit,
        consistent: true,
      });
      return items.flatMap((item) => {
        const { data } = OutboxItem.safeParse(item);
        return data ? [toOutboxRow(data)] : [];
      });
    },

    /**
     * Merges several rows into one, in the person's partition or outside of it; refused when one of
     * them was numbered since. The merged row has a new key, because the feed's writer may have read
     * an old row before and would delete it together with events that it never numbered.
     */
    buildMerge(rows: readonly OutboxRow[], indexKeys: 'inside' | 'outside'): Write[] {
      const [first] = rows;
      const [event] = first?.events ?? [];
      if (!first || !event) return [];
      const merged: Write = {
        kind: 'put',
        item: {
          ...(indexKeys === 'outside' ? keys.outbox(event.id, undefined) : keys.mergedOutbox(first.key)),
          feed: first.feed,
          events: rows.flatMap(({ events }) => events.map(toEventItem)),
          ...pendingIndexKeys('feed', `${first.feed}#${event.id}`, event.atMs),
        },
        condition: 'attribute_not_exists(#pk)',
      };
      return [merged, ...rows.map(({ key }) => buildRemove(key))];
    },
  };
});

/** Those of the items that are outbox rows of this feed, and the keys of those that cannot be read. */
export function parseOutboxRows(items: readonly Item[], feed: FeedName): { rows: OutboxRow[]; unreadable: Key[] } {
  const rows: OutboxRow[] = [];
  const unreadable: Key[] = [];
  for (const item of items) {
    if (item['feed'] !== formatFeedGroup(feed)) continue;
    const key = { pk: String(item['pk']), sk: String(item['sk']) };
    const parsed = OutboxItem.safeParse(item);
    if (parsed.success) rows.push(toOutboxRow(parsed.data));
    else unreadable.push(key);
  }
  return { rows, unreadable };
}
