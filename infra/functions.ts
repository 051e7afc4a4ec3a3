// THE MAP: every function, what triggers it, what it may do, and what breaks when it fails. The cloud and the local host walk it.
import * as catalogs from '../functions/api/catalogs/routes.ts';
import * as connect from '../functions/api/connect/routes.ts';
import * as consolidation from '../functions/api/consolidation/routes.ts';
import * as data from '../functions/api/data/routes.ts';
import * as devices from '../functions/api/devices/routes.ts';
import * as events from '../functions/api/events/routes.ts';
import * as join from '../functions/api/join/routes.ts';
import * as push from '../functions/api/push/routes.ts';
import * as reference from '../functions/api/reference/routes.ts';
import * as sandboxVendor from '../functions/api/sandbox-vendor/routes.ts';
import * as scores from '../functions/api/scores/routes.ts';
import * as sdk from '../functions/api/sdk/routes.ts';
import * as team from '../functions/api/team/routes.ts';
import * as tokens from '../functions/api/tokens/routes.ts';
import * as users from '../functions/api/users/routes.ts';
import * as webhooks from '../functions/api/webhooks/routes.ts';
import type { Endpoint } from '../shared/http/endpoint.ts';
import type { QueueName } from '../shared/model/jobs.ts';
import type { FunctionSpec, QueueSpec, TableAction, Trigger } from './function-spec.ts';

const http = (
  endpoints: Record<string, Endpoint>,
  more: { fallback?: boolean; mostPerSecond?: number } = {},
): Trigger => ({
  kind: 'http',
  routes: Object.values(endpoints).map(({ route }) => route),
  ...more,
});

/** Authentication and rate limit: one conditional write on the item of the key, the phone's session or the user; user tokens also look up their environment's key. */
const admits = ['GetItem', 'UpdateItem'] as const satisfies TableAction[];

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

/** Numbers events and brings them to the bus. */
const publishes = ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'] as const satisfies TableAction[];

/** Finds what is owed, and remembers where to go on. */
const sweeps = ['GetItem', 'Query', 'PutItem', 'DeleteItem'] as const satisfies TableAction[];

