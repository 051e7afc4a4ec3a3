// A feed whose numbering can be made to fail, and another one beside it, on virtual time: commits,
// the relay, the FIFO queue, the feed's worker and the sweep are the real ones.
import { makeDeps } from '../../functions/runtime/deps.ts';
import { handler } from '../../functions/workers/feed.ts';
import { relayWorker } from '../../functions/workers/relay.ts';
import { sweepWorker } from '../../functions/workers/sweep.ts';
import { type FeedName, feedRows } from '../../shared/events/feed-rows.ts';
import { formatFeedGroup } from '../../shared/events/outbox-rows.ts';
import { chunkArray } from '../../shared/platform/chunk-array.ts';
import { EngineUnavailable, type Key, type Table, type Write } from '../../shared/platform/ports.ts';
import { keys } from '../../shared/system/keys.ts';
import { pendingIndexKeys } from '../../shared/system/pending-kinds.ts';
import { tickingClock } from './clock.ts';
import { type FifoQueue, openFifoQueue } from './fifo-queue.ts';
import { memoryStartMs } from './memory-deps.ts';
import { memoryTable } from './memory-table.ts';
import { newEvent, newFeedName, oneTo, readAllFeedRows, recordingBus, writeEvents } from './outbox.ts';
import { seededRandom } from './seeded-random.ts';

const secondMs = 1_000;
/** A transaction of a page, at most (`infra/decisions.md`). */
const pageMs = 50;
const users = 40;

/** `pages`: the feed's pages cannot be written. `end`: its end cannot be parsed. */
export type FeedFault = 'pages' | 'end';

