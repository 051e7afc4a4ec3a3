// Webhook endpoints with their sealed secrets and their health: healthy ones are hardly ever written.
import * as z from 'zod';
import { StoredEventType } from '../events/event.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Write } from '../platform/ports.ts';
import { Environment } from '../system/caller.ts';
import { keys, webhookPartition } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { maxWebhooks, WebhookStatus } from './webhook.ts';

const Secret = z.object({
  sealed: z.string(),
  /** Until when it signs; null for the current one. */
  untilMs: z.number().nullable(),
});
export type SecretRow = z.infer<typeof Secret>;

export const WebhookRow = z.object({
  id: z.string(),
  account: z.string(),
  env: Environment,
  url: z.string(),
  events: z.array(z.union([StoredEventType, z.literal('*')])),
  status: WebhookStatus,
  /** Since when it has this status. */
  statusMs: z.number(),
  disabledReason: z.enum(['gone', 'failing']).nullable(),
  description: z.string().nullable(),
  createdMs: z.number(),
  secrets: z.array(Secret),
  lastDeliveryMs: z.number().nullable(),
  /** Counts the changes made through the API, so that two at once never undo each other. */
  revision: z.number(),
  /** Failed attempts since the last success, whatever the delivery. */
  failures: z.number(),
  /** The first of them. */
  failingSinceMs: z.number().optional(),
  /** While its circuit is open nothing is sent before then. */
  openUntilMs: z.number(),
  /** The page of the feed from which on it was sent nothing yet; missing while it is sent everything at once. */
  behindFrom: z.number().optional(),
  /** Until then somebody is catching up for it. */
  turnUntilMs: z.number().optional(),
  /** Where a call to send again what was missed since then goes on. */
  recovery: z.object({ since: z.string(), first: z.number() }).optional(),
});
export type WebhookRow = z.infer<typeof WebhookRow>;

const webhookKey = (row: Pick<WebhookRow, 'account' | 'env' | 'id'>) => keys.webhook(row.account, row.env, row.id);

export const webhookRows = repository(({ table }) => {
  return {
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

    /** The count comes first: its refusal says that there are as many as there may be. */
    buildInsert: (row: Omit<WebhookRow, 'failingSinceMs' | 'behindFrom' | 'turnUntilMs' | 'recovery'>): Write[] => [
      {
        kind: 'update',
        key: keys.webhookCount(row.account, row.env),
        update: 'SET #count = if_not_exists(#count, :none) + :one',
        condition: 'attribute_not_exists(#count) OR #count < :most',
        values: { none: 0, one: 1, most: maxWebhooks },
      },
      { kind: 'put', item: { ...webhookKey(row), ...row }, condition: 'attribute_not_exists(#pk)' },
    ],
    /**
     * Refused when it was changed or removed since it was read. A new url or status begins with a clean health. With a
     * new url an endpoint that is behind catches up at once; with a new status it has missed what it was not sent.
     */
    buildUpdate(before: WebhookRow, after: WebhookRow, nowMs: number): Write {
      const isNewStatus = after.status !== before.status;
      const isReset = after.url !== before.url || isNewStatus;
      const indexKeys =
        !isNewStatus && before.behindFrom !== undefined ? pendingIndexKeys('deliver', before.id, nowMs) : undefined;
      return {
        kind: 'update',
        key: webhookKey(before),
        update:
          'SET #url = :url, #events = :events, #status = :status, #statusMs = :statusMs, #disabledReason = :reason, ' +
          '#description = :description, #secrets = :secrets, #revision = :next' +
          (isReset ? ', #failures = :none, #openUntilMs = :none' : '') +
          (isReset && indexKeys ? ', #duePk = :duePk, #dueSk = :dueSk' : '') +
          (isReset ? ` REMOVE #failingSinceMs, #turnUntilMs${isNewStatus ? ', #behindFrom, #duePk, #dueSk' : ''}` : ''),
        condition: '#revision = :read AND #status = :was',
        values: {
          url: after.url,
          events: after.events,
          status: after.status,
          statusMs: after.statusMs,
          reason: after.disabledReason,
          description: after.description,
          secrets: after.secrets,
          read: before.revision,
          next: before.revision + 1,
          was: before.status,
          ...(isReset ? { none: 0 } : {}),
          ...(isReset && indexKeys ? indexKeys : {}),
        },
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

    /** Clears what failed before. Nothing happens when the endpoint is gone. */
    async recordSuccess(row: WebhookRow, atMs: number): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update: 'SET #lastDeliveryMs = :at, #failures = :none, #openUntilMs = :none REMOVE #failingSinceMs',
        condition: 'attribute_exists(#pk)',
        values: { at: atMs, none: 0 },
      });
    },
    /** Counts a failure. With `open` nothing is sent until then, and it is behind from that page on, if it was not. */
    async recordFailure(
      row: WebhookRow,
      atMs: number,
      open?: { untilMs: number; sweepMs: number; behindFrom: number },
    ): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update:
          'SET #failures = #failures + :one, #failingSinceMs = if_not_exists(#failingSinceMs, :at), #openUntilMs = :until' +
          (open
            ? ', #behindFrom = if_not_exists(#behindFrom, :from), #duePk = :duePk, #dueSk = :dueSk REMOVE #turnUntilMs'
            : ''),
        condition: '#status = :active',
        values: {
          one: 1,
          at: atMs,
          until: open?.untilMs ?? 0,
          active: 'active',
          ...(open ? { from: open.behindFrom, ...pendingIndexKeys('deliver', row.id, open.sweepMs) } : {}),
        },
      });
    },
    /** It is behind from this page on, or from one before it. Nothing is written for the events themselves. */
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
    /** True for one of those who want to catch up for it at once. To one on probation nothing else is sent meanwhile. */
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
    /** Everything before a page was dealt with, and the turn is over. False when it fell further behind meanwhile. */
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
    /** It has seen the whole feed: in one commit with the feed's turn. */
    buildCaughtUp: (row: WebhookRow): Write => ({
      kind: 'update',
      key: webhookKey(row),
      update: 'SET #openUntilMs = :none REMOVE #behindFrom, #turnUntilMs, #duePk, #dueSk',
      condition: '#behindFrom = :read',
      values: { none: 0, read: row.behindFrom ?? 0 },
    }),
    /** Where the next call to send again goes on; nowhere when it is through. */
    async recordRecovery(row: WebhookRow, recovery: WebhookRow['recovery']): Promise<void> {
      await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update: recovery ? 'SET #recovery = :recovery' : 'REMOVE #recovery',
        condition: 'attribute_exists(#pk)',
        ...(recovery ? { values: { recovery } } : {}),
      });
    },
    /** True for one of those who ask at once: it may try whether the endpoint answers again. */
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
    /** Refused when it is not active any more, or was given another url meanwhile. */
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
