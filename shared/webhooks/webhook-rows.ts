// Rows of webhook endpoints, with their sealed secrets and their health. The row of a healthy
// endpoint is rarely written.
import * as z from 'zod';
import { StoredEventType } from '../events/event.ts';
import { BoundedCache } from '../platform/bounded-cache.ts';
import { writeConditionally } from '../platform/conditional-write.ts';
import type { Item, Key, Value, Write } from '../platform/ports.ts';
import { buildSetClause } from '../platform/set-clause.ts';
import { Environment } from '../system/caller.ts';
import { keys, webhookPartition } from '../system/keys.ts';
import { pendingIndexKeys } from '../system/pending-kinds.ts';
import { repository } from '../system/store.ts';
import { FeedGap, isOpen, releaseAll } from './feed-gaps.ts';
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
  /** What the endpoint has not been sent; missing while it is sent events as they happen. */
  gaps: z.array(FeedGap).optional(),
  /** Counts the changes of `gaps`, so that two concurrent changes never undo each other. */
  gapVersion: z.number().optional(),
  /** How many workers may close gaps at the same time. A fraction is progress to the next one. */
  lanes: z.number().optional(),
  /** Where the next recovery call for the same `since` continues. */
  recovery: z.object({ since: z.string(), first: z.number() }).optional(),
});
export type WebhookRow = z.infer<typeof WebhookRow>;

/** Every field that `buildUpdate` does not store. It stores all others: the compiler asks. */
type FieldKeptByUpdate = 'id' | 'account' | 'env' | 'createdMs' | 'lastDeliveryMs' | 'recovery' | HealthField;
/** What `buildUpdate` resets or keeps, whatever the new row says. */
type HealthField = 'failures' | 'failedAttempts' | 'failingSinceMs' | 'openUntilMs' | 'gaps' | 'gapVersion' | 'lanes';

/** What a worker that catches up changes of an endpoint. */
export interface GapChange {
  gaps: readonly FeedGap[];
  lanes?: number | undefined;
  openUntilMs?: number;
  /** When a sweep should look for the rest. */
  sweepMs: number;
}

const gapCondition = ({ gapVersion }: WebhookRow): { condition: string; values: Item } =>
  gapVersion === undefined
    ? { condition: 'attribute_not_exists(#gapVersion)', values: {} }
    : { condition: '#gapVersion = :gapsRead', values: { gapsRead: gapVersion } };

const toGapItems = (gaps: readonly FeedGap[]): Item[] =>
  gaps.map(({ from, to, sinceMs, claimedUntilMs, lanes }) => ({
    from,
    sinceMs,
    ...(to === undefined ? {} : { to }),
    ...(claimedUntilMs === undefined ? {} : { claimedUntilMs }),
    ...(lanes === undefined ? {} : { lanes }),
  }));

const webhookKey = (row: Pick<WebhookRow, 'account' | 'env' | 'id'>) => keys.webhook(row.account, row.env, row.id);

/** How many endpoints a process remembers failed attempts of. */
const maxNotedEndpoints = 10_000;

