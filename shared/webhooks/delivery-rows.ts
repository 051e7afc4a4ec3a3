import { createHash } from 'node:crypto';
// Rows of deliveries: one for each event and endpoint, from the first attempt on. It stores whether
// and when the delivery is retried. Workers take no lease on it: its message is hidden during an
// attempt, and the second worker to record an outcome fails.
import * as z from 'zod';
import { StoredEventType } from '../events/event.ts';
import type { EventRow } from '../events/event-row.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Put, Update, Value, Write } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { Environment } from '../system/caller.ts';
import { makeId } from '../system/ids.ts';
import { keys, parseDeliveryKey, toSortableTimestamp } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { DeliveryStatus } from './webhook.ts';

/**
 * Its own partition of the due index: webhooks are deleted a few times a year, and need no worker.
 */
const erasurePartition = 'DUE#webhooks';
const erasureIndexKeys = (webhook: string, fromMs: number) => ({
  duePk: erasurePartition,
  dueSk: `${toSortableTimestamp(fromMs)}#${webhook}`,
});
const parseWebhookId = (position: string): string => position.slice(position.indexOf('#') + 1);

const AttemptRow = z.object({
  atMs: z.number(),
  durationMs: z.number(),
  status: z.number().nullable(),
  body: z.string().nullable(),
  error: z.enum(['timeout', 'connection', 'address_refused']).nullable(),
});
export type AttemptRow = z.infer<typeof AttemptRow>;

const DeliveryItem = z.object({
  account: z.string(),
  env: Environment,
  eventId: z.string(),
  eventType: StoredEventType,
  /** The exact bytes that every attempt sends. */
  body: z.string(),
  status: DeliveryStatus,
  createdMs: z.number(),
  attempts: z.array(AttemptRow),
  /** Attempts of the current round. A redelivery starts a new round. */
  tries: z.number(),
  /** When the next attempt is due. Missing if there is none. */
  dueMs: z.number().optional(),
});
export interface DeliveryRow extends z.infer<typeof DeliveryItem> {
  webhook: string;
  id: string;
}

export interface DeliveryOutcome {
  status: DeliveryStatus;
  tries: number;
  attempts: AttemptRow[];
  /** When the delivery is due again, and when a sweep should look for it. */
  due?: { atMs: number; sweepMs: number };
}

/** Sorts after every id. */
const afterAllIds = '~';
export const deliveryRetentionMs = 30 * 24 * 3600 * 1000;
const rowKey = (row: Pick<DeliveryRow, 'webhook' | 'id'>) => keys.delivery(row.webhook, row.id);
const computeTtl = (ms: number): number => Math.ceil((ms + deliveryRetentionMs) / 1000);

