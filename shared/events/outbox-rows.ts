// The outbox: the events of a commit are one row among its writes, which is due until the feed's
// writer has numbered them.
import * as z from 'zod';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Key, Write } from '../platform/ports.ts';
import { keys } from '../system/keys.ts';
import { addUploadCounts } from '../system/merge-outbox-writes.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import type { NewEvent } from './event.ts';
import { EventRow, toEventItem, toNewEventItem } from './event-row.ts';
import type { FeedName } from './feed-rows.ts';

const OutboxItem = z.object({
  pk: z.string(),
  sk: z.string(),
  feed: z.string(),
  events: z.array(EventRow).min(1),
  uploads: z.number().default(0),
  records: z.number().default(0),
  quarantinedUntilMs: z.number().optional(),
});

/** The uploads that a commit ingested, and their records. The feed's writer adds them up. */
export interface UploadCounts {
  uploads: number;
  records: number;
}
export interface OutboxRow extends UploadCounts {
  key: Key;
  feed: string;
  events: EventRow[];
  /** Until then the row is not numbered, because its events could not be. */
  quarantinedUntilMs?: number | undefined;
}
const toOutboxRow = ({ pk, sk, ...row }: z.infer<typeof OutboxItem>): OutboxRow => ({ key: { pk, sk }, ...row });

const quarantineMs = 3_600_000;

/** The queue's message group: `account#env`. */
export const formatFeedGroup = ({ account, env }: FeedName): string => `${account}#${env}`;

/**
 * The attributes that make a row an outbox row. All events of a commit belong to one environment.
 * The stream delivers every row that has `feed`.
 */
const toOutboxAttributes = (event: NewEvent): { feed: string; events: Item[] } => ({
  feed: formatFeedGroup(event),
  events: [toNewEventItem(event)],
});

/** Fails if the row's events have been numbered since it was read. */
const buildRemove = (key: Key): Write => ({ kind: 'delete', key, condition: 'attribute_exists(#feed)' });

export const outboxRows = repository(({ table }) => {
  return {
    /**
     * One of the writes of the change. With an owner, the row is stored in that user's partition,
     * and erasure publishes it before `user.deleted`.
     */
    buildAppend(owner: string | undefined, event: NewEvent, counts?: UploadCounts): Write {
      const { feed, events } = toOutboxAttributes(event);
      const indexKeys = pendingIndexKeys('feed', `${feed}#${event.id}`, event.atMs);
      return {
        kind: 'put',
        item: { ...keys.outbox(event.id, owner), feed, events, ...counts, ...indexKeys },
        condition: 'attribute_not_exists(#pk)',
      };
    },

    buildRemove,

    /** The sweep finds the row again, an hour later. Returns false if its events have been numbered. */
    async quarantine(feed: FeedName, key: Key, nowMs: number): Promise<boolean> {
      const untilMs = nowMs + quarantineMs;
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key,
        update: 'SET #quarantinedUntilMs = :untilMs, #duePk = :duePk, #dueSk = :dueSk',
        condition: 'attribute_exists(#feed)',
        values: { untilMs, ...pendingIndexKeys('feed', `${formatFeedGroup(feed)}#${key.sk}`, untilMs) },
      });
      return applied;
    },

    /** Lists those of the rows, in their order, that have not been numbered. */
    async listLeft(rows: readonly Key[]): Promise<Key[]> {
      const items = await table.batchGet([...rows], { consistent: true });
      const left = new Set(items.map(({ pk, sk }) => `${pk} ${sk}`));
      return rows.filter(({ pk, sk }) => left.has(`${pk} ${sk}`));
    },

    /** Lists the user's oldest outbox rows whose events are not numbered yet. */
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
     * Merges several rows into one, inside or outside the user's partition. Fails if one of them
     * has been numbered in the meantime. The merged row gets a new key: the feed's writer may
     * already have read one of the old rows, and would then delete the merged row with events that
     * it never numbered.
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
          ...addUploadCounts(rows.map(({ uploads, records }) => ({ uploads, records }))),
          ...pendingIndexKeys('feed', `${first.feed}#${event.id}`, event.atMs),
        },
        condition: 'attribute_not_exists(#pk)',
      };
      return [merged, ...rows.map(({ key }) => buildRemove(key))];
    },
  };
});

/** Returns the outbox rows of this feed, and the keys of those that cannot be parsed. */
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
