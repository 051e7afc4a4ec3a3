// Rows of webhook endpoints, with their sealed secrets and their health. The row of a healthy
// endpoint is rarely written.
import * as z from 'zod';
import { StoredEventType } from '../events/event.ts';
import { BoundedCache } from '../platform/bounded-cache.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Value, Write } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { Environment } from '../system/caller.ts';
import { keys, webhookPartition } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { maxWebhooks, WebhookStatus } from './webhook.ts';

const Secret = z.object({
  sealed: z.string(),
  /** Until when it signs; null for the current secret. */
  untilMs: z.number().nullable(),
  /** The colleague who made the secret and saw it; null if it was an API key. */
  madeBy: z.string().nullable(),
});
export type SecretRow = z.infer<typeof Secret>;

export const WebhookRow = z.object({
  id: z.string(),
  account: z.string(),
  env: Environment,
  url: z.string(),
  events: z.array(z.union([StoredEventType, z.literal('*')])),
  status: WebhookStatus,
  /** Since when it has had this status. */
  statusMs: z.number(),
  disabledReason: z.enum(['gone', 'failing']).nullable(),
  description: z.string().nullable(),
  createdMs: z.number(),
  secrets: z.array(Secret),
  lastDeliveryMs: z.number().nullable(),
  /** Counts the changes through the API, so that two concurrent changes never undo each other. */
  revision: z.number(),
  /** Failed attempts of any delivery since the last success. */
  failures: z.number(),
  /**
   * Failed attempts since the endpoint exists. Written with the endpoint's health and never alone,
   * so it may be late.
   */
  failedAttempts: z.number().optional(),
  /** When the first of these failures happened. */
  failingSinceMs: z.number().optional(),
  /** While the circuit is open, nothing is sent before this time. */
  openUntilMs: z.number(),
  /**
   * The first page of the feed that was not sent to the endpoint; missing while events are sent as
   * they happen.
   */
  behindFrom: z.number().optional(),
  /** Until then, a worker is catching up for the endpoint. */
  turnUntilMs: z.number().optional(),
  /** Where the next recovery call for the same `since` continues. */
  recovery: z.object({ since: z.string(), first: z.number() }).optional(),
});
export type WebhookRow = z.infer<typeof WebhookRow>;

/** Every field that `buildUpdate` does not store. It stores all others: the compiler asks. */
type FieldKeptByUpdate = 'id' | 'account' | 'env' | 'createdMs' | 'lastDeliveryMs' | 'recovery' | HealthField;
/** What `buildUpdate` resets or keeps, whatever the new row says. */
type HealthField = 'failures' | 'failedAttempts' | 'failingSinceMs' | 'openUntilMs' | 'behindFrom' | 'turnUntilMs';

const webhookKey = (row: Pick<WebhookRow, 'account' | 'env' | 'id'>) => keys.webhook(row.account, row.env, row.id);

/** How many endpoints a process remembers failed attempts of. */
const maxNotedEndpoints = 10_000;

