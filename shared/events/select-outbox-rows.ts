// What the sweep sends about held feeds (`parked-rows.ts`): their rows are parked, so one message is
// enough to try them again. A message for every 98 rows would fill the queue with each sweep.
import type { Deps } from '../system/deps.ts';
import { maxRowsPerFeedJob, type PendingWork, parseFeedOwner } from '../system/pending-kinds.ts';
import { formatFeedGroup } from './outbox-rows.ts';
import { parkedRows } from './parked-rows.ts';

/** Returns the oldest row of each held feed, and all rows of the others. */
export async function selectOutboxRows(
  { store }: Pick<Deps, 'store'>,
  pending: readonly PendingWork[],
): Promise<PendingWork[]> {
  const byFeed = [...Map.groupBy(pending, ({ owner }) => formatFeedGroup(parseFeedOwner(owner))).values()];
  // The rows of the others fit one message.
  const large = byFeed.flatMap(([first, ...more]) =>
    first && more.length >= maxRowsPerFeedJob ? [parseFeedOwner(first.owner)] : [],
  );
  if (large.length === 0) return [...pending];
  const held = new Set((await parkedRows(store).listHeld(large)).map(formatFeedGroup));
  return byFeed.flatMap((rows) => {
    const [oldest] = rows.toSorted((a, b) => a.dueMs - b.dueMs);
    return oldest && held.has(formatFeedGroup(parseFeedOwner(oldest.owner))) ? [oldest] : rows;
  });
}
