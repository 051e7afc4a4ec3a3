// Relays outbox rows to the feed's writer: one message per environment and batch, with the keys of
// the rows. One message per commit would be more than the writer of a large environment can handle.
import * as z from 'zod';
import type { Item } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { buildFeedJobs } from '../system/pending-kinds.ts';

const OutboxItem = z.object({ pk: z.string(), sk: z.string(), feed: z.string() });

export async function relayOutbox({ queue }: Pick<Deps, 'queue'>, items: readonly Item[]): Promise<void> {
  const rows = items.map((item) => OutboxItem.parse(item));
  const jobs = [...Map.groupBy(rows, ({ feed }) => feed)].flatMap(([feed, group]) => buildFeedJobs(feed, group));
  await queue.sendAll('feed', jobs);
}