export const webhookRows = repository(({ table }) => {
  const notedFailures = new BoundedCache<string, number>(maxNotedEndpoints);
  /** The assignment that adds what was noted to the next write of the row. */
  function takeNotedFailures(webhook: string): { count: number; set: string; values: Item } {
    const count = notedFailures.get(webhook) ?? 0;
    notedFailures.delete(webhook);
    return count === 0
      ? { count, set: '', values: {} }
      : {
          count,
          set: ', #failedAttempts = if_not_exists(#failedAttempts, :zero) + :failedAttempts',
          values: { zero: 0, failedAttempts: count },
        };
  }

  function noteFailedAttempts(webhook: string, count: number): void {
    if (count > 0) notedFailures.set(webhook, (notedFailures.get(webhook) ?? 0) + count);
  }

  return {
    /** Remembers failed attempts until this process next writes the endpoint's health. */
    noteFailedAttempts,
    /** `unreadable`: rows that cannot be parsed. */
    async listByEnvironment(account: string, env: Environment): Promise<{ hooks: WebhookRow[]; unreadable: Key[] }> {
      const hooks: WebhookRow[] = [];
      const unreadable: Key[] = [];
      const foundItems = table.queryAll({
        where: '#pk = :pk AND begins_with(#sk, :hook)',
        values: { pk: webhookPartition(account, env), hook: 'HOOK#' },
        consistent: true,
      });
      for await (const item of foundItems) {
        const parsed = WebhookRow.safeParse(item);
        if (parsed.success) hooks.push(parsed.data);
        else unreadable.push({ pk: String(item['pk']), sk: String(item['sk']) });
      }
      return { hooks, unreadable };
    },
    async findById(account: string, env: Environment, webhook: string): Promise<WebhookRow | undefined> {
      const item = await table.get(keys.webhook(account, env, webhook), { consistent: true });
      return item && WebhookRow.parse(item);
    },

    /** The count comes first: if its condition fails, the limit is reached. */
    buildInsert: (
      row: Omit<WebhookRow, 'failedAttempts' | 'failingSinceMs' | 'gaps' | 'gapVersion' | 'lanes' | 'recovery'>,
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
      // A worker that sends to the old url no longer finds its claim.
      const freed =
        !isNewStatus && before.gaps
          ? { gaps: toGapItems(releaseAll(before.gaps)), ...pendingIndexKeys('deliver', before.id, nowMs) }
          : undefined;
      const gapVersion = (before.gapVersion ?? 0) + 1;
      const sets = { ...changes, ...(isReset ? { failures: 0, openUntilMs: 0, gapVersion, ...freed } : {}) };
      const unchangedGaps = gapCondition(before);
      return {
        kind: 'update',
        key: webhookKey(before),
        update:
          buildSetClause(sets) +
          (isReset ? ` REMOVE #failingSinceMs, #lanes${isNewStatus ? ', #gaps, #duePk, #dueSk' : ''}` : ''),
        condition: `#revision = :read AND #status = :was${isReset ? ` AND ${unchangedGaps.condition}` : ''}`,
        values: {
          ...sets,
          read: before.revision,
          was: before.status,
          ...(isReset ? unchangedGaps.values : {}),
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
     * the end of its gaps on. Returns false if the gaps have changed since the row was read, or the
     * endpoint is no longer active.
     */
    async recordFailure(
      row: WebhookRow,
      atMs: number,
      open?: { untilMs: number; sweepMs: number; gaps: readonly FeedGap[] },
    ): Promise<boolean> {
      const noted = takeNotedFailures(row.id);
      const isOpened = open !== undefined && !isOpen(row.gaps ?? []);
      const unchangedGaps = gapCondition(row);
      const { applied } = await writeConditionally(table, {
        kind: 'update',
        key: webhookKey(row),
        update:
          `SET #failures = #failures + :one, #failingSinceMs = if_not_exists(#failingSinceMs, :at), #openUntilMs = :until${noted.set}` +
          (open ? ', #duePk = :duePk, #dueSk = :dueSk' : '') +
          (isOpened ? ', #gaps = :gaps, #gapVersion = :gapVersion' : ''),
        condition: `#status = :active${open ? ` AND ${isOpened ? unchangedGaps.condition : 'attribute_exists(#gaps)'}` : ''}`,
        values: {
          one: 1,
          at: atMs,
          until: open?.untilMs ?? 0,
          active: 'active',
          ...noted.values,
          ...(open ? pendingIndexKeys('deliver', row.id, open.sweepMs) : {}),
          ...(isOpened
            ? { gaps: toGapItems(open.gaps), gapVersion: (row.gapVersion ?? 0) + 1, ...unchangedGaps.values }
            : {}),
        },
      });
      if (!applied) noteFailedAttempts(row.id, noted.count);
      return applied;
    },
    /**
     * Fails if the endpoint is no longer active or its gaps have changed since the row was read.
     * Without gaps, the endpoint is no longer behind.
     */
    buildChangeGaps(row: WebhookRow, { gaps, lanes, openUntilMs, sweepMs }: GapChange): Write {
      const unchangedGaps = gapCondition(row);
      const sets = {
        gapVersion: (row.gapVersion ?? 0) + 1,
        ...(openUntilMs === undefined ? {} : { openUntilMs }),
        ...(gaps.length === 0 ? {} : { gaps: toGapItems(gaps), ...pendingIndexKeys('deliver', row.id, sweepMs) }),
        ...(gaps.length === 0 || lanes === undefined ? {} : { lanes }),
      };
      return {
        kind: 'update',
        key: webhookKey(row),
        update: buildSetClause(sets) + (gaps.length === 0 ? ' REMOVE #gaps, #lanes, #duePk, #dueSk' : ''),
        condition: `#status = :active AND ${unchangedGaps.condition}`,
        values: { ...sets, active: 'active', ...unchangedGaps.values },
      };
    },
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
        'SET #status = :disabled, #statusMs = :at, #disabledReason = :reason, #revision = #revision + :one, ' +
        '#gapVersion = if_not_exists(#gapVersion, :zero) + :one REMOVE #gaps, #lanes, #duePk, #dueSk',
      condition: '#status = :active AND #url = :url',
      values: { disabled: 'disabled', active: 'active', at: atMs, reason, zero: 0, one: 1, url: row.url },
    }),
  };
});
