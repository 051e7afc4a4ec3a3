// The function manifest: every function, what triggers it, what it can access, and what breaks when
// it fails. The cloud stack and the local host are both built from it. `api-functions.ts` has the
// functions that handle requests; this file has the workers.
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

/** Finds pending work, and stores where to continue. */
const sweepActions = ['GetItem', 'PutItem'] as const satisfies TableAction[];

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
    whenItFails:
      'new data, changed settings and scores appear late, and deleted users are erased late; nothing is lost',
  },
  sync: {
    entry: 'functions/workers/sync.ts',
    // One connection per run: in a larger batch, each connection would wait for the slowest
    // provider.
    trigger: { kind: 'queue', queue: 'connection', batchSize: 1, localConcurrency: 20, maxConcurrency: 300 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['user', 'connection'],
    publishes: false,
    secret: true,
    calls: ['providers'],
    providerSecrets: ['credentials', 'tokens'],
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails: 'no new data arrives from wearables; pending syncs stay in the table',
  },
  poll: {
    entry: 'functions/workers/poll.ts',
    trigger: { kind: 'schedule', everyMinutes: 1 },
    table: [...sweepActions],
    indexes: ['by-due'],
    sends: ['connection'],
    publishes: false,
    secret: false,
    providerSecrets: ['credentials'],
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails:
      'only new pushes are processed: nothing is polled, waiting or failed work is not retried, consents are not revoked at providers, and changed provider credentials go unnoticed',
  },
  relay: {
    entry: 'functions/workers/relay.ts',
    // The changed rows of one second become one message per environment, because the environment's
    // writer handles one message at a time.
    trigger: { kind: 'stream', attribute: 'feed', batchSize: 500, windowSeconds: 1 },
    table: [],
    sends: ['feed'],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 30,
    whenItFails: 'events reach the feed and the webhooks a minute or two late, through the sweep',
  },
  feed: {
    entry: 'functions/workers/feed.ts',
    // All messages of an environment in a batch are processed together: each shard of the stream
    // sends its own.
    trigger: { kind: 'queue', queue: 'feed', batchSize: 10, maxConcurrency: 18 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'],
    sends: ['feed'],
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
    whenItFails: 'webhook deliveries are late; each stays pending in the table until it succeeds or is given up',
  },
  'send-invitations': {
    entry: 'functions/workers/send-invitations.ts',
    trigger: { kind: 'queue', queue: 'mail', batchSize: 5, maxConcurrency: 2 },
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    sends: ['mail'],
    publishes: false,
    secret: true,
    mails: true,
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails:
      'invitation mail is late; each message stays pending in the table for one day. Nobody can sign in to the console with a link by mail',
  },
  'seed-sandbox': {
    entry: 'functions/workers/seed-sandbox.ts',
    trigger: { kind: 'queue', queue: 'seed', batchSize: 1, maxConcurrency: 20 },
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['user', 'connection', 'seed'],
    publishes: false,
    secret: true,
    calls: ['providers'],
    memoryMb: 512,
    timeoutSeconds: 60,
    whenItFails: 'sandbox users get no data, or no new data; live users are not affected',
  },
  'feed-sandbox': {
    entry: 'functions/workers/feed-sandbox.ts',
    trigger: { kind: 'schedule', everyMinutes: 15 },
    table: [...sweepActions],
    indexes: ['by-due'],
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
    table: [
      ...sweepActions,
      'BatchGetItem',
      'Query',
      'UpdateItem',
      'DeleteItem',
      'BatchWriteItem',
      'ConditionCheckItem',
    ],
    indexes: ['by-list', 'by-due'],
    sends: ['user', 'feed', 'deliver', 'seed', 'mail'],
    publishes: false,
    secret: false,
    memoryMb: 1024,
    timeoutSeconds: 60,
    whenItFails:
      'work whose wake-up message was lost waits until this runs again, as do users whose days or scores are of older merge rules or formulas; no events warn about expiring keys, data of deleted webhooks stays, and the console has gaps in its charts',
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
