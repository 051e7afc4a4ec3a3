// The only writer of the feed. It assigns the next numbers of an environment to the events of its
// outbox rows, as pages, and publishes each page on the bus. A page, its outbox rows and the next
// number change in one transaction, so nothing is numbered twice: a second writer, which can only
// be a stalled run, fails.

import { chunkArray } from '../platform/chunk-array.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { EngineUnavailable, type Key } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import type { FeedPageJob, Job } from '../system/jobs.ts';
import { keys } from '../system/keys.ts';
import { eventSource, feedPageType } from './event.ts';
import type { EventRow } from './event-row.ts';
import { type FeedName, feedRows, parseFeedEnd, splitIntoPages } from './feed-rows.ts';
import { numberHeldFeed } from './number-held-feed.ts';
import { type OutboxRow, outboxRows, parseOutboxRows } from './outbox-rows.ts';
import { parseHold } from './parked-rows.ts';

export type NumberingDeps = Pick<Deps, 'store' | 'queue' | 'bus' | 'clock' | 'log'>;

/**
 * Counts the deliveries of events that will be numbered from `first` on. `later`: for endpoints that
 * are behind, which get them when they catch up.
 */
export type CountDeliveries = (
  deps: Pick<Deps, 'store' | 'log'>,
  feed: FeedName,
  events: readonly EventRow[],
  first: number,
) => Promise<{ now: number; later: number }>;

const maxRetries = 3;
/** A short failure costs these pauses. Messages wait behind a run, so a longer one holds the feed. */
const retryPausesMs = [500, 2_000, 2_000];
const maxRetryMs = 10_000;
/** A transaction has at most 100 writes; the page and the next number take two. */
const maxRowsPerPage = 98;
/** Each takes a transaction of its own. The sweep names the others again. */
const maxReturnedPerRun = 10;

/** Numbering failed before, and rows that wait since then come first. */
class FeedHeld extends Error {}

/**
 * Each shard of the stream sends its own messages. Merged, they make only a few pages. Several
 * messages may name the same row.
 */
export function mergeFeedJobs(jobs: Job<'feed'>[]): Job<'feed'> {
  const [first] = jobs;
  if (!first) throw new Error('there are no messages to merge');
  const rows = new Map(jobs.flatMap((job) => job.rows.map((key) => [`${key.pk} ${key.sk}`, key] as const)));
  const turns = jobs.flatMap(({ turn }) => turn ?? []);
  return { ...first, rows: [...rows.values()], ...(turns.length > 0 ? { turn: Math.max(...turns) } : {}) };
}

/** A feed that fails is held, and its message is done: only a run that crashes is repeated. */
export async function numberEvents(
  deps: NumberingDeps,
  { account_id, env, rows, turn }: Job<'feed'>,
  { countDeliveries, receives }: { countDeliveries: CountDeliveries; receives: number },
): Promise<void> {
  const feed = { account: account_id, env };
  const isRedelivered = receives > 1;
  if (rows.length > 0 && !isRedelivered && (await numberAtOnce(deps, feed, rows, countDeliveries))) return;
  const number = (parked: readonly Key[]) => numberRows(deps, feed, parked, { countDeliveries, isHeld: true });
  await numberHeldFeed(deps, feed, { rows, turn, isRedelivered, number });
}

/** Returns false if the feed is held, or has to be. */
async function numberAtOnce(
  deps: NumberingDeps,
  feed: FeedName,
  rows: readonly Key[],
  countDeliveries: CountDeliveries,
): Promise<boolean> {
  const untilMs = deps.clock.now() + maxRetryMs;
  for (const [failures, pauseMs] of retryPausesMs.entries()) {
    try {
      await numberRows(deps, feed, rows, { countDeliveries, isHeld: false });
      return true;
    } catch (error) {
      if (error instanceof FeedHeld) return false;
      deps.log('warn', 'feed_held', { account_id: feed.account, env: feed.env, failures, cause: error });
      if (deps.clock.now() + pauseMs > untilMs) return false;
      await deps.clock.pause?.(pauseMs);
    }
  }
  return false;
}

interface Numbering {
  countDeliveries: CountDeliveries;
  /** Whether the rows are the next ones of a held feed. */
  isHeld: boolean;
  /** Whether they are numbered although they are in quarantine. */
  isQuarantined?: boolean;
}

