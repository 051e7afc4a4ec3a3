// Whatever is owed stands in one index, by kind, shard and time: sweeps and schedules read it from the front. A kind is one line here.

import { inPieces } from '../platform/in-pieces.ts';
import type { Key } from '../platform/ports.ts';
import { shardOf } from '../platform/shard.ts';
import type { Job, QueueName } from './jobs.ts';
import {
  connectionAt,
  deliveryAt,
  endpointAt,
  feedPageAt,
  instant,
  invitationAt,
  pushPieceAt,
  revocationAt,
  subscriptionAt,
} from './keys.ts';

export interface Owed {
  /** Whoever, or whatever, it is owed to: any id. */
  owner: string;
  /** One of the rows that say so. */
  key: Key;
  sinceMs: number;
}

/** Which queue is woken, and what it is told. */
type DueWork = {
  [Name in QueueName]: {
    queue: Name;
    jobs(owed: readonly Owed[]): Job<Name>[];
    /** Its place in the index already allows for a message that is under way. */
    graced?: true;
    /** Found by a schedule of its own when its time comes, and never by the sweep. */
    scheduled?: true;
  };
}[QueueName];

const ofUser = ({ owner }: Owed) => ({ user_id: owner });

/** Messages about outbox rows of one feed, each of as many as one transaction deletes beside the page it writes. */
export const feedJobs = (feed: string, rows: readonly Key[]): Job<'feed'>[] => {
  const [account_id = '', env] = feed.split('#');
  return inPieces(rows, maxRowsAMessage).map((some) => ({
    account_id,
    env: env === 'sandbox' ? 'sandbox' : 'live',
    rows: some.map(({ pk, sk }) => ({ pk, sk })),
  }));
};
const maxRowsAMessage = 98;

export const dueKinds = {
  /** Commands of a person, scores whose time comes, and a person who is to be erased. */
  person: { queue: 'person', jobs: (owed) => owed.map(ofUser) },
  /** Outbox rows that no message has brought to the feed's writer. Their owner begins with the feed. */
  feed: {
    queue: 'feed',
    jobs: (owed) =>
      [...Map.groupBy(owed, ({ owner }) => owner.split('#').slice(0, 2).join('#'))].flatMap(([feed, rows]) =>
        feedJobs(
          feed,
          rows.toSorted((a, b) => a.sinceMs - b.sinceMs).map(({ key }) => key),
        ),
      ),
  },
  /** Sandbox users that have no data yet. */
  seed: { queue: 'seed', jobs: (owed) => owed.map(ofUser) },
  /** Sandbox users that have some, by when they get more. */
  sandbox: { queue: 'seed', jobs: (owed) => owed.map(ofUser), scheduled: true },
  /** Vendors that are to be asked, by when: of a connection, of a consent that is given back, or of what they tell this deployment. And what they told, until it is known of whom. */
  sync: {
    queue: 'connection',
    jobs: (owed) =>
      owed.map(({ key }) => subscriptionAt(key) ?? revocationAt(key) ?? pushPieceAt(key) ?? connectionAt(key)),
    scheduled: true,
  },
  /** Invitations whose message is to be sent, by when. */
  mail: { queue: 'mail', jobs: (owed) => owed.map(({ key }) => invitationAt(key)) },
  /** Deliveries, by when they are tried again; endpoints that are behind; and pages of a feed, until each endpoint has their deliveries. */
  deliver: {
    queue: 'deliver',
    jobs: (owed) => owed.map(({ key }) => endpointAt(key) ?? feedPageAt(key) ?? deliveryAt(key)),
    graced: true,
  },
} as const satisfies Record<string, DueWork>;

export type DueKind = keyof typeof dueKinds;
export type ScheduledKind = {
  [Kind in DueKind]: (typeof dueKinds)[Kind] extends { scheduled: true } ? Kind : never;
}[DueKind];
export type SweptKind = Exclude<DueKind, ScheduledKind>;

export const dueWork = (kind: DueKind): DueWork => dueKinds[kind];

/** Holds because the table has its kinds and nothing else. */
const kindsIn = (table: typeof dueKinds): DueKind[] => Object.keys(table) as DueKind[];

export const sweptKinds = kindsIn(dueKinds).filter((kind): kind is SweptKind => !dueWork(kind).scheduled);

/** So long a message may be under way before it counts as lost. */
export const messageGraceMs = 60_000;

/** Everything that is owed passes through these: one partition of the index takes a thousand writes a second, and no more. */
export const dueShards = 8;

const duePartition = (kind: DueKind, shard: number): string => `DUE#${kind}#${shard}`;

export const duePartitions = (kind: DueKind): string[] =>
  Array.from({ length: dueShards }, (_none, shard) => duePartition(kind, shard));

/** The place in the index of what is owed to somebody (or something) from then on, be it past or to come. */
export const due = (kind: DueKind, owner: string, fromMs: number): { duePk: string; dueSk: string } => ({
  duePk: duePartition(kind, shardOf(owner, dueShards)),
  dueSk: `${instant(fromMs)}#${owner}`,
});
