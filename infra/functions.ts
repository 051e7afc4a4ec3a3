// THE MAP: every function, what triggers it, what it may do, and what breaks when it fails. The cloud and the local host walk it.
// Those that answer requests are in `api-functions.ts`; here are those that work behind them.
import { pageType } from '../shared/model/event.ts';
import type { QueueName } from '../shared/model/jobs.ts';
import { apiFunctions } from './api-functions.ts';
import type { FunctionSpec, QueueSpec, TableAction } from './function-spec.ts';

/** Reads and rewrites a user's days. */
const works = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
] as const satisfies TableAction[];

/** Finds what is owed, and remembers where to go on. */
const sweeps = ['GetItem', 'Query', 'PutItem', 'DeleteItem'] as const satisfies TableAction[];

export const functions = {
  ...apiFunctions,
  ingest: {
    entry: 'functions/workers/ingest/handler.ts',
    trigger: { kind: 'queue', queue: 'ingest', batchSize: 2, mostAtOnce: 120 },
    table: [...works, 'ConditionCheckItem'],
    sends: ['ingest', 'score'],
    publishes: false,
    secret: false,
    memoryMb: 1024,
    timeoutSeconds: 60,
    whenItFails: 'new wearable data is late; nothing is lost (dead letters in IngestDead)',
  },
  sync: {
    entry: 'functions/workers/sync/handler.ts',
    // Most of a run is waiting for a vendor, so it waits for four people at once: what they may bring at the very most still fits into its memory.
    trigger: { kind: 'queue', queue: 'sync', batchSize: 4, atOnce: 5, mostAtOnce: 300 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['ingest', 'sync'],
    publishes: false,
    secret: true,
    calls: ['providers'],
    vendors: ['credentials', 'tokens'],
    memoryMb: 1024,
    timeoutSeconds: 60,
    whenItFails: 'nothing new comes from wearables; whatever was to be asked for stays owed (dead letters in SyncDead)',
  },
  poll: {
    entry: 'functions/workers/poll/handler.ts',
    trigger: { kind: 'schedule', everyMinutes: 1 },
    table: [...sweeps],
    sends: ['sync'],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails:
      'only fresh pushes are worked on: nobody is polled, nothing that waited or failed is tried again, and consents are not given back',
  },
  consolidate: {
    entry: 'functions/workers/consolidate/handler.ts',
    trigger: { kind: 'queue', queue: 'consolidate', batchSize: 5, mostAtOnce: 40 },
    table: [...works],
    sends: ['consolidate', 'score'],
    publishes: false,
    secret: false,
    memoryMb: 1024,
    timeoutSeconds: 60,
    whenItFails:
      'changed consolidation settings show late; the days stay as they were (dead letters in ConsolidateDead)',
  },
  score: {
    entry: 'functions/workers/score/handler.ts',
    trigger: { kind: 'queue', queue: 'score', batchSize: 5, mostAtOnce: 60 },
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['score'],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails: 'scores are late and keep their last values; the data itself is current (dead letters in ScoreDead)',
  },
  erase: {
    entry: 'functions/workers/erase/handler.ts',
    trigger: { kind: 'queue', queue: 'erase', batchSize: 5, mostAtOnce: 20 },
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    sends: ['erase', 'sync'],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails:
      'what deleted users and webhooks left stays longer than it should, out of reach of every caller (dead letters in EraseDead)',
  },
  relay: {
    entry: 'functions/workers/relay/handler.ts',
    // Rows of a second go in one message for each environment: its writer works one message at a time.
    trigger: { kind: 'stream', attribute: 'feed', batchSize: 500, windowSeconds: 1 },
    table: [],
    sends: ['feed'],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 30,
    whenItFails:
      'events reach the feed and the webhooks a minute or two late, by the sweep (dead letters in RelayFunctionDead)',
  },
  feed: {
    entry: 'functions/workers/feed/handler.ts',
    // One message a run: a batch of several environments would make each wait for the slowest.
    trigger: { kind: 'queue', queue: 'feed', batchSize: 1, mostAtOnce: 18 },
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: [],
    publishes: true,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails: 'events reach the feed and the webhooks late; each stays in the outbox (dead letters in FeedDead)',
  },
  'fan-out': {
    entry: 'functions/workers/fan-out/handler.ts',
    trigger: { kind: 'queue', queue: 'fan-out', batchSize: 10, mostAtOnce: 20, busTypes: [pageType] },
    table: ['GetItem', 'BatchGetItem', 'Query', 'UpdateItem'],
    sends: ['deliver', 'fan-out'],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 30,
    whenItFails:
      'webhooks learn late of what happens; a page of the feed stays due until they have (dead letters in FanOutDead)',
  },
  deliver: {
    entry: 'functions/workers/deliver/handler.ts',
    trigger: { kind: 'queue', queue: 'deliver', batchSize: 5, atOnce: 500, mostAtOnce: 100 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['deliver'],
    publishes: false,
    secret: true,
    calls: ['webhooks'],
    memoryMb: 512,
    timeoutSeconds: 30,
    whenItFails:
      'webhook deliveries are late; each stays due in the table until it succeeds or is given up (dead letters in DeliverDead)',
  },
  'send-invitations': {
    entry: 'functions/workers/send-invitations/handler.ts',
    trigger: { kind: 'queue', queue: 'mail', batchSize: 5, mostAtOnce: 2 },
    table: ['GetItem', 'PutItem'],
    sends: ['mail'],
    publishes: false,
    secret: true,
    mails: true,
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails:
      'invited people get their message late; each stays due in the table for a day (dead letters in MailDead)',
  },
  'seed-sandbox': {
    entry: 'functions/workers/seed-sandbox/handler.ts',
    trigger: { kind: 'queue', queue: 'seed', batchSize: 5, mostAtOnce: 20 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['ingest', 'sync'],
    publishes: false,
    secret: true,
    calls: ['providers'],
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails: 'sandbox users have no data, or none that is new; live users never notice (dead letters in SeedDead)',
  },
  'feed-sandbox': {
    entry: 'functions/workers/feed-sandbox/handler.ts',
    trigger: { kind: 'schedule', everyMinutes: 15 },
    table: [...sweeps],
    sends: ['seed'],
    publishes: false,
    secret: false,
    memoryMb: 256,
    timeoutSeconds: 60,
    whenItFails: 'sandbox users get no new data until this runs again; then they catch up on a week at most',
  },
  sweep: {
    entry: 'functions/workers/sweep/handler.ts',
    trigger: { kind: 'schedule', everyMinutes: 1 },
    table: [...sweeps, 'BatchGetItem', 'UpdateItem', 'ConditionCheckItem'],
    sends: ['erase', 'ingest', 'consolidate', 'score', 'feed', 'fan-out', 'deliver', 'seed', 'mail'],
    publishes: false,
    secret: false,
    memoryMb: 1024,
    timeoutSeconds: 60,
    whenItFails:
      'work whose wake-up message was lost waits until this runs again, and so do users who are to be moved to new formulas; nobody is told that a key expires',
  },
} as const satisfies Record<string, FunctionSpec>;

export const queues = {
  erase: { maxReceives: 5 },
  ingest: { maxReceives: 5 },
  consolidate: { maxReceives: 5 },
  deliver: { maxReceives: 5 },
  score: { maxReceives: 5 },
  seed: { maxReceives: 5 },
  'fan-out': { maxReceives: 5 },
  mail: { maxReceives: 5 },
  feed: { maxReceives: 10 },
  sync: { maxReceives: 5 },
} as const satisfies Record<QueueName, QueueSpec>;
