// THE MAP: every function, what triggers it, what it may do, and what breaks when it fails. The cloud and the local host walk it.
// Those that answer requests are in `api-functions.ts`; here are those that work behind them.
import { feedPageType } from '../shared/events/event.ts';
import type { QueueName } from '../shared/system/jobs.ts';
import { apiFunctions } from './api-functions.ts';
import type { FunctionSpec, QueueSpec, TableAction } from './function-spec.ts';

/** Reads and rewrites a user's days. */
const userDataActions = [
  'GetItem',
  'BatchGetItem',
  'Query',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'BatchWriteItem',
] as const satisfies TableAction[];

/** Finds what is owed, and remembers where to go on. */
const sweepActions = ['GetItem', 'Query', 'PutItem', 'DeleteItem'] as const satisfies TableAction[];

export const functions = {
  ...apiFunctions,
  'write-user': {
    entry: 'functions/workers/write-user.ts',
    trigger: { kind: 'queue', queue: 'user', batchSize: 1, maxConcurrency: 220 },
    table: [...userDataActions, 'ConditionCheckItem'],
    sends: ['user', 'connection'],
    publishes: false,
    secret: false,
    memoryMb: 1024,
    timeoutSeconds: 60,
    whenItFails: 'new data, changed settings and scores show late, and deleted users are erased late; nothing is lost',
  },
  sync: {
    entry: 'functions/workers/sync.ts',
    // One connection a run: a batch of several would have each wait for the slowest provider.
    trigger: { kind: 'queue', queue: 'connection', batchSize: 1, localConcurrency: 20, maxConcurrency: 300 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['user', 'connection'],
    publishes: false,
    secret: true,
    calls: ['providers'],
    providerSecrets: ['credentials', 'tokens'],
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails: 'nothing new comes from wearables; whatever was to be asked for stays owed',
  },
  poll: {
    entry: 'functions/workers/poll.ts',
    trigger: { kind: 'schedule', everyMinutes: 1 },
    table: [...sweepActions],
    sends: ['connection'],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails:
      'only fresh pushes are worked on: nobody is polled, nothing that waited or failed is tried again, and consents are not given back',
  },
  relay: {
    entry: 'functions/workers/relay.ts',
    // Rows of a second go in one message for each environment: its writer works one message at a time.
    trigger: { kind: 'stream', attribute: 'feed', batchSize: 500, windowSeconds: 1 },
    table: [],
    sends: ['feed'],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 30,
    whenItFails: 'events reach the feed and the webhooks a minute or two late, by the sweep',
  },
  feed: {
    entry: 'functions/workers/feed.ts',
    // Messages of an environment become one piece of work: each shard of the stream sends its own.
    trigger: { kind: 'queue', queue: 'feed', batchSize: 10, maxConcurrency: 18 },
    table: ['BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: [],
    publishes: true,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails: 'events reach the feed and the webhooks late; each stays in the outbox',
  },
  deliver: {
    entry: 'functions/workers/deliver.ts',
    trigger: {
      kind: 'queue',
      queue: 'deliver',
      batchSize: 5,
      localConcurrency: 500,
      maxConcurrency: 120,
      busTypes: [feedPageType],
    },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['deliver'],
    publishes: false,
    secret: true,
    calls: ['webhooks'],
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails: 'webhook deliveries are late; each stays due in the table until it succeeds or is given up',
  },
  'send-invitations': {
    entry: 'functions/workers/send-invitations.ts',
    trigger: { kind: 'queue', queue: 'mail', batchSize: 5, maxConcurrency: 2 },
    table: ['GetItem', 'PutItem'],
    sends: ['mail'],
    publishes: false,
    secret: true,
    mails: true,
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails: 'invited people get their message late; each stays due in the table for a day',
  },
  'seed-sandbox': {
    entry: 'functions/workers/seed-sandbox.ts',
    trigger: { kind: 'queue', queue: 'seed', batchSize: 5, maxConcurrency: 20 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['user', 'connection'],
    publishes: false,
    secret: true,
    calls: ['providers'],
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails: 'sandbox users have no data, or none that is new; live users never notice',
  },
  'feed-sandbox': {
    entry: 'functions/workers/feed-sandbox.ts',
    trigger: { kind: 'schedule', everyMinutes: 15 },
    table: [...sweepActions],
    sends: ['seed'],
    publishes: false,
    secret: false,
    memoryMb: 256,
    timeoutSeconds: 60,
    whenItFails: 'sandbox users get no new data until this runs again; then they catch up on a week at most',
  },
  sweep: {
    entry: 'functions/workers/sweep.ts',
    trigger: { kind: 'schedule', everyMinutes: 1 },
    table: [...sweepActions, 'BatchGetItem', 'UpdateItem', 'BatchWriteItem', 'ConditionCheckItem'],
    sends: ['user', 'feed', 'deliver', 'seed', 'mail'],
    publishes: false,
    secret: false,
    memoryMb: 1024,
    timeoutSeconds: 60,
    whenItFails:
      'work whose wake-up message was lost waits until this runs again, and so do users who are to be moved to new formulas; nobody is told that a key expires, and what deleted webhooks left stays',
  },
} as const satisfies Record<string, FunctionSpec>;

export const queues = {
  user: { maxReceives: 10 },
  deliver: { maxReceives: 5 },
  seed: { maxReceives: 5 },
  mail: { maxReceives: 5 },
  feed: { maxReceives: 10 },
  connection: { maxReceives: 5 },
} as const satisfies Record<QueueName, QueueSpec>;
