// The feed writer on its own table: events to write, an event bus that records its entries and can
// fail, and reads of the feed.
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { feedWorker } from '../../functions/workers/feed.ts';
import { feedPageType, type NewEvent } from '../../shared/events/event.ts';
import { unpackEvents } from '../../shared/events/event-page.ts';
import { EventRow } from '../../shared/events/event-row.ts';
import { type FeedName, type FeedRow, feedRows } from '../../shared/events/feed-rows.ts';
import { formatFeedGroup, outboxRows } from '../../shared/events/outbox-rows.ts';
import { type Bus, EngineUnavailable, type Item, type Key, type Table } from '../../shared/platform/ports.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { makeId } from '../../shared/system/ids.ts';
import { FeedPageJob, type Job } from '../../shared/system/jobs.ts';
import { buildFeedJobs, pendingKinds } from '../../shared/system/pending-kinds.ts';
import { pendingWorkRows } from '../../shared/system/pending-work-rows.ts';
import { openStore, type Store } from '../../shared/system/store.ts';

export interface RecordingBus extends Bus {
  /** The published pages. */
  pages: FeedPageJob[];
  /** Decides for each call whether it fails, before or after it accepts the entries. */
  nextFailure: () => 'before' | 'after' | undefined;
}

export function recordingBus(): RecordingBus {
  const pages: FeedPageJob[] = [];
  const bus: RecordingBus = {
    pages,
    nextFailure: () => undefined,
    async publish(entries) {
      const failure = bus.nextFailure();
      if (failure !== 'before')
        for (const { type, detail } of entries) {
          if (type !== feedPageType) throw new Error(`the event bus received ${type}`);
          pages.push(FeedPageJob.parse(detail));
        }
      if (failure) throw new EngineUnavailable('the event bus is unavailable');
    },
  };
  return bus;
}

export type Outbox = Pick<Deps, 'store' | 'queue' | 'bus' | 'clock' | 'log'> & { bus: RecordingBus; table: Table };

export function openOutbox(table: Table): Outbox {
  const clock = { now: () => Date.now() };
  const queue = { send: async () => {}, sendAll: async () => {}, postpone: async () => {} };
  return { table, store: openStore(table, clock), queue, bus: recordingBus(), clock, log: () => {} };
}

export const newFeedName = (): FeedName => ({ account: makeId('account', Date.now(), randomBytes(10)), env: 'live' });

export const newEvent = (feed: FeedName, more: Partial<NewEvent> = {}): NewEvent => ({
  id: makeId('event', more.atMs ?? Date.now(), randomBytes(10)),
  type: 'user.created',
  account: feed.account,
  env: feed.env,
  userId: makeId('user', Date.now(), randomBytes(10)),
  atMs: Date.now(),
  ...more,
});

/** Writes each event as a separate commit. Returns the keys of the rows. */
export async function writeEvents(store: Store, events: readonly NewEvent[]): Promise<Key[]> {
  const writes = events.map((event) => outboxRows(store).buildAppend(event.userId, event));
  for (let from = 0; from < writes.length; from += 100) await store.table.transact(writes.slice(from, from + 100));
  return writes.map((write) => {
    if (write.kind !== 'put') throw new Error('expected the outbox row to be a put');
    return { pk: write.item.pk, sk: write.item.sk };
  });
}

/** The messages that the relay sends for these rows. */
export const feedMessages = (feed: FeedName, rows: readonly Key[]): Job<'feed'>[] =>
  buildFeedJobs(formatFeedGroup(feed), rows);

/** Writes and numbers the events. Returns their ids. */
export async function writeAndNumberEvents(
  deps: Pick<Deps, 'store' | 'queue' | 'bus' | 'clock' | 'log'>,
  feed: FeedName,
  events: readonly NewEvent[],
): Promise<string[]> {
  const rows = await writeEvents(deps.store, events);
  for (const message of feedMessages(feed, rows)) await feedWorker(deps)(message);
  return events.map(({ id }) => id);
}

export async function readAllFeedRows(store: Store, feed: FeedName): Promise<FeedRow[]> {
  const rows: FeedRow[] = [];
  for (;;) {
    const { pages, end } = await feedRows(store).readFrom(feed, (rows.at(-1)?.seq ?? 0) + 1, 50);
    rows.push(...pages.flatMap(({ events }) => events));
    if (end) return rows;
  }
}

export const oneTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

export interface PublishedEvent extends EventRow {
  account: string;
  env: string;
}

/** The events in these table rows: those of feed pages and of the outbox. */
export const readEvents = (items: readonly Item[]): PublishedEvent[] =>
  items.flatMap((item) => {
    const [feed, events] = [String(item['feed'] ?? String(item['pk']).replace('F#', '')), item['events']];
    const [account = '', env = ''] = feed.split('#');
    const rows = events instanceof Uint8Array ? unpackEvents(events) : 'feed' in item ? Events.parse(events) : [];
    return rows.map((event) => ({ ...event, account, env }));
  });
const Events = z.array(EventRow);

/** The events of every outbox row that is waiting to be numbered. */
export async function listPendingEvents(store: Store): Promise<PublishedEvent[]> {
  const keys = (await listPendingRows(store)).map(({ key }) => key);
  return readEvents(await store.table.batchGet(keys, { consistent: true }));
}
const listPendingRows = async (store: Store) =>
  (await pendingWorkRows(store).listBefore('feed', Number.MAX_SAFE_INTEGER, { limit: 100_000 })).pending;

/** Runs the feed writer until every published event is numbered. */
export async function numberPendingEvents(
  deps: Pick<Deps, 'store' | 'queue' | 'bus' | 'clock' | 'log'>,
): Promise<void> {
  for (const message of pendingKinds.feed.jobs(await listPendingRows(deps.store))) await feedWorker(deps)(message);
}