export const deliveryRows = repository(({ table }) => {
  return {
    /** Inserts a new row. Fails if the event was already sent to this endpoint. */
    buildInsert({ webhook, id, ...row }: DeliveryRow, { status, tries, attempts, due: next }: DeliveryOutcome): Put {
      return {
        kind: 'put',
        item: {
          ...keys.delivery(webhook, id),
          account: row.account,
          env: row.env,
          eventId: row.eventId,
          eventType: row.eventType,
          body: row.body,
          status,
          createdMs: row.createdMs,
          attempts: attempts.map((attempt) => ({ ...attempt })),
          tries,
          ttl: computeTtl(row.createdMs),
          ...(next ? { dueMs: next.atMs, ...pendingIndexKeys('deliver', id, next.sweepMs) } : {}),
        },
        condition: 'attribute_not_exists(#pk)',
      };
    },
    /**
     * Fails if another worker has recorded an outcome or started another round since the row was
     * read.
     */
    buildRecordOutcome(row: DeliveryRow, { status, tries, attempts, due: next }: DeliveryOutcome): Update {
      const outcome = {
        status,
        tries,
        attempts: attempts.map((attempt) => ({ ...attempt })),
      } satisfies Record<Exclude<keyof DeliveryOutcome, 'due'>, Value>;
      const sets = {
        ...outcome,
        ...(next ? { dueMs: next.atMs, ...pendingIndexKeys('deliver', row.id, next.sweepMs) } : {}),
      };
      return {
        kind: 'update',
        key: rowKey(row),
        update: buildSetClause(sets) + (next ? '' : ' REMOVE #dueMs, #duePk, #dueSk'),
        condition: '#status = :pending AND #tries = :read',
        values: { ...sets, pending: 'pending', read: row.tries },
      };
    },
    /**
     * Makes the delivery due now, with a full set of attempts. Returns undefined if it has changed
     * since it was read.
     */
    async restart(row: DeliveryRow, nowMs: number, sweepMs: number): Promise<DeliveryRow | undefined> {
      const { applied, item } = await writeConditionally(table, {
        kind: 'update',
        key: rowKey(row),
        update: 'SET #status = :pending, #tries = :none, #dueMs = :now, #duePk = :duePk, #dueSk = :dueSk, #ttl = :ttl',
        condition: '#status = :was AND #tries = :read',
        values: {
          pending: 'pending',
          none: 0,
          now: nowMs,
          ...pendingIndexKeys('deliver', row.id, sweepMs),
          ttl: computeTtl(nowMs),
          was: row.status,
          read: row.tries,
        },
      });
      return applied && item ? parseRow(item) : undefined;
    },
    /** Part of deleting an endpoint: requests the erasure of its deliveries. */
    buildRequestErasure: (webhook: string, deletedMs: number): Write => ({
      kind: 'put',
      item: { ...keys.webhookTombstone(webhook), ...erasureIndexKeys(webhook, deletedMs) },
    }),
    /** The first deleted endpoints whose erasure is due by `byMs`. */
    async listDueErasures(byMs: number, limit: number): Promise<string[]> {
      const { items } = await table.query({
        index: 'by-due',
        where: '#duePk = :due AND #dueSk <= :last',
        values: { due: erasurePartition, last: toSortableTimestamp(byMs) },
        limit: limit,
      });
      return items.map((item) => parseWebhookId(z.object({ dueSk: z.string() }).parse(item).dueSk));
    },
    /**
     * Starts or resumes an erasure and hides it from the sweep until `againMs`. Returns when it
     * started; undefined if nothing is left to erase.
     */
    async beginErasure(webhook: string, nowMs: number, againMs: number): Promise<number | undefined> {
      const { applied, item } = await writeConditionally(table, {
        kind: 'update',
        key: keys.webhookTombstone(webhook),
        update: 'SET #startedMs = if_not_exists(#startedMs, :now), #duePk = :duePk, #dueSk = :dueSk',
        condition: 'attribute_exists(#pk)',
        values: { now: nowMs, ...erasureIndexKeys(webhook, againMs) },
      });
      return applied ? z.object({ startedMs: z.number() }).parse(item).startedMs : undefined;
    },
    /** Erases up to `limit` deliveries and returns how many. */
    async eraseBatch(webhook: string, limit: number): Promise<number> {
      const { pk, sk } = keys.delivery(webhook, '');
      const { items } = await table.query({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk, prefix: sk },
        limit: limit,
        consistent: true,
        only: ['pk', 'sk'],
      });
      await table.batchWrite(
        items.map((item) => ({ kind: 'delete', key: z.object({ pk: z.string(), sk: z.string() }).parse(item) })),
      );
      return items.length;
    },
    async finishErasure(webhook: string): Promise<void> {
      await table.write({ kind: 'delete', key: keys.webhookTombstone(webhook) });
    },
    async remove(row: DeliveryRow): Promise<void> {
      await table.write({ kind: 'delete', key: rowKey(row) });
    },

    async findById(webhook: string, delivery: string): Promise<DeliveryRow | undefined> {
      const item = await table.get(keys.delivery(webhook, delivery), { consistent: true });
      return item && parseRow(item);
    },
    /** Newest event first, starting before `beforeId`. */
    async readPage(
      webhook: string,
      limit: number,
      beforeId: string | undefined,
    ): Promise<{ deliveries: DeliveryRow[]; more: boolean }> {
      const first = keys.delivery(webhook, '');
      const page = await table.query({
        where: '#pk = :pk AND #sk BETWEEN :first AND :last',
        values: { pk: first.pk, first: first.sk, last: keys.delivery(webhook, beforeId ?? afterAllIds).sk },
        newestFirst: true,
        limit: limit + 2,
        consistent: true,
      });
      const deliveries = page.items.map(parseRow).filter(({ id }) => id !== beforeId);
      return { deliveries: deliveries.slice(0, limit), more: deliveries.length > limit || page.next !== undefined };
    },
    /** The deliveries that exist, by id. */
    async findExisting(ids: readonly Pick<DeliveryRow, 'webhook' | 'id'>[]): Promise<Map<string, DeliveryRow>> {
      const items = await table.batchGet(ids.map(rowKey), { consistent: true });
      return new Map(items.map(parseRow).map((row) => [row.id, row]));
    },
  };
});

function parseRow(item: Item): DeliveryRow {
  const { webhook_id, delivery_id } = parseDeliveryKey(z.object({ pk: z.string(), sk: z.string() }).parse(item));
  return { webhook: webhook_id, id: delivery_id, ...DeliveryItem.parse(item) };
}

/** Deterministic for an event and an endpoint, and in the order of the events. */
export const deliveryKey = (webhook: string, { id, atMs }: Pick<EventRow, 'id' | 'atMs'>) => ({
  webhook,
  id: makeId('delivery', atMs, createHash('sha256').update(`${id}.${webhook}`).digest()),
});