export const webhookRows = repository(({ table }) => {
  const notedFailures = new BoundedCache<string, number>(maxNotedEndpoints);
  /** The assignment that adds what was noted to the next write of the row. */
  function takeNotedFailures(webhook: string): { set: string; values: Item } {
    const count = notedFailures.get(webhook) ?? 0;
    notedFailures.delete(webhook);
    return count === 0
      ? { set: '', values: {} }
      : {
          set: ', #failedAttempts = if_not_exists(#failedAttempts, :zero) + :failedAttempts',
          values: { zero: 0, failedAttempts: count },
        };
  }

  return {
    /** Remembers failed attempts until this process next writes the endpoint's health. */
    noteFailedAttempts(webhook: string, count: number): void {
      if (count > 0) notedFailures.set(webhook, (notedFailures.get(webhook) ?? 0) + count);
    },
    async listByEnvironment(account: string, env: Environment): Promise<WebhookRow[]> {
      const rows: WebhookRow[] = [];
      const foundItems = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :hook)',
        values: { pk: webhookPartition(account, env), hook: 'HOOK#' },
        consistent: true,
      });
      for await (const item of foundItems) rows.push(WebhookRow.parse(item));
      return rows;
    },
    async findById(account: string, env: Environment, webhook: string): Promise<WebhookRow | undefined> {
      const item = await table.get(keys.webhook(account, env, webhook), { consistent: true });
      return item && WebhookRow.parse(item);
    },

    /** The count comes first: if its condition fails, the limit is reached. */
    buildInsert: (
      row: Omit<WebhookRow, 'failedAttempts' | 'failingSinceMs' | 'behindFrom' | 'turnUntilMs' | 'recovery'>,
    ): Write[] => [
      {
        kind: 'update',
        key: keys.webhookCount(row.account, row.env),
        update: 'SET #count = if_not_exists(#count, :none) + :one',
        condition: 'attribute_not_exists(#count) OR #count < :max',
        values: { none: 0, one: 1, max: maxWebhooks },
      },
      { kind: 'put', item: { ...webhookKey(row), ...row }, condition: 'attribute_not_exists(#pk)' },
    ],
    /**
     * Fails if the row was changed or deleted since it was read. A new url or status resets the
     * health. With a new url, an endpoint that is behind catches up at once; with a new status, it
     * has missed what it was not sent.
     */
    buildUpdate(before: WebhookRow, after: WebhookRow, nowMs: number): Write {
      const isNewStatus = after.status !== before.status;
      const isReset = after.url !== before.url || isNewStatus;
      const indexKeys =
        !isNewStatus && before.behindFrom !== undefined ? pendingIndexKeys('deliver', before.id, nowMs) : undefined;
      const changes = {
        url: after.url,
        events: after.events,
        status: after.status,
        statusMs: after.statusMs,
        disabledReason: after.disabledReason,
        description: after.description,
        secrets: after.secrets,
        revision: before.revision + 1,
      } satisfies Record<Exclude<keyof WebhookRow, FieldKeptByUpdate>, Value>;
      const sets = { ...changes, ...(isReset ? { failures: 0, openUntilMs: 0, ...indexKeys } : {}) };
      return {
        kind: 'update',
        key: webhookKey(before),
        update:
          buildSetClause(sets) +
          (isReset ? ` REMOVE #failingSinceMs, #turnUntilMs${isNewStatus ? ', #behindFrom, #duePk, #dueSk' : ''}` : ''),
        condition: '#revision = :read AND #status = :was',
        values: { ...sets, read: before.revision, was: before.status },
      };
    },
    buildRemove: (row: WebhookRow): Write[] => [
      { kind: 'delete', key: webhookKey(row), condition: 'attribute_exists(#pk)' },
      {
        kind: 'update',
        key: keys.webhookCount(row.account, row.env),
        update: 'SET #count = #count - :one',
        values: { one: 1 },
      },
    ],

    /** Clears earlier failures. Does nothing if the endpoint was deleted. */
    async recordSuccess(row: WebhookRow, atMs: number): Promise<void> {
      const noted = takeNotedFailures(row.id);
      await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update: `SET #lastDeliveryMs = :at, #failures = :none, #openUntilMs = :none${noted.set} REMOVE #failingSinceMs`,
        condition: 'attribute_exists(#pk)',
        values: { at: atMs, none: 0, ...noted.values },
      });
    },
    /**
     * Counts a failure. With `open`, nothing is sent until then, and the endpoint is behind from
     * that page on unless it already was.
     */
    async recordFailure(
      row: WebhookRow,
      atMs: number,
      open?: { untilMs: number; sweepMs: number; behindFrom: number },
    ): Promise<void> {
      const noted = takeNotedFailures(row.id);
      await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update:
          `SET #failures = #failures + :one, #failingSinceMs = if_not_exists(#failingSinceMs, :at), #openUntilMs = :until${noted.set}` +
          (open
            ? ', #behindFrom = if_not_exists(#behindFrom, :from), #duePk = :duePk, #dueSk = :dueSk REMOVE #turnUntilMs'
            : ''),
        condition: '#status = :active',
        values: {
          one: 1,
          at: atMs,
          until: open?.untilMs ?? 0,
          active: 'active',
          ...noted.values,
          ...(open ? { from: open.behindFrom, ...pendingIndexKeys('deliver', row.id, open.sweepMs) } : {}),
        },
      });
    },
    /**
     * Marks the endpoint as behind from this page on, unless it already is from an earlier one.
     * Nothing is written for the events themselves.
     */
    async fallBehind(row: WebhookRow, page: number, sweepMs: number): Promise<boolean> {
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update: 'SET #behindFrom = :page, #duePk = :duePk, #dueSk = :dueSk',
        condition: '#status = :active AND (attribute_not_exists(#behindFrom) OR #behindFrom > :page)',
        values: { page, active: 'active', ...pendingIndexKeys('deliver', row.id, sweepMs) },
      });
      return applied;
    },
    /**
     * True for only one of several workers that want to catch up. If the endpoint is on probation,
     * nothing else is sent to it in the meantime.
     */
    async acquireTurn(row: WebhookRow, nowMs: number, untilMs: number, isOnProbation: boolean): Promise<boolean> {
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update: `SET #turnUntilMs = :until${isOnProbation ? ', #openUntilMs = :until' : ''}`,
        condition:
          '#behindFrom = :from AND #openUntilMs = :open AND ' +
          '(attribute_not_exists(#turnUntilMs) OR #turnUntilMs <= :now)',
        values: { until: untilMs, from: row.behindFrom ?? 0, open: row.openUntilMs, now: nowMs },
      });
      return applied;
    },
    /**
     * Records that everything before the page is finished, and ends the turn. Returns false if the
     * endpoint has fallen further behind in the meantime.
     */
    async advance(row: WebhookRow, page: number, openUntilMs: number, sweepMs: number): Promise<boolean> {
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update: 'SET #behindFrom = :page, #openUntilMs = :until, #duePk = :duePk, #dueSk = :dueSk REMOVE #turnUntilMs',
        condition: '#behindFrom = :read',
        values: {
          page,
          until: openUntilMs,
          read: row.behindFrom ?? 0,
          ...pendingIndexKeys('deliver', row.id, sweepMs),
        },
      });
      return applied;
    },
    async endTurn(row: WebhookRow): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update: 'REMOVE #turnUntilMs',
        condition: 'attribute_exists(#pk)',
      });
    },
    /** The endpoint has seen the whole feed. Committed together with the feed's count of catch-ups. */
    buildCaughtUp: (row: WebhookRow): Write => ({
      kind: 'update',
      key: webhookKey(row),
      update: 'SET #openUntilMs = :none REMOVE #behindFrom, #turnUntilMs, #duePk, #dueSk',
      condition: '#behindFrom = :read',
      values: { none: 0, read: row.behindFrom ?? 0 },
    }),
    /**
     * Stores where the next recovery call continues, or clears it when the recovery is complete.
     */
    async recordRecovery(row: WebhookRow, recovery: WebhookRow['recovery']): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update: recovery ? 'SET #recovery = :recovery' : 'REMOVE #recovery',
        condition: 'attribute_exists(#pk)',
        ...(recovery ? { values: { recovery } } : {}),
      });
    },
    /**
     * True for only one of several concurrent workers, which may then test whether the endpoint
     * responds again.
     */
    async probe(row: WebhookRow, untilMs: number): Promise<boolean> {
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update: 'SET #openUntilMs = :until',
        condition: '#openUntilMs = :read',
        values: { until: untilMs, read: row.openUntilMs },
      });
      return applied;
    },
    /** Fails if the endpoint is no longer active or has a new url. */
    buildDisable: (row: WebhookRow, reason: 'gone' | 'failing', atMs: number): Write => ({
      kind: 'update',
      key: webhookKey(row),
      update:
        'SET #status = :disabled, #statusMs = :at, #disabledReason = :reason, #revision = #revision + :one ' +
        'REMOVE #behindFrom, #turnUntilMs, #duePk, #dueSk',
      condition: '#status = :active AND #url = :url',
      values: { disabled: 'disabled', active: 'active', at: atMs, reason, one: 1, url: row.url },
    }),
  };
});
