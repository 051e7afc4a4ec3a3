// Whatever is owed stands in one index, by kind, shard and time: sweeps and schedules read it from the front. A kind is one line here.

import { chunkArray } from '../platform/chunk-array.ts';
import type { Key } from '../platform/ports.ts';
import { computeShard } from '../platform/shard.ts';
import type { Job, QueueName } from './jobs.ts';
import {
  parseConnectionKey,
  parseDeliveryKey,
  parseEndpointKey,
  parseFeedPageKey,
  parseInvitationKey,
  parsePushChunkKey,
  parseRevocationKey,
  parseSubscriptionKey,
  toSortableTimestamp,
} from './keys.ts';

export interface PendingWork {
  /** Whoever, or whatever, it is owed to: any id. */
  owner: string;
  /** One of the rows that say so. */
  key: Key;
  dueMs: number;
}

/** Which queue is woken, and what it is told. */
type PendingKindSpec = {
  [Name in QueueName]: {
    queue: Name;
    jobs(pending: readonly PendingWork[]): Job<Name>[];
    /** Its place in the index already allows for a message that is under way. */
    includesGrace?: true;
    /** Found by a schedule of its own when its time comes, and never by the sweep. */
    scheduled?: true;
  };
}[QueueName];

const toUserJob = ({ owner }: PendingWork) => ({ user_id: owner });

/** Messages about outbox rows of one feed, each of as many as one transaction deletes beside the page it writes. */
export const buildFeedJobs = (feed: string, rows: readonly Key[]): Job<'feed'>[] => {
  const [account_id = '', env] = feed.split('#');
  return chunkArray(rows, maxRowsPerMessage).map((chunk) => ({
    account_id,
    env: env === 'sandbox' ? 'sandbox' : 'live',
    rows: chunk.map(({ pk, sk }) => ({ pk, sk })),
  }));
};
const maxRowsPerMessage = 98;

export const pendingKinds = {
  /** Commands of a person, scores whose time comes, and a person who is to be erased. */
  user: { queue: 'user', jobs: (pending) => pending.map(toUserJob) },
  /** Outbox rows that no message has brought to the feed's writer. Their owner begins with the feed. */
  feed: {
    queue: 'feed',
    jobs: (pending) =>
      [...Map.groupBy(pending, ({ owner }) => owner.split('#').slice(0, 2).join('#'))].flatMap(([feed, rows]) =>
        buildFeedJobs(
          feed,
          rows.toSorted((a, b) => a.dueMs - b.dueMs).map(({ key }) => key),
        ),
      ),
  },
  /** Sandbox users that have no data yet. */
  seed: { queue: 'seed', jobs: (pending) => pending.map(toUserJob) },
  /** Sandbox users that have some, by when they get more. */
  sandbox: { queue: 'seed', jobs: (pending) => pending.map(toUserJob), scheduled: true },
  /** Vendors that are to be asked, by when: of a connection, of a consent that is given back, or of what they tell this deployment. And what they told, until it is known of whom. */
  sync: {
    queue: 'connection',
    jobs: (pending) =>
      pending.map(
        ({ key }) =>
          parseSubscriptionKey(key) ?? parseRevocationKey(key) ?? parsePushChunkKey(key) ?? parseConnectionKey(key),
      ),
    scheduled: true,
  },
  /** Invitations whose message is to be sent, by when. */
  mail: { queue: 'mail', jobs: (pending) => pending.map(({ key }) => parseInvitationKey(key)) },
  /** Deliveries, by when they are tried again; endpoints that are behind; and pages of a feed, until each endpoint has their deliveries. */
  deliver: {
    queue: 'deliver',
    jobs: (pending) =>
      pending.map(({ key }) => parseEndpointKey(key) ?? parseFeedPageKey(key) ?? parseDeliveryKey(key)),
    includesGrace: true,
  },
} as const satisfies Record<string, PendingKindSpec>;

export type PendingKind = keyof typeof pendingKinds;
export type ScheduledKind = {
  [Kind in PendingKind]: (typeof pendingKinds)[Kind] extends { scheduled: true } ? Kind : never;
}[PendingKind];
export type SweptKind = Exclude<PendingKind, ScheduledKind>;

export const getPendingKindSpec = (kind: PendingKind): PendingKindSpec => pendingKinds[kind];

/** Holds because the table has its kinds and nothing else. */
const listKinds = (table: typeof pendingKinds): PendingKind[] => Object.keys(table) as PendingKind[];

export const sweptKinds = listKinds(pendingKinds).filter(
  (kind): kind is SweptKind => !getPendingKindSpec(kind).scheduled,
);

/** So long a message may be under way before it counts as lost. */
export const messageGraceMs = 60_000;

/** Everything that is owed passes through these: one partition of the index takes a thousand writes a second, and no more. */
export const pendingShards = 8;

const pendingPartition = (kind: PendingKind, shard: number): string => `DUE#${kind}#${shard}`;

export const listPendingPartitions = (kind: PendingKind): string[] =>
  Array.from({ length: pendingShards }, (_none, shard) => pendingPartition(kind, shard));

/** The place in the index of what is owed to somebody (or something) from then on, be it past or to come. */
export const pendingIndexKeys = (
  kind: PendingKind,
  owner: string,
  dueMs: number,
): { duePk: string; dueSk: string } => ({
  duePk: pendingPartition(kind, computeShard(owner, pendingShards)),
  dueSk: `${toSortableTimestamp(dueMs)}#${owner}`,
});
