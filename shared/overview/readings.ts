// What the counters of an environment show at a moment. Every counter only grows: it is part of a row
// that is written anyway, and the difference of two readings is what happened in between.
import * as z from 'zod';
import type { EnvironmentRow } from '../accounts/account-rows.ts';
import { apiKeyRows } from '../accounts/api-key-rows.ts';
import { ApiKeyCounts, listKeyPartitions } from '../accounts/api-key-writes.ts';
import type { FeedEnd } from '../events/feed-rows.ts';
import type { Deps } from '../system/deps.ts';
import type { WebhookRow } from '../webhooks/webhook-rows.ts';

export const Readings = z.object({
  people: z.number(),
  events: z.number(),
  uploads: z.number(),
  records: z.number(),
  deliveries: z.number(),
  /** By the partition of the key's row. A key that was replaced is in the next reading, too. */
  keys: z.record(z.string(), ApiKeyCounts),
  /** Failed attempts, by endpoint. */
  webhooks: z.record(z.string(), z.number()),
});
export type Readings = z.infer<typeof Readings>;

/** What is read for the overview anyway. */
export interface ReadState {
  people: number;
  feed: FeedEnd;
  webhooks: readonly WebhookRow[];
  environment: EnvironmentRow | undefined;
  /** The limit of the environment's keys. */
  perSecond: number;
}

export async function takeReadings(
  { store }: Pick<Deps, 'store'>,
  { people, feed, webhooks, environment, perSecond }: ReadState,
  before: Readings | undefined,
): Promise<Readings> {
  const hashes = [environment?.keyHash, environment?.previousKeyHash].filter((hash) => typeof hash === 'string');
  const partitions = hashes.flatMap((hash) => listKeyPartitions(hash, perSecond));
  return {
    people,
    events: feed.next - 1,
    uploads: feed.uploads,
    records: feed.records,
    deliveries: feed.deliveries,
    keys: await apiKeyRows(store).readCounts([...new Set([...partitions, ...Object.keys(before?.keys ?? {})])]),
    webhooks: Object.fromEntries(webhooks.map(({ id, failedAttempts = 0 }) => [id, failedAttempts])),
  };
}

export const noReadings: Readings = {
  people: 0,
  events: 0,
  uploads: 0,
  records: 0,
  deliveries: 0,
  keys: {},
  webhooks: {},
};

export const Counts = z.object({
  requests: z.number(),
  clientErrors: z.number(),
  serverErrors: z.number(),
  limited: z.number(),
  uploads: z.number(),
  records: z.number(),
  events: z.number(),
  deliveries: z.number(),
  failedAttempts: z.number(),
});
export type Counts = z.infer<typeof Counts>;

/** A counter that is lower than before has started again, such as that of a restored table. */
const grown = (after: number, before = 0): number => (after < before ? after : after - before);

export function computeCounts(before: Readings, after: Readings): Counts {
  const sumKeys = (name: keyof ApiKeyCounts): number =>
    Object.entries(after.keys).reduce((sum, [key, counts]) => sum + grown(counts[name], before.keys[key]?.[name]), 0);
  return {
    requests: sumKeys('requests'),
    clientErrors: sumKeys('clientErrors'),
    serverErrors: sumKeys('serverErrors'),
    limited: sumKeys('limited'),
    uploads: grown(after.uploads, before.uploads),
    records: grown(after.records, before.records),
    events: grown(after.events, before.events),
    deliveries: grown(after.deliveries, before.deliveries),
    failedAttempts: Object.entries(after.webhooks).reduce(
      (sum, [webhook, count]) => sum + grown(count, before.webhooks[webhook]),
      0,
    ),
  };
}
