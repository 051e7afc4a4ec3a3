// The outbox: what a commit announces is one row among its writes, due until the feed's writer has numbered its events.
import * as z from 'zod';
import type { Item, Key, Write } from '../engine/ports.ts';
import type { NewEvent } from '../model/event.ts';
import { due } from './due.ts';
import { EventRow, eventItem } from './event-row.ts';
import type { FeedName } from './feed.ts';
import { keys } from './keys.ts';
import { repository } from './store.ts';

const OutboxRow = z.object({ pk: z.string(), sk: z.string(), feed: z.string(), events: z.array(EventRow).min(1) });
export interface OutboxRow {
  key: Key;
  events: EventRow[];
}

/** As a queue groups its messages: `account#env`. */
export const feedGroup = ({ account, env }: FeedName): string => `${account}#${env}`;

/**
 * What makes any row an outbox row, so that a finished command can become one in its own commit. Events of one commit
 * are of one environment. The stream hands on every row that has `feed`.
 */
export function announcing(events: readonly [NewEvent, ...NewEvent[]]): { feed: string; events: Item[] } {
  return { feed: feedGroup(events[0]), events: events.map(eventItem) };
}

export const outboxRows = repository(({ table }) => {
  return {
    /** Among the writes of the change. With an owner it stands in that person's partition, and erasure waits for it. */
    appending(owner: string | undefined, first: NewEvent, ...others: NewEvent[]): Write {
      const { feed, events } = announcing([first, ...others]);
      const place = due('feed', `${feed}#${first.id}`, first.atMs);
      return {
        kind: 'put',
        item: { ...keys.outbox(first.id, owner), feed, events, ...place },
        condition: 'attribute_not_exists(#pk)',
      };
    },

    /** Refused when somebody has numbered its events since it was read. */
    removing: (key: Key): Write => ({ kind: 'delete', key, condition: 'attribute_exists(#feed)' }),

    /** Whether a person has events that are not numbered yet. */
    async isWaiting(user: string): Promise<boolean> {
      const { pk, sk: prefix } = keys.outbox('', user);
      const { items } = await table.query({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk, prefix },
        limit: 1,
        consistent: true,
        only: ['pk'],
      });
      return items.length > 0;
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
    const parsed = OutboxRow.safeParse(item);
    if (parsed.success) rows.push({ key, events: parsed.data.events });
    else unreadable.push(key);
  }
  return { rows, unreadable };
}