/** Returns how many of the rows got numbers. Others have theirs, are in quarantine or cannot be parsed. */
async function numberRows(
  deps: NumberingDeps,
  feed: FeedName,
  rows: readonly Key[],
  numbering: Numbering,
): Promise<number> {
  const append = (keys: readonly Key[], how: Numbering) =>
    optimisticRetry({ what: `the feed ${feed.account} ${feed.env}`, retries: maxRetries }, () =>
      appendPage(deps, feed, keys, how),
    );
  let numbered = 0;
  const returned: OutboxRow[] = [];
  for (const chunk of chunkArray(rows, maxRowsPerPage)) {
    let remaining: Key[] = chunk;
    while (remaining.length > 0) {
      const page = await append(remaining, numbering);
      numbered += page.numbered;
      remaining = page.remaining;
      returned.push(...page.returned);
    }
  }
  for (const { key } of returned.slice(0, maxReturnedPerRun)) {
    // Alone, and quarantined again before it is tried: it holds up nothing, even if the run crashes.
    if (!(await outboxRows(deps.store).quarantine(feed, key, deps.clock.now()))) continue;
    try {
      await append([key], { ...numbering, isQuarantined: true });
    } catch (error) {
      deps.log('error', 'outbox_row_unreadable', { row_keys: [key], cause: error });
    }
  }
  return numbered;
}

interface AppendedPage {
  /** How many of the rows. */
  numbered: number;
  /** The rows that did not fit. */
  remaining: Key[];
  /** The rows whose quarantine is over. */
  returned: OutboxRow[];
}

/** Events keep the order of their rows. */
async function appendPage(
  deps: NumberingDeps,
  feed: FeedName,
  wantedKeys: readonly Key[],
  { countDeliveries, isHeld, isQuarantined = false }: Numbering,
): Promise<AppendedPage> {
  const { store, clock } = deps;
  const { end, rows: found } = await readOutbox(deps, feed, wantedKeys, isHeld);
  const others = found.filter(({ quarantinedUntilMs }) => quarantinedUntilMs === undefined);
  const quarantined = found.filter(({ quarantinedUntilMs }) => quarantinedUntilMs !== undefined);
  const returned = quarantined.filter(({ quarantinedUntilMs = 0 }) => quarantinedUntilMs <= clock.now());
  const [page, ...more] = splitIntoPages(isQuarantined ? quarantined : others);
  if (!page) return { numbered: 0, remaining: [], returned };
  // Read after the outbox rows, so that endpoints registered before the change are included. Also
  // read after the feed's end: if an endpoint catches up later than that, it counts a catch-up
  // and the append fails.
  const deliveries = await countDeliveries(deps, feed, page.events, end.next);
  const isDue = deliveries.now > 0;
  const counts = {
    uploads: sum(page.groups.map(({ uploads }) => uploads)),
    records: sum(page.groups.map(({ records }) => records)),
    deliveries: deliveries.now + deliveries.later,
  };
  await store.commit([
    ...feedRows(store).buildAppend(feed, end, { ...page, isPending: isDue, counts }, clock.now()),
    ...page.groups.map(({ key }) => outboxRows(store).buildRemove(key)),
  ]);
  if (isDue) await publishPage(deps, { account_id: feed.account, env: feed.env, first: end.next });
  const remaining = more.flatMap(({ groups }) => groups.map(({ key }) => key));
  return { numbered: page.groups.length, remaining, returned };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/**
 * The page stays pending until the endpoints have their deliveries, so if the bus is unavailable,
 * events are late but not lost.
 */
async function publishPage({ bus, log }: NumberingDeps, page: FeedPageJob): Promise<void> {
  try {
    await bus.publish([{ source: eventSource, type: feedPageType, detail: page }]);
  } catch (error) {
    if (!(error instanceof EngineUnavailable)) throw error;
    log('warn', 'feed_page_not_announced', { ...page, cause: error });
  }
}

async function readOutbox({ store, log }: NumberingDeps, feed: FeedName, wantedKeys: readonly Key[], isHeld: boolean) {
  const endKey = keys.feedEnd(feed.account, feed.env);
  const items = await store.table.batchGet([endKey, ...wantedKeys], { consistent: true });
  const endItem = items.find(({ pk, sk }) => pk === endKey.pk && sk === endKey.sk);
  if (!isHeld && parseHold(endItem)) throw new FeedHeld(`the feed ${feed.account} ${feed.env} is held`);
  const { rows, unreadable } = parseOutboxRows(items, feed);
  if (unreadable.length > 0) log('error', 'outbox_row_unreadable', { row_keys: unreadable });
  const end = parseFeedEnd(endItem);
  const positionByKey = new Map(wantedKeys.map(({ pk, sk }, index) => [`${pk} ${sk}`, index]));
  const positionOf = ({ key }: OutboxRow): number => positionByKey.get(`${key.pk} ${key.sk}`) ?? 0;
  return { end, rows: rows.sort((a, b) => positionOf(a) - positionOf(b)) };
}
