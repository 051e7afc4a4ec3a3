// From the outbox to the bus: each event gets its environment's next number exactly once, and goes to the bus at least once. Its row stays until
// the webhooks that want it are told (fan-out.ts): what the bus loses is published again.

import { eventSource } from '../../model/event.ts';
import type { PublishedEvent } from '../../model/feed-event.ts';
import { inPieces } from '../../model/in-pieces.ts';
import { type EventRow, eventRows } from '../../store/events.ts';
import { type FeedEnd, type FeedName, feedRows } from '../../store/feed.ts';
import type { Deps } from '../deps.ts';
import { optimisticRetry } from '../work/optimistic-retry.ts';
import { presentEvent } from './present-event.ts';

/** Two writes an event and one for the feed's end fit a transaction, and the rows go in one batch. */
const mostAtOnce = 25;
const mostRetries = 49;

type Publishing = Pick<Deps, 'store' | 'bus' | 'clock' | 'log'>;
type Numbered = EventRow & { seq: number };

/** Returns the ids of those that could not be published. The feeds they belong to may be told when they are known; it saves a read. */
export async function publishEvents(
  deps: Publishing,
  ids: readonly string[],
  feeds: readonly FeedName[] = [],
): Promise<Set<string>> {
  const found = await eventRows(deps.store).unpublished([...new Set(ids)], distinct(feeds));
  if (found.unreadable.length > 0)
    deps.log('error', 'cannot publish events: their rows do not match the schema', { events: found.unreadable });
  const failed = new Set(found.unreadable);
  const ends = new Map(found.ends.map(({ feed, end }) => [nameOf(feed), end]));
  await Promise.all(
    [...Map.groupBy(found.events, nameOf)].map(async ([name, events]) => {
      const unpublished = await publishInto(deps, events, ends.get(name));
      for (const { id } of unpublished) failed.add(id);
    }),
  );
  return failed;
}

/** Publishes events of one feed in their order; returns those from the first failure on. */
async function publishInto(deps: Publishing, events: EventRow[], known: FeedEnd | undefined): Promise<EventRow[]> {
  const [first] = events;
  if (!first) return [];
  const feed = { account: first.account, env: first.env };
  let end = known;
  const pieces = inPieces(events, mostAtOnce);
  for (const [index, piece] of pieces.entries()) {
    try {
      const numbered = await numberThem(deps, feed, piece, end);
      end = undefined;
      await deps.bus.publish(
        numbered.map((event) => ({ source: eventSource, type: event.type, detail: detailOf(feed, event) })),
      );
      const again = piece.filter(({ seq }) => seq !== undefined);
      await Promise.all(again.map((event) => eventRows(deps.store).postpone(event, deps.clock.now())));
    } catch (cause) {
      deps.log('error', 'could not publish events; they remain due', { ...feed, cause });
      return pieces.slice(index).flat();
    }
  }
  return [];
}

/** When another publisher was faster, reading again shows which events are left and where the feed ends now. */
async function numberThem(
  deps: Publishing,
  feed: FeedName,
  events: EventRow[],
  known: FeedEnd | undefined,
): Promise<Numbered[]> {
  let left = events;
  let end = known;
  return optimisticRetry({ what: `the feed ${nameOf(feed)}`, retries: mostRetries }, async (conflicts) => {
    if (conflicts > 0) {
      const names = left.map(({ id }) => id);
      const again = await eventRows(deps.store).unpublished(names, [feed]);
      left = again.events;
      end = again.ends[0]?.end;
    }
    const fresh = left.filter((event) => event.seq === undefined);
    if (fresh.length === 0) return left.flatMap(numberedOnly);
    end ??= await feedRows(deps.store).end(feed);
    await eventRows(deps.store).number(feed, end, fresh, deps.clock.now());
    const from = end.seq + 1;
    return left.map((event) => ({ ...event, seq: event.seq ?? from + fresh.indexOf(event) }));
  });
}

const numberedOnly = (event: EventRow): Numbered[] => (event.seq === undefined ? [] : [{ ...event, seq: event.seq }]);

const detailOf = (feed: FeedName, event: Numbered): PublishedEvent => ({
  account: feed.account,
  env: feed.env,
  seq: event.seq,
  event: presentEvent(event),
});

const nameOf = ({ account, env }: FeedName): string => `${account} ${env}`;

const distinct = (feeds: readonly FeedName[]): FeedName[] => [
  ...new Map(feeds.map((feed) => [nameOf(feed), feed])).values(),
];
