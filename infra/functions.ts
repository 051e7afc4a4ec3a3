// THE MAP: every function, what triggers it, what it may do, and what breaks when it fails. The cloud and the local host walk it.
import type { Route } from '../shared/http/route.ts';
import type { QueueName } from '../shared/model/jobs.ts';

export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem'
  | 'ConditionCheckItem';

export type Trigger =
  /** `fallback` also takes every request that no other function's routes match. */
  | { kind: 'http'; routes: readonly Pick<Route, 'method' | 'path'>[]; fallback?: boolean }
  | { kind: 'queue'; queue: QueueName; batchSize: number }
  /** Item images of the table's stream whose `sk` begins with one of these. */
  | { kind: 'stream'; skPrefixes: readonly string[]; batchSize: number }
  /** Events of the bus by detail type; an empty list means all of them. */
  | { kind: 'bus'; types: readonly string[] }
  | { kind: 'schedule'; everyMinutes: number };

export interface FunctionSpec {
  entry: string;
  trigger: Trigger;
  table: readonly TableAction[];
  sends: readonly QueueName[];
  publishes: boolean;
  /** Whether it needs the deployment's root secret (API keys, tokens, cursors, encryption). */
  secret: boolean;
  memoryMb: number;
  timeoutSeconds: number;
  whenItFails: string;
}

export interface QueueSpec {
  /** After so many failed tries a message moves to the queue's dead-letter queue. */
  maxReceives: number;
}
