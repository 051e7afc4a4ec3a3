// Deliveries: one row for each event and endpoint. It says what is owed and when; whoever tries holds it by a lease.
import * as z from 'zod';
import type { Key, Write } from '../engine/ports.ts';
import { Environment } from '../model/account.ts';
import { KeptEventType } from '../model/event.ts';
import type { Job } from '../model/jobs.ts';
import { DeliveryStatus } from '../model/webhook.ts';
import { conditionalWrite } from './conditional-write.ts';
import { due } from './due.ts';
import { begunAt } from './erasure.ts';
import { instant, keys } from './keys.ts';
import { repository } from './store.ts';

/** A place of its own in the index of what is due: webhooks are deleted a few times a year, and wake no worker. */
const erasures = 'DUE#webhooks';
const erasureAt = (webhook: string, fromMs: number) => ({ duePk: erasures, dueSk: `${instant(fromMs)}#${webhook}` });
const webhookIn = (place: string): string => place.slice(place.indexOf('#') + 1);

const AttemptRow = z.object({
  atMs: z.number(),
  tookMs: z.number(),
  status: z.number().nullable(),
  body: z.string().nullable(),
  error: z.enum(['timeout', 'connection', 'address_refused']).nullable(),
});
export type AttemptRow = z.infer<typeof AttemptRow>;

export const DeliveryRow = z.object({
  id: z.string(),
  webhook: z.string(),
  account: z.string(),
  env: Environment,
  eventId: z.string(),
  eventType: KeptEventType,
  /** What is sent, byte for byte, at every attempt. */
  body: z.string(),
  status: DeliveryStatus,
  createdMs: z.number(),
  attempts: z.array(AttemptRow),
  /** Attempts of the current round; sending again begins a new one. */
  tries: z.number(),
  /** Not before then; while somebody tries, how long the lease holds. Missing when nothing is owed. */
  dueMs: z.number().optional(),
  claimed: z.boolean(),
  /** Counts the leases and revivals, so that only the holder of the last one can settle it. */
  claims: z.number(),
});
export type DeliveryRow = z.infer<typeof DeliveryRow>;

export interface Settled {
  status: DeliveryStatus;
  tries: number;
  attempts: AttemptRow[];
  /** When it is due again, and when a sweep shall look for it. */
  due?: { atMs: number; sweepMs: number };
}

/** Behind every id. */
const behindAll = '~';
const keptSeconds = 30 * 24 * 3600;
const keyOf = (row: Pick<DeliveryRow, 'webhook' | 'id'>) => keys.delivery(row.webhook, row.id);
const expiry = (ms: number): number => Math.ceil(ms / 1000) + keptSeconds;

