// Webhook endpoints with their sealed secrets and their health: healthy ones are hardly ever written.
import * as z from 'zod';
import type { Write } from '../engine/ports.ts';
import { Environment } from '../model/account.ts';
import { KeptEventType } from '../model/event.ts';
import { mostWebhooks, WebhookStatus } from '../model/webhook.ts';
import { conditionalWrite } from './conditional-write.ts';
import { keys, webhookPartition } from './keys.ts';
import { repository } from './store.ts';

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
  events: z.array(z.union([KeptEventType, z.literal('*')])),
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
});
export type WebhookRow = z.infer<typeof WebhookRow>;

const keyOf = (row: Pick<WebhookRow, 'account' | 'env' | 'id'>) => keys.webhook(row.account, row.env, row.id);

export const webhookRows = repository(({ table }) => {
  return {
    async ofEnvironment(account: string, env: Environment): Promise<WebhookRow[]> {
      const rows: WebhookRow[] = [];
      const found = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :hook)',
        values: { pk: webhookPartition(account, env), hook: 'HOOK#' },
        consistent: true,
      });
      for await (const item of found) rows.push(WebhookRow.parse(item));
      return rows;
    },
    async byId(account: string, env: Environment, webhook: string): Promise<WebhookRow | undefined> {
      const item = await table.get(keys.webhook(account, env, webhook), { consistent: true });
      return item && WebhookRow.parse(item);
    },

    /** The count comes first: its refusal says that there are as many as there may be. */
    inserting: ({ failingSinceMs: _never, ...row }: WebhookRow): Write[] => [
      {
        kind: 'update',
        key: keys.webhookCount(row.account, row.env),
        update: 'SET #count = if_not_exists(#count, :none) + :one',
        condition: 'attribute_not_exists(#count) OR #count < :most',
        values: { none: 0, one: 1, most: mostWebhooks },
      },
      { kind: 'put', item: { ...keyOf(row), ...row }, condition: 'attribute_not_exists(#pk)' },
    ],
    /** Refused when it was changed or removed since it was read. A url or status of its own begins with a clean health. */
    changing(before: WebhookRow, after: WebhookRow): Write {
      const anew = after.url !== before.url || after.status !== before.status;
      return {
        kind: 'update',
        key: keyOf(before),
        update:
          'SET #url = :url, #events = :events, #status = :status, #statusMs = :statusMs, #disabledReason = :reason, ' +
          `#description = :description, #secrets = :secrets, #revision = :next${anew ? ', #failures = :none, #openUntilMs = :none REMOVE #failingSinceMs' : ''}`,
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
          none: 0,
        },
      };
    },
    removing: (row: WebhookRow): Write[] => [
      { kind: 'delete', key: keyOf(row), condition: 'attribute_exists(#pk)' },
      {
        kind: 'update',
        key: keys.webhookCount(row.account, row.env),
        update: 'SET #count = #count - :one',
        values: { one: 1 },
      },
    ],

    /** Clears what failed before. Nothing happens when the endpoint is gone. */
    async succeeded(row: WebhookRow, atMs: number): Promise<void> {
      await conditionalWrite(table, {
        kind: 'update',
        key: keyOf(row),
        update: 'SET #lastDeliveryMs = :at, #failures = :none, #openUntilMs = :none REMOVE #failingSinceMs',
        condition: 'attribute_exists(#pk)',
        values: { at: atMs, none: 0 },
      });
    },
    async failed(row: WebhookRow, atMs: number, openUntilMs: number): Promise<void> {
      await conditionalWrite(table, {
        kind: 'update',
        key: keyOf(row),
        update:
          'SET #failures = #failures + :one, #openUntilMs = :until, #failingSinceMs = if_not_exists(#failingSinceMs, :at)',
        condition: 'attribute_exists(#pk)',
        values: { one: 1, until: openUntilMs, at: atMs },
      });
    },
    /** True for one of those who ask at once: it may try whether the endpoint answers again. */
    async probe(row: WebhookRow, untilMs: number): Promise<boolean> {
      const { held } = await conditionalWrite(table, {
        kind: 'update',
        key: keyOf(row),
        update: 'SET #openUntilMs = :until',
        condition: '#openUntilMs = :read',
        values: { until: untilMs, read: row.openUntilMs },
      });
      return held;
    },
    /** Refused when it is not active any more, or was given another url meanwhile. */
    disabling: (row: WebhookRow, reason: 'gone' | 'failing', atMs: number): Write => ({
      kind: 'update',
      key: keyOf(row),
      update: 'SET #status = :disabled, #statusMs = :at, #disabledReason = :reason, #revision = #revision + :one',
      condition: '#status = :active AND #url = :url',
      values: { disabled: 'disabled', active: 'active', at: atMs, reason, one: 1, url: row.url },
    }),
  };
});
