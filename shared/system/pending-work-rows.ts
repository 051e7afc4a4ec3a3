// Pending work of every kind: the index by due time, read from the oldest on.
import * as z from 'zod';
import type { Key } from '../platform/ports.ts';
import { keys, toSortableTimestamp } from './keys.ts';
import { listPendingPartitions, type PendingKind, type PendingWork, pendingShards } from './pending-kinds.ts';
import { repository } from './store.ts';

export interface Backlog {
  /** Each owner once, the oldest of each partition of the index first. */
  pending: PendingWork[];
  /** Where to continue; undefined if everything was seen. */
  cursor: string[] | undefined;
  /** All work that was due before this time was seen. */
  seenMs: number;
}

const PendingIndexItem = z.object({ pk: z.string(), sk: z.string(), dueSk: z.string() });
const SweepCursor = z.object({ positions: z.array(z.string()) });
const ScheduleWatermark = z.object({ seenMs: z.number(), fullScanMs: z.number() });
/** How far a schedule has checked, and when its next full scan is. */
export type ScheduleWatermark = z.infer<typeof ScheduleWatermark>;
const maxRowsPerOwner = 4;
/** Before and after every position of the index. */
const [firstPosition, lastPosition] = ['0', '~'];

const parseTime = (position: string): number => Number.parseInt(position, 10);

export const pendingWorkRows = repository(({ table }) => {
  async function queryPartition(
    partition: string,
    beforeMs: number,
    from: string,
    { maxPerShard, isListed }: { maxPerShard: number; isListed: (key: Key) => boolean },
  ) {
    const last = toSortableTimestamp(beforeMs);
    const pending = new Map<string, PendingWork>();
    // An earlier scan has already gone further. DynamoDB rejects a range that ends before it
    // starts.
    if (from > last) return { pending, cursor: undefined };
    const items = table.queryAll({
      index: 'by-due',
      where: '#duePk = :due AND #dueSk BETWEEN :from AND :last',
      values: { due: partition, from, last },
      limit: maxPerShard + 1,
    });
    let scannedCount = 0;
    for await (const item of items) {
      const { pk, sk, dueSk } = PendingIndexItem.parse(item);
      // One owner may have a great many rows, which are also skipped a part at a time.
      if (pending.size === maxPerShard || scannedCount++ === maxRowsPerOwner * maxPerShard)
        return { pending, cursor: dueSk };
      const owner = dueSk.slice(dueSk.indexOf('#') + 1);
      if (!pending.has(owner) && isListed({ pk, sk }))
        pending.set(owner, { owner, key: { pk, sk }, dueMs: parseTime(dueSk) });
    }
    return { pending, cursor: undefined };
  }

  return {
    /**
     * Lists up to `limit` items of work that was due before a time: from the start, from a time
     * on, or from where an earlier scan ended. `isListed` leaves rows out, which are read all the
     * same.
     */
    async listBefore(
      kind: PendingKind,
      beforeMs: number,
      {
        limit,
        sinceMs,
        from = [],
        isListed = () => true,
      }: {
        limit: number;
        sinceMs?: number;
        from?: readonly string[] | undefined;
        isListed?: (key: Key) => boolean;
      },
    ): Promise<Backlog> {
      const maxPerShard = Math.ceil(limit / pendingShards);
      const start = sinceMs === undefined ? firstPosition : toSortableTimestamp(sinceMs);
      const results = await Promise.all(
        listPendingPartitions(kind).map((partition, index) =>
          queryPartition(partition, beforeMs, from[index] ?? start, { maxPerShard, isListed }),
        ),
      );
      const isComplete = results.every(({ cursor }) => cursor === undefined);
      return {
        pending: results.flatMap(({ pending }) => [...pending.values()]),
        cursor: isComplete ? undefined : results.map(({ cursor }) => cursor ?? lastPosition),
        seenMs: Math.min(
          beforeMs,
          ...results.flatMap(({ cursor }) => (cursor === undefined ? [] : [parseTime(cursor)])),
        ),
      };
    },
    /** The due time of the oldest work. */
    async findOldestMs(kind: PendingKind): Promise<number | undefined> {
      const firsts = await Promise.all(
        listPendingPartitions(kind).map((due) =>
          table.query({ index: 'by-due', where: '#duePk = :due', values: { due }, limit: 1 }),
        ),
      );
      const times = firsts.flatMap(({ items }) => items.map((item) => parseTime(PendingIndexItem.parse(item).dueSk)));
      return times.length === 0 ? undefined : Math.min(...times);
    },

    async findWatermark(kind: PendingKind): Promise<ScheduleWatermark | undefined> {
      const item = await table.get(keys.scheduleWatermark(kind));
      return item && ScheduleWatermark.parse(item);
    },
    async saveWatermark(kind: PendingKind, watermark: ScheduleWatermark): Promise<void> {
      await table.write({ kind: 'put', item: { ...keys.scheduleWatermark(kind), ...watermark } });
    },
    /** Where the last sweep of a kind ended, if it did not see everything. */
    async findSweepCursor(kind: PendingKind): Promise<string[] | undefined> {
      const item = await table.get(keys.sweepCursor(kind));
      return item && SweepCursor.parse(item).positions;
    },
    async saveSweepCursor(kind: PendingKind, cursor: string[] | undefined): Promise<void> {
      await table.write(
        cursor
          ? { kind: 'put', item: { ...keys.sweepCursor(kind), positions: cursor } }
          : { kind: 'delete', key: keys.sweepCursor(kind) },
      );
    },
  };
});
