// All pending work is in one index, by kind, shard and time; sweeps and schedules read it from the
// start. Each kind is one entry here.

import { chunkArray, computeShard } from '../platform/chunk-array.ts';
import type { Key } from '../platform/ports.ts';
import type { Environment } from './caller.ts';
import { parseSignInRequestKey } from './console-keys.ts';
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
  /** The id that the work is for, such as a user or a feed. */
  owner: string;
  /** The key of one of its rows in the index. */
  key: Key;
  dueMs: number;
}

/** The queue to wake, and the messages to send. */
type PendingKindSpec = {
  [Name in QueueName]: {
    queue: Name;
    jobs(pending: readonly PendingWork[]): Job<Name>[];
    /** The due time in the index already allows for a message in flight. */
    includesGrace?: true;
    /** Found by its own schedule at its due time, and never by the sweep. */
    scheduled?: true;
  };
}[QueueName];

/** The feed of a row that is pending in the index. */
export function parseFeedOwner(owner: string): { account: string; env: Environment } {
  const [account = '', env] = owner.split('#');
  return { account, env: env === 'sandbox' ? 'sandbox' : 'live' };
}
const feedGroupOf = ({ account, env }: ReturnType<typeof parseFeedOwner>): string => `${account}#${env}`;

const toUserJob = ({ owner }: PendingWork) => ({ user_id: owner });

/**
 * Builds messages about outbox rows of one feed, each with as many rows as one transaction can
 * delete along with the page it writes.
 */
export const buildFeedJobs = (feed: string, rows: readonly Key[]): Job<'feed'>[] => {
  const { account: account_id, env } = parseFeedOwner(feed);
  return chunkArray(rows, maxRowsPerFeedJob).map((chunk) => ({
    account_id,
    env,
    rows: chunk.map(({ pk, sk }) => ({ pk, sk })),
  }));
};
export const maxRowsPerFeedJob = 98;

export const pendingKinds = {
  /** Commands of a user, scores that are due, and users to erase. */
  user: { queue: 'user', jobs: (pending) => pending.map(toUserJob) },
  /**
   * Outbox rows that no message has brought to the feed's writer. Their owner starts with the feed.
   */
  feed: {
    queue: 'feed',
    jobs: (pending) =>
      [...Map.groupBy(pending, ({ owner }) => feedGroupOf(parseFeedOwner(owner)))].flatMap(([feed, rows]) =>
        buildFeedJobs(
          feed,
          rows.toSorted((a, b) => a.dueMs - b.dueMs).map(({ key }) => key),
        ),
      ),
  },
  /** Sandbox users without data. */
  seed: { queue: 'seed', jobs: (pending) => pending.map(toUserJob) },
  /** Sandbox users with data, by when they get more. */
  sandbox: { queue: 'seed', jobs: (pending) => pending.map(toUserJob), scheduled: true },
  /**
   * Calls to providers, by when: for a connection, to revoke a consent, or for a subscription. Also
   * push chunks, until their users are resolved.
   */
  sync: {
    queue: 'connection',
    jobs: (pending) =>
      pending.map(
        ({ key }) =>
          parseSubscriptionKey(key) ?? parseRevocationKey(key) ?? parsePushChunkKey(key) ?? parseConnectionKey(key),
      ),
    scheduled: true,
  },
  /** Invitations and sign-in links whose message is pending, by when it is due. */
  mail: {
    queue: 'mail',
    jobs: (pending) => pending.map(({ key }) => parseSignInRequestKey(key) ?? parseInvitationKey(key)),
  },
  /**
   * Deliveries by their next attempt, endpoints that are behind, and feed pages until each endpoint
   * has its deliveries.
   */
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

/** The cast is safe because the table has no other keys. */
const listKinds = (table: typeof pendingKinds): PendingKind[] => Object.keys(table) as PendingKind[];

export const sweptKinds = listKinds(pendingKinds).filter(
  (kind): kind is SweptKind => !getPendingKindSpec(kind).scheduled,
);

/** How long a message may be in flight before it counts as lost. */
export const messageGraceMs = 60_000;

/**
 * All pending work passes through these shards, because one partition of the index handles at most
 * a thousand writes per second.
 */
export const pendingShards = 8;

const pendingPartition = (kind: PendingKind, shard: number): string => `DUE#${kind}#${shard}`;

export const listPendingPartitions = (kind: PendingKind): string[] =>
  Array.from({ length: pendingShards }, (_none, shard) => pendingPartition(kind, shard));

/** The index position of work that is due at a time, in the past or in the future. */
export const pendingIndexKeys = (
  kind: PendingKind,
  owner: string,
  dueMs: number,
): { duePk: string; dueSk: string } => ({
  duePk: pendingPartition(kind, computeShard(owner, pendingShards)),
  dueSk: `${toSortableTimestamp(dueMs)}#${owner}`,
});