export function openFeedFlood() {
  const clock = tickingClock(memoryStartMs);
  const table = memoryTable();
  const [flooded, other] = [newFeedName(), newFeedName()];
  const log: { code: string; fields: unknown }[] = [];
  const committed = new Map<FeedName, { id: string; userId: string }[]>([
    [flooded, []],
    [other, []],
  ]);
  let failuresLeft = 0;
  let failingUntilMs = 0;
  let failingShare = 0;
  let refusal: 'fails' | 'dies' = 'fails';
  const random = seededRandom('a feed that is throttled');
  let isDying = false;
  const refusedRows = new Set<string>();
  const { pk: pages } = keys.feedPage(flooded.account, flooded.env, 1);
  const isPage = (write: Write): boolean => write.kind === 'put' && write.item.pk === pages;
  const throttled: Table = {
    ...table,
    async transact(writes) {
      if (writes.some(isPage)) {
        clock.advance(pageMs);
        const isRefused = writes.some((write) => write.kind === 'delete' && refusedRows.has(write.key.sk));
        if (isDying || (isRefused && refusal === 'dies')) return fifo.die();
        const [byte = 0] = random.bytes(1);
        const isUnlucky = byte / 256 < failingShare;
        if (failuresLeft-- > 0 || isRefused || isUnlucky || clock.now() < failingUntilMs)
          throw new EngineUnavailable('throttled');
      }
      await table.transact(writes);
    },
  };
  const fifo: FifoQueue = openFifoQueue('feed', handler, clock);
  const deps = makeDeps({
    table: throttled,
    queue: fifo.queue,
    bus: recordingBus(),
    rootSecret: 'a root secret of more than 32 characters',
    clock: { ...clock, pause: async (milliseconds) => clock.advance(milliseconds) },
    log: (_level, code, fields) => void log.push({ code, fields }),
    deployment: { kind: 'local' },
  });
  const relay = relayWorker(deps);
  const setUploads = (uploads: number | string) =>
    table.write({
      ...{ kind: 'update', key: keys.feedEnd(flooded.account, flooded.env), update: 'SET #uploads = :uploads' },
      values: { uploads },
    });
  let seconds = 0;
  let maxWaiting = 0;
  const countWaiting = (): void => {
    maxWaiting = Math.max(maxWaiting, fifo.waiting(formatFeedGroup(flooded)));
  };

  async function commit(feed: FeedName, count: number): Promise<Key[]> {
    const own = committed.get(feed) ?? [];
    const events = oneTo(count).map((n) => newEvent(feed, { atMs: clock.now(), userId: userIdOf(own.length + n) }));
    own.push(...events.map(({ id, userId = '' }) => ({ id, userId })));
    return writeEvents(deps.store, events);
  }
  const announce = (feed: FeedName, rows: readonly Key[]): Promise<void> =>
    relay(rows.map((key) => ({ ...key, feed: formatFeedGroup(feed) })));
  const announceByShard = async (feed: FeedName, rows: readonly Key[], shards: number): Promise<void> => {
    for (const shard of chunkArray(rows, Math.ceil(rows.length / shards))) await announce(feed, shard);
  };

  return {
    deps,
    clock,
    fifo,
    log,
    flooded,
    other,
    /** The next transactions of the failing feed fail. */
    failPages(count: number) {
      failuresLeft = count;
    },
    failPagesFor(milliseconds: number) {
      failingUntilMs = clock.now() + milliseconds;
    },
    /** The process dies in them. */
    dieOnPages(dies: boolean) {
      isDying = dies;
    },
    /** This share of the transactions fails. */
    failSometimes(share: number) {
      failingShare = share;
    },
    /**
     * Commits in one message, one or several of which cannot be numbered until they are accepted.
     * Returns their keys.
     */
    async commitRefused({ before = 0, bad = 1, after = 0, by = 'fails' }: RefusedCommit = {}) {
      const rows = await commit(flooded, before + bad + after);
      const refused = rows.slice(before, before + bad);
      for (const { sk } of refused) refusedRows.add(sk);
      refusal = by;
      await announce(flooded, rows);
      return refused;
    },
    /** An outbox row that cannot be parsed, and is due. */
    async commitUnreadable() {
      const { id } = newEvent(flooded, { atMs: clock.now() });
      const feed = formatFeedGroup(flooded);
      const due = pendingIndexKeys('feed', `${feed}#${id}`, clock.now());
      await table.write({ kind: 'put', item: { ...keys.outbox(id, userIdOf(users)), feed, events: [], ...due } });
    },
    acceptAll() {
      refusedRows.clear();
    },
    async fail(fault: FeedFault) {
      if (fault === 'pages') failuresLeft = Number.POSITIVE_INFINITY;
      else await setUploads('unreadable');
    },
    async recover() {
      failuresLeft = 0;
      await setUploads(0);
    },
    /**
     * The most messages of the failing feed that waited since this was last asked, with those that
     * had just been sent.
     */
    takeMaxWaiting() {
      const waiting = maxWaiting;
      maxWaiting = 0;
      return waiting;
    },
    /** Sends messages about rows, as the stream does when they are written. */
    announce,
    /** Commits whose messages are lost. */
    commitUnannounced: commit,
    /** A second in which the feeds get this many commits each. Every minute has a sweep. */
    async passSecond({ flood = 0, shards = 1, others = 0, sweeps = true, isPurged = false }: FloodSecond = {}) {
      const untilMs = memoryStartMs + ++seconds * secondMs;
      if (flood > 0) await announceByShard(flooded, await commit(flooded, flood), shards);
      if (others > 0) await announce(other, await commit(other, others));
      if (sweeps && seconds % 60 === 0) await sweepWorker(deps)();
      countWaiting();
      if (isPurged) fifo.purge();
      await fifo.run(deps, untilMs);
      countWaiting();
      clock.advance(Math.max(0, untilMs - clock.now()));
    },
    /** How many events are committed and have no number. */
    async countLeft(feed: FeedName): Promise<number> {
      return (committed.get(feed)?.length ?? 0) - (await feedRows(deps.store).readEnd(feed)).next + 1;
    },
    /** Each user's events, as they were committed and as they are numbered. */
    async compareOrder(feed: FeedName) {
      const rows = await readAllFeedRows(deps.store, feed);
      const byUser = (events: readonly { id: string; userId: string }[]) =>
        Object.fromEntries([...Map.groupBy(events, ({ userId }) => userId)].sort());
      return {
        numbers: rows.map(({ seq }) => seq),
        numbered: byUser(rows.map(({ id, user = '' }) => ({ id, userId: user }))),
        committed: byUser(committed.get(feed) ?? []),
      };
    },
  };
}

interface RefusedCommit {
  before?: number;
  bad?: number;
  after?: number;
  /** What a transaction with it does. */
  by?: 'fails' | 'dies';
}

interface FloodSecond {
  flood?: number;
  /** Each sends a message of its own. */
  shards?: number;
  others?: number;
  sweeps?: boolean;
  /** Before the messages of this second are received. */
  isPurged?: boolean;
}

const userIdOf = (n: number): string => `usr_${String(n % users).padStart(26, '0')}`;