export const functions = {
  catalogs: {
    entry: 'functions/api/catalogs/handler.ts',
    trigger: http(catalogs),
    table: [...admits],
    sends: [],
    publishes: false,
    secret: true,
    vendors: ['credentials'],
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'callers cannot read the catalogs; nothing else is touched',
  },
  users: {
    entry: 'functions/api/users/handler.ts',
    trigger: http(users),
    table: [...admits, 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['erase', 'ingest', 'score', 'seed'],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'users cannot be created, read, changed or deleted; their data keeps flowing',
  },
  tokens: {
    entry: 'functions/api/tokens/handler.ts',
    trigger: http(tokens),
    table: [...admits, 'Query', 'PutItem', 'ConditionCheckItem'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'apps get no new tokens; those already issued work until they expire',
  },
  devices: {
    entry: 'functions/api/devices/handler.ts',
    trigger: http(devices),
    table: [...admits, 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['ingest', 'sync'],
    publishes: false,
    secret: true,
    vendors: ['credentials'],
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'devices cannot be listed; they keep syncing',
  },
  connect: {
    entry: 'functions/api/connect/handler.ts',
    trigger: http(connect),
    table: ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['ingest', 'seed', 'sync'],
    publishes: false,
    secret: true,
    calls: ['providers'],
    vendors: ['credentials', 'new_tokens'],
    memoryMb: 512,
    timeoutSeconds: 29,
    whenItFails: 'nobody can connect a wearable, or disconnect it on a page; those connected keep syncing',
  },
  sdk: {
    entry: 'functions/api/sdk/handler.ts',
    trigger: http(sdk),
    table: [...admits, 'BatchGetItem', 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['ingest', 'consolidate'],
    publishes: false,
    secret: true,
    memoryMb: 1024,
    timeoutSeconds: 30,
    whenItFails: 'phones can neither sign in nor upload; they keep their data and send it later',
  },
  data: {
    entry: 'functions/api/data/handler.ts',
    trigger: http(data),
    table: [...admits, 'BatchGetItem', 'Query'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 1024,
    timeoutSeconds: 10,
    whenItFails: 'nobody can read health data; it keeps arriving',
  },
  events: {
    entry: 'functions/api/events/handler.ts',
    trigger: http(events),
    table: [...admits, 'Query'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'the events feed cannot be read; events wait in it, and webhooks go on',
  },
  scores: {
    entry: 'functions/api/scores/handler.ts',
    trigger: http(scores),
    table: [...admits, 'Query'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'nobody can read scores; they keep being computed',
  },
  team: {
    entry: 'functions/api/team/handler.ts',
    trigger: http(team),
    table: [...admits, 'Query', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: ['mail'],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'nobody can be invited, and the roster cannot be read or changed; invited people can still join',
  },
  join: {
    entry: 'functions/api/join/handler.ts',
    trigger: http(join),
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'nobody can accept an invitation; those that are pending stay so',
  },
  webhooks: {
    entry: 'functions/api/webhooks/handler.ts',
    trigger: http(webhooks),
    table: [...admits, 'Query', 'PutItem', 'DeleteItem'],
    sends: ['deliver', 'erase'],
    publishes: false,
    secret: true,
    calls: ['webhooks'],
    memoryMb: 512,
    timeoutSeconds: 25,
    whenItFails: 'webhooks cannot be registered, changed or looked into; deliveries go on',
  },
  push: {
    entry: 'functions/api/push/handler.ts',
    // A million people's wearables send a few hundred a second; whoever sends more takes nothing from the rest of the API, and most vendors send again.
    trigger: http(push, { mostPerSecond: 2_000 }),
    table: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
    sends: ['ingest', 'sync'],
    publishes: false,
    secret: true,
    vendors: ['credentials'],
    memoryMb: 1024,
    timeoutSeconds: 29,
    whenItFails: 'vendors cannot tell us of new data; most send again, and devices that fell silent are asked',
  },
  'sandbox-vendor': {
    entry: 'functions/api/sandbox-vendor/handler.ts',
    trigger: http(sandboxVendor),
    table: ['GetItem', 'PutItem'],
    sends: [],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails:
      'sandbox users can link no further wearables; those that are linked go on, and live users notice nothing',
  },
  reference: {
    entry: 'functions/api/reference/handler.ts',
    trigger: http(reference, { fallback: true }),
    table: [],
    sends: [],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'the documentation is away, and unknown paths get no proper 404',
  },
  consolidation: {
    entry: 'functions/api/consolidation/handler.ts',
    trigger: http(consolidation),
    table: [...admits, 'Query', 'PutItem'],
    sends: ['consolidate'],
    publishes: false,
    secret: true,
    memoryMb: 512,
    timeoutSeconds: 10,
    whenItFails: 'consolidation settings cannot be read or changed; those in force go on',
  },
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
  publish: {
    entry: 'functions/workers/publish/handler.ts',
    // Its own marks on an event are changes too, and must not wake it again.
    trigger: { kind: 'stream', skPrefixes: ['EVENT'], batchSize: 25, changes: ['INSERT'] },
    table: [...publishes],
    sends: [],
    publishes: true,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 30,
    whenItFails:
      'events reach the feed and the webhooks late; the sweep has them published again (dead letters in PublishFunctionDead)',
  },
  republish: {
    entry: 'functions/workers/republish/handler.ts',
    trigger: { kind: 'queue', queue: 'publish', batchSize: 5, mostAtOnce: 10 },
    table: [...publishes],
    sends: [],
    publishes: true,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 30,
    whenItFails: 'events that the stream or the bus lost wait; the next sweep asks again (dead letters in PublishDead)',
  },
  'fan-out': {
    entry: 'functions/workers/fan-out/handler.ts',
    trigger: { kind: 'bus', types: [] },
    table: ['Query', 'PutItem', 'DeleteItem'],
    sends: ['deliver'],
    publishes: false,
    secret: false,
    memoryMb: 512,
    timeoutSeconds: 30,
    whenItFails:
      'webhooks learn late of what happens; the bus tries again, and the sweep has what it gave up published again (dead letters in FanOutFunctionDead)',
  },
  deliver: {
    entry: 'functions/workers/deliver/handler.ts',
    trigger: { kind: 'queue', queue: 'deliver', batchSize: 5, atOnce: 500, mostAtOnce: 120 },
    table: ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'],
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
    trigger: { kind: 'queue', queue: 'mail', batchSize: 5, mostAtOnce: 10 },
    table: ['GetItem', 'PutItem'],
    sends: [],
    publishes: false,
    secret: true,
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
    vendors: ['tokens'],
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
    table: [...sweeps, 'BatchGetItem', 'ConditionCheckItem'],
    sends: ['erase', 'ingest', 'consolidate', 'score', 'publish', 'deliver', 'seed', 'mail'],
    publishes: false,
    secret: false,
    memoryMb: 1024,
    timeoutSeconds: 60,
    whenItFails:
      'work whose wake-up message was lost waits until this runs again, and so do users who are to be moved to new formulas',
  },
} as const satisfies Record<string, FunctionSpec>;

export const queues = {
  erase: { maxReceives: 5 },
  ingest: { maxReceives: 5 },
  consolidate: { maxReceives: 5 },
  deliver: { maxReceives: 5 },
  score: { maxReceives: 5 },
  seed: { maxReceives: 5 },
  publish: { maxReceives: 5 },
  mail: { maxReceives: 5 },
  sync: { maxReceives: 5 },
} as const satisfies Record<QueueName, QueueSpec>;