export const deliveryRows = repository(({ table }) => {
  return {
    /** False when the event was already handed to this endpoint. */
    async insert(row: DeliveryRow, sweepMs: number): Promise<boolean> {
      const place = row.dueMs === undefined ? {} : due('deliver', row.id, sweepMs);
      const { held } = await conditionalWrite(table, {
        kind: 'put',
        item: { ...keyOf(row), ...withoutUndefined(row), ...place, ttl: expiry(row.createdMs) },
        condition: 'attribute_not_exists(#pk)',
      });
      return held;
    },
    /**
     * The row for whoever comes first; undefined when it is not due, not pending or in other hands.
     * Its place in the index stays: a sweep that comes by too early finds it leased, and one after a crash finds it due.
     */
    async lease({ webhook_id, delivery_id }: Job<'deliver'>, nowMs: number, untilMs: number) {
      const { held, item } = await conditionalWrite(table, {
        kind: 'update',
        key: keys.delivery(webhook_id, delivery_id),
        update: 'SET #dueMs = :until, #claimed = :yes, #claims = #claims + :one',
        condition: '#status = :pending AND #dueMs <= :now',
        values: { until: untilMs, yes: true, one: 1, pending: 'pending', now: nowMs },
      });
      return held ? DeliveryRow.parse(item) : undefined;
    },
    /** Refused when the lease was lost meanwhile. */
    settling(row: DeliveryRow, { status, tries, attempts, due: next }: Settled): Write & { kind: 'update' } {
      return {
        kind: 'update',
        key: keyOf(row),
        update:
          'SET #status = :status, #tries = :tries, #attempts = :attempts, #claimed = :no' +
          (next ? ', #dueMs = :at, #duePk = :duePk, #dueSk = :dueSk' : ' REMOVE #dueMs, #duePk, #dueSk'),
        condition: '#claims = :claims',
        values: {
          status,
          tries,
          attempts: attempts.map((attempt) => ({ ...attempt })),
          no: false,
          claims: row.claims,
          ...(next ? { at: next.atMs, ...due('deliver', row.id, next.sweepMs) } : {}),
        },
      };
    },
    /** False when the lease was lost meanwhile. */
    async settle(row: DeliveryRow, settled: Settled): Promise<boolean> {
      return (await conditionalWrite(table, this.settling(row, settled))).held;
    },
    /** Due now, with all attempts before it again; undefined when somebody has it in hand or it changed meanwhile. */
    async revive(row: DeliveryRow, nowMs: number, sweepMs: number): Promise<DeliveryRow | undefined> {
      const { duePk, dueSk } = due('deliver', row.id, sweepMs);
      const { held, item } = await conditionalWrite(table, {
        kind: 'update',
        key: keyOf(row),
        update:
          'SET #status = :pending, #tries = :none, #dueMs = :now, #duePk = :duePk, #dueSk = :dueSk, ' +
          '#claimed = :no, #claims = #claims + :one, #ttl = :ttl',
        condition: '#claims = :read AND #claimed = :no',
        values: {
          pending: 'pending',
          none: 0,
          now: nowMs,
          duePk,
          dueSk,
          no: false,
          one: 1,
          ttl: expiry(nowMs),
          read: row.claims,
        },
      });
      return held ? DeliveryRow.parse(item) : undefined;
    },
    /** Its endpoint was deleted, and they go after it. */
    owingErasure: (webhook: string, deletedMs: number): Write => ({
      kind: 'put',
      item: { ...keys.webhookTombstone(webhook), ...erasureAt(webhook, deletedMs) },
    }),
    /** The deleted endpoints whose time has come by then, the first of them. */
    async toErase(byMs: number, atMost: number): Promise<string[]> {
      const { items } = await table.query({
        index: 'by-due',
        where: '#duePk = :due AND #dueSk <= :last',
        values: { due: erasures, last: instant(byMs) },
        limit: atMost,
      });
      return items.map((item) => webhookIn(z.object({ dueSk: z.string() }).parse(item).dueSk));
    },
    /** Since when they are being erased; undefined when nothing of them is owed to anybody. */
    beginErasure: (webhook: string, nowMs: number, againMs: number): Promise<number | undefined> =>
      begunAt(
        table,
        keys.webhookTombstone(webhook),
        { nowMs, nextVisit: erasureAt(webhook, againMs) },
        { condition: 'attribute_exists(#pk)', values: {} },
      ),
    /** Erases some, and says how many. */
    async eraseSome(webhook: string, atMost: number): Promise<number> {
      const { pk, sk } = keys.delivery(webhook, '');
      const { items } = await table.query({
        where: '#pk = :pk AND begins_with(#sk, :prefix)',
        values: { pk, prefix: sk },
        limit: atMost,
        consistent: true,
        only: ['pk', 'sk'],
      });
      await table.batchWrite(
        items.map((item) => ({ kind: 'delete', key: z.object({ pk: z.string(), sk: z.string() }).parse(item) })),
      );
      return items.length;
    },
    async erased(webhook: string): Promise<void> {
      await table.write({ kind: 'delete', key: keys.webhookTombstone(webhook) });
    },
    /** Whoever tried it is gone: it is due now. */
    async endLease(key: Key, nowMs: number): Promise<void> {
      await conditionalWrite(table, {
        kind: 'update',
        key,
        update: 'SET #dueMs = :now, #claimed = :no, #claims = #claims + :one',
        condition: '#claimed = :yes',
        values: { now: nowMs, no: false, yes: true, one: 1 },
      });
    },
    async forget(row: DeliveryRow): Promise<void> {
      await table.write({ kind: 'delete', key: keyOf(row) });
    },

    async byId(webhook: string, delivery: string): Promise<DeliveryRow | undefined> {
      const item = await table.get(keys.delivery(webhook, delivery), { consistent: true });
      return item && DeliveryRow.parse(item);
    },
    /** Newest event first, from the one before `beforeId`. */
    async page(
      webhook: string,
      limit: number,
      beforeId: string | undefined,
    ): Promise<{ deliveries: DeliveryRow[]; more: boolean }> {
      const first = keys.delivery(webhook, '');
      const page = await table.query({
        where: '#pk = :pk AND #sk BETWEEN :first AND :last',
        values: { pk: first.pk, first: first.sk, last: keys.delivery(webhook, beforeId ?? behindAll).sk },
        newestFirst: true,
        limit: limit + 2,
        consistent: true,
      });
      const deliveries = page.items.map((item) => DeliveryRow.parse(item)).filter(({ id }) => id !== beforeId);
      return { deliveries: deliveries.slice(0, limit), more: deliveries.length > limit || page.next !== undefined };
    },
    async *from(webhook: string, firstId: string): AsyncGenerator<DeliveryRow> {
      const { pk, sk } = keys.delivery(webhook, firstId);
      const found = table.queryAll({
        where: '#pk = :pk AND #sk BETWEEN :first AND :last',
        values: { pk, first: sk, last: keys.delivery(webhook, behindAll).sk },
        consistent: true,
      });
      for await (const item of found) yield DeliveryRow.parse(item);
    },
  };
});

const withoutUndefined = ({ dueMs, ...row }: DeliveryRow) => (dueMs === undefined ? row : { ...row, dueMs });
