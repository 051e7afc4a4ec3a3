// Publishers over a table of one's own: events to write, a bus that keeps what it is given and can fail, and what the feed holds.
import { randomBytes } from 'node:crypto';
import type { Deps } from '../../shared/domain/deps.ts';
import { type Bus, EngineUnavailable, type Table } from '../../shared/engine/ports.ts';
import type { NewEvent } from '../../shared/model/event.ts';
import { PublishedEvent } from '../../shared/model/feed-event.ts';
import { makeId } from '../../shared/model/ids.ts';
import { eventRows } from '../../shared/store/events.ts';
import { type FeedName, type FeedRow, feedRows } from '../../shared/store/feed.ts';
import { openStore, type Store } from '../../shared/store/store.ts';

export interface RecordingBus extends Bus {
  told: PublishedEvent[];
  /** Answers for each call whether it fails, before or after it has taken the entries. */
  failing: () => 'before' | 'after' | undefined;
}

export function recordingBus(): RecordingBus {
  const told: PublishedEvent[] = [];
  const bus: RecordingBus = {
    told,
    failing: () => undefined,
    async publish(entries) {
      const failure = bus.failing();
      if (failure !== 'before') {
        for (const { type, detail } of entries) {
          const event = PublishedEvent.parse(detail);
          if (type !== event.event.event_type)
            throw new Error(`the bus was told ${type} for ${event.event.event_type}`);
          told.push(event);
        }
      }
      if (failure) throw new EngineUnavailable('the bus is away');
    },
  };
  return bus;
}

export type Outbox = Pick<Deps, 'store' | 'bus' | 'clock' | 'log'> & { bus: RecordingBus; table: Table };

export function openOutbox(table: Table): Outbox {
  const clock = { now: () => Date.now() };
  return { table, store: openStore(table, clock), bus: recordingBus(), clock, log: () => {} };
}

export const freshFeed = (): FeedName => ({ account: makeId('account', Date.now(), randomBytes(10)), env: 'live' });

export const newEvent = (feed: FeedName, more: Partial<NewEvent> = {}): NewEvent => ({
  id: makeId('event', more.atMs ?? Date.now(), randomBytes(10)),
  type: 'user.created',
  account: feed.account,
  env: feed.env,
  userId: makeId('user', Date.now(), randomBytes(10)),
  atMs: Date.now(),
  ...more,
});

export async function writeEvents(store: Store, events: readonly NewEvent[]): Promise<string[]> {
  for (let from = 0; from < events.length; from += 100)
    await store.commit(events.slice(from, from + 100).map((event) => eventRows(store).inserting(event)));
  return events.map(({ id }) => id);
}

export async function wholeFeed(store: Store, feed: FeedName): Promise<FeedRow[]> {
  const rows: FeedRow[] = [];
  for (;;) {
    const page = await feedRows(store).after(feed, rows.at(-1)?.seq ?? 0, 1000);
    rows.push(...page.rows);
    if (page.end) return rows;
  }
}

export const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
