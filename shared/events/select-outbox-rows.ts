// What the sweep sends about held feeds (`parked-rows.ts`): their rows are parked, so one message is
// enough to try them again. A message for every 98 rows would fill the queue with each sweep.
import type { Deps } from '../system/deps.ts';
import { type PendingWork, parseFeedOwner } from '../system/pending-kinds.ts';
import type { Reminder } from '../system/sweep.ts';
import { formatFeedGroup } from './outbox-rows.ts';
import { parkedRows } from './parked-rows.ts';

/** The messages of a held feed do not stay in the queue while they fail. */
const remindHeldAfterMs = 60_000;

/** Returns the oldest row of each held feed, and all rows of the others. */
export async function selectOutboxRows(
  { store }: Pick<Deps, 'store'>,
  pending: readonly PendingWork[],
): Promise<Reminder[]> {
  const groupOf = ({ owner }: PendingWork): string => formatFeedGroup(parseFeedOwner(owner));
  const byFeed = Map.groupBy(pending, groupOf);
  const feeds = [...byFeed.keys()].map(parseFeedOwner);
  const held = new Set((await parkedRows(store).listHeld(feeds)).map(formatFeedGroup));
  const oldest = [...held].flatMap((feed) => byFeed.get(feed)?.toSorted((a, b) => a.dueMs - b.dueMs)[0] ?? []);
  return [
    { pending: oldest, remindAfterMs: remindHeldAfterMs },
    { pending: pending.filter((row) => !held.has(groupOf(row))) },
  ];
}
