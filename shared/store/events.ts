// The outbox: an event is a row written with the change it tells of, due until it is numbered and every webhook that wants it has its delivery.
import * as z from 'zod';
import type { Item, Write } from '../engine/ports.ts';
import { Environment } from '../model/account.ts';
import { EventDetails, KeptEventType, type NewEvent } from '../model/event.ts';
import { conditionalWrite } from './conditional-write.ts';
import { due } from './due.ts';
import { FeedEnd, type FeedName, feedRowItem } from './feed.ts';
import { keys } from './keys.ts';
import { repository } from './store.ts';

export const EventRow = z.object({
  id: z.string(),
  type: KeptEventType,
  account: z.string(),
  env: Environment,
  atMs: z.number(),
  user: z.string().optional(),
  device: z.string().optional(),
  metrics: z.array(z.string()).optional(),
  more: EventDetails.optional(),
  /** Its place in the feed, once it has one. */
  seq: z.number().optional(),
});
export type EventRow = z.infer<typeof EventRow>;

export interface Unpublished {
  events: EventRow[];
  /** Ids of rows that are not what an event looks like. */
  unreadable: string[];
  /** Where the feeds that were asked for end. */
  ends: { feed: FeedName; end: FeedEnd }[];
}

const longestPauseMs = 3_600_000;

export const eventRows = repository(({ table }) => {
  return {
    inserting: (event: NewEvent): Write => ({
      kind: 'put',
      item: {
        ...keys.event(event.id),
        id: event.id,
        type: event.type,
        account: event.account,
        env: event.env,
        atMs: event.atMs,
        ...(event.userId === undefined ? {} : { user: event.userId }),
        ...(event.deviceId === undefined ? {} : { device: event.deviceId }),
        ...(event.metrics === undefined ? {} : { metrics: event.metrics }),
        ...(event.more === undefined ? {} : { more: stored(event.more) }),
        ...due('publish', event.id, event.atMs),
      },
      condition: 'attribute_not_exists(#pk)',
    }),

    /** Those of the events that are not published yet, in the order asked for, and the ends of some feeds with the same call. */
    async unpublished(ids: readonly string[], feeds: readonly FeedName[]): Promise<Unpublished> {
      const items = await table.batchGet(
        [...ids.map(keys.event), ...feeds.map(({ account, env }) => keys.feedEnd(account, env))],
        { consistent: true },
      );
      const byKey = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
      const at = ({ pk, sk }: { pk: string; sk: string }) => byKey.get(`${pk} ${sk}`);
      const rows = ids.flatMap((id) => {
        const item = at(keys.event(id));
        return item ? [{ id, row: EventRow.safeParse(item).data }] : [];
      });
      return {
        events: rows.flatMap(({ row }) => row ?? []),
        unreadable: rows.flatMap(({ id, row }) => (row ? [] : id)),
        ends: feeds.map((feed) => ({ feed, end: FeedEnd.parse(at(keys.feedEnd(feed.account, feed.env)) ?? {}) })),
      };
    },

    /** Gives each event the next number of its feed: all of them or none, and refused when the feed or an event was changed since it was read. */
    number: (feed: FeedName, end: FeedEnd, events: readonly EventRow[], nowMs: number): Promise<void> => {
      const last = end.seq + events.length;
      // Never earlier than the row before, whoever's clock is slow: age then grows along the feed without exception.
      const publishedMs = Math.max(nowMs, end.publishedMs);
      return table.transact([
        {
          kind: 'update',
          key: keys.feedEnd(feed.account, feed.env),
          update: 'SET #seq = :last, #publishedMs = :published',
          condition: end.seq === 0 ? 'attribute_not_exists(#pk)' : '#seq = :read',
          values: { last, published: publishedMs, ...(end.seq === 0 ? {} : { read: end.seq }) },
        },
        ...events.flatMap((event, index): Write[] => {
          const seq = end.seq + 1 + index;
          return [
            {
              kind: 'put',
              item: feedRowItem(
                feed,
                { ...event, seq, publishedMs, afterMs: index === 0 ? end.publishedMs : publishedMs },
                event.more && stored(event.more),
              ),
              condition: 'attribute_not_exists(#pk)',
            },
            {
              kind: 'update',
              key: keys.event(event.id),
              update: 'SET #seq = :seq',
              condition: 'attribute_exists(#pk) AND attribute_not_exists(#seq)',
              values: { seq },
            },
          ];
        }),
      ]);
    },

    /** It was published once more, and is looked at again later the older it is: what cannot be taken is not told every minute. */
    async postpone(event: EventRow, nowMs: number): Promise<void> {
      const afterMs = Math.min(nowMs - event.atMs, longestPauseMs);
      await conditionalWrite(table, {
        kind: 'update',
        key: keys.event(event.id),
        update: 'SET #duePk = :duePk, #dueSk = :dueSk',
        condition: 'attribute_exists(#pk)',
        values: { ...due('publish', event.id, nowMs + Math.max(0, afterMs)) },
      });
    },
    /** Everybody who is to be told is on the list: the feed keeps what is told of it. */
    async forget(event: string): Promise<void> {
      await table.write({ kind: 'delete', key: keys.event(event) });
    },
  };
});

function stored(more: EventDetails): Item {
  return Object.fromEntries(
    Object.entries(more).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
