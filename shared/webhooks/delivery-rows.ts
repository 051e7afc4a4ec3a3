// Deliveries: one row for each event and endpoint, from its first attempt on. It says whether and when it is tried again.
// No worker holds a lease on it: its message is hidden while it is tried, and the second worker to settle it is refused.
import * as z from 'zod';
import { StoredEventType } from '../events/event.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Put, Update, Write } from '../platform/ports.ts';
import { Environment } from '../system/caller.ts';
import { keys, parseDeliveryKey, toSortableTimestamp } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { DeliveryStatus } from './webhook.ts';

/** A place of its own in the index of what is due: webhooks are deleted a few times a year, and wake no worker. */
const erasurePartition = 'DUE#webhooks';
const erasureIndexKeys = (webhook: string, fromMs: number) => ({
  duePk: erasurePartition,
  dueSk: `${toSortableTimestamp(fromMs)}#${webhook}`,
});
const parseWebhookId = (position: string): string => position.slice(position.indexOf('#') + 1);

const AttemptRow = z.object({
  atMs: z.number(),
  tookMs: z.number(),
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
  /** What is sent, byte for byte, at every attempt. */
  body: z.string(),
  status: DeliveryStatus,
  createdMs: z.number(),
  attempts: z.array(AttemptRow),
  /** Attempts of the current round; sending again begins a new one. */
  tries: z.number(),
  /** When it is tried next. Missing when it is not. */
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
  /** When it is due again, and when a sweep shall look for it. */
  due?: { atMs: number; sweepMs: number };
}

/** Behind every id. */
const afterAllIds = '~';
export const deliveryRetentionMs = 30 * 24 * 3600 * 1000;
const deliveryKey = (row: Pick<DeliveryRow, 'webhook' | 'id'>) => keys.delivery(row.webhook, row.id);
const computeTtl = (ms: number): number => Math.ceil((ms + deliveryRetentionMs) / 1000);

export const deliveryRows = repository(({ table }) => {
  return {
    /** A row that is not there yet: refused when the event was already handed to this endpoint. */
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
    /** Refused when somebody else has settled it, or begun another round, since it was read. */
    buildRecordOutcome(row: DeliveryRow, { status, tries, attempts, due: next }: DeliveryOutcome): Update {
      return {
        kind: 'update',
        key: deliveryKey(row),
        update:
          'SET #status = :status, #tries = :tries, #attempts = :attempts' +
          (next ? ', #dueMs = :at, #duePk = :duePk, #dueSk = :dueSk' : ' REMOVE #dueMs, #duePk, #dueSk'),
        condition: '#status = :pending AND #tries = :read',
        values: {
          status,
          tries,
          attempts: attempts.map((attempt) => ({ ...attempt })),
          pending: 'pending',
          read: row.tries,
          ...(next ? { at: next.atMs, ...pendingIndexKeys('deliver', row.id, next.sweepMs) } : {}),
        },
      };
    },
    /** Due now, with all attempts before it again; undefined when it changed since it was read. */
    async restart(row: DeliveryRow, nowMs: number, sweepMs: number): Promise<DeliveryRow | undefined> {
      const { applied, item } = await writeConditionally(table, {
        kind: 'update',
        key: deliveryKey(row),
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
    /** Its endpoint was deleted, and they go after it. */
    buildRequestErasure: (webhook: string, deletedMs: number): Write => ({
      kind: 'put',
      item: { ...keys.webhookTombstone(webhook), ...erasureIndexKeys(webhook, deletedMs) },
    }),
    /** The deleted endpoints whose time has come by then, the first of them. */
    async listDueErasures(byMs: number, limit: number): Promise<string[]> {
      const { items } = await table.query({
        index: 'by-due',
        where: '#duePk = :due AND #dueSk <= :last',
        values: { due: erasurePartition, last: toSortableTimestamp(byMs) },
        limit: limit,
      });
      return items.map((item) => parseWebhookId(z.object({ dueSk: z.string() }).parse(item).dueSk));
    },
    /** Since when they are being erased, which the sweep leaves alone until the next visit; undefined when nothing is left to erase. */
    async beginErasure(webhook: string, nowMs: number, againMs: number): Promise<number | undefined> {
      const { applied, item } = await writeConditionally(table, {
        kind: 'update',
        key: keys.webhookTombstone(webhook),
        update: 'SET #begunMs = if_not_exists(#begunMs, :now), #duePk = :duePk, #dueSk = :dueSk',
        condition: 'attribute_exists(#pk)',
        values: { now: nowMs, ...erasureIndexKeys(webhook, againMs) },
      });
      return applied ? z.object({ begunMs: z.number() }).parse(item).begunMs : undefined;
    },
    /** Erases some, and says how many. */
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
      await table.write({ kind: 'delete', key: deliveryKey(row) });
    },

    async findById(webhook: string, delivery: string): Promise<DeliveryRow | undefined> {
      const item = await table.get(keys.delivery(webhook, delivery), { consistent: true });
      return item && parseRow(item);
    },
    /** Newest event first, from the one before `beforeId`. */
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
    /** Those of the deliveries that are there, by id. */
    async findExisting(ids: readonly Pick<DeliveryRow, 'webhook' | 'id'>[]): Promise<Map<string, DeliveryRow>> {
      const items = await table.batchGet(ids.map(deliveryKey), { consistent: true });
      return new Map(items.map(parseRow).map((row) => [row.id, row]));
    },
  };
});

function parseRow(item: Item): DeliveryRow {
  const { webhook_id, delivery_id } = parseDeliveryKey(z.object({ pk: z.string(), sk: z.string() }).parse(item));
  return { webhook: webhook_id, id: delivery_id, ...DeliveryItem.parse(item) };
}
