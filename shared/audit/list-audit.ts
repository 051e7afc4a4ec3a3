// Lists the audit trail of an environment, newest first.
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { parseIdTime } from '../system/ids.ts';
import type { AuditAction } from './actions.ts';
import type { AuditEntry } from './audit-entry.ts';
import { type AuditEntryRow, auditRetentionMs, auditRows, firstIdAt, listMonths } from './audit-rows.ts';

export interface AuditQuery {
  limit: number;
  /** The id of an actor or of who made its link, or its kind. */
  actor?: string | undefined;
  action?: AuditAction | undefined;
  userId?: string | undefined;
  fromMs?: number | undefined;
  /** Exclusive. */
  toMs?: number | undefined;
  /** Entries before the one with this id. */
  beforeId?: string | undefined;
}

export interface AuditPage {
  entries: AuditEntry[];
  nextBeforeId?: string;
}

/**
 * What one request reads at most, some 100 read units. With a filter, a page can therefore be short
 * or empty although older entries match. An index per filter would cost a write for every act, for
 * lists that are read a few times a year.
 */
const maxRowsRead = 2_000;
/** Another process may have a clock that is ahead. */
const maxClockSkewMs = 60_000;

export async function listAudit(deps: Deps, { account, env }: Caller, query: AuditQuery): Promise<AuditPage> {
  const { fromMs, toMs } = query;
  if (fromMs !== undefined && toMs !== undefined && fromMs >= toMs)
    throw new Failure('invalid_request', '`from` must be before `to`.');
  const nowMs = deps.clock.now();
  // Rows are deleted up to days after their time, so the reader enforces it.
  const firstMs = Math.max(fromMs ?? 0, nowMs - auditRetentionMs);
  const lastMs = Math.min(toMs ?? Number.POSITIVE_INFINITY, nowMs + maxClockSkewMs);
  const firstId = firstIdAt(firstMs);
  let beforeId = query.beforeId ?? firstIdAt(lastMs);
  if (beforeId <= firstId) return toPage([]);
  const found: AuditEntryRow[] = [];
  let rowsLeft = maxRowsRead;
  for (const month of listMonths(firstMs, parseIdTime(beforeId))) {
    for (let more = true; more; ) {
      const limit = Math.min(rowsLeft, hasFilter(query) ? maxRowsRead : query.limit + 2 - found.length);
      const range = { firstId, lastId: beforeId, limit };
      const page = await auditRows(deps.store).readMonth({ account, env }, month, range);
      rowsLeft -= page.entries.length;
      more = page.more;
      for (const entry of page.entries) {
        if (entry.id >= beforeId) continue;
        if (found.length === query.limit) return toPage(found, beforeId);
        beforeId = entry.id;
        if (matches(entry, query)) found.push(entry);
      }
      if (rowsLeft <= 0) return toPage(found, beforeId);
    }
  }
  return toPage(found);
}

const hasFilter = ({ actor, action, userId }: AuditQuery): boolean =>
  actor !== undefined || action !== undefined || userId !== undefined;

const matches = (entry: AuditEntryRow, { actor, action, userId }: AuditQuery): boolean =>
  (actor === undefined || isActor(entry.actor, actor)) &&
  (action === undefined || entry.action === action) &&
  (userId === undefined || entry.user === userId);

/** What was done through a connect link was also done by the maker of the link. */
const isActor = (actor: AuditEntryRow['actor'], actorFilter: string): boolean =>
  actor.kind === actorFilter || ('id' in actor && actor.id === actorFilter) || readMaker(actor) === actorFilter;

const readMaker = (actor: AuditEntryRow['actor']): string | null =>
  actor.kind === 'connect_link' ? actor.maker : null;

const toPage = (rows: readonly AuditEntryRow[], nextBeforeId?: string): AuditPage => ({
  entries: rows.map(presentEntry),
  ...(nextBeforeId === undefined ? {} : { nextBeforeId }),
});

const presentEntry = (row: AuditEntryRow): AuditEntry => ({
  id: row.id,
  at: formatTimestamp(parseIdTime(row.id)),
  actor: {
    kind: row.actor.kind,
    id: 'id' in row.actor ? row.actor.id : null,
    maker_id: readMaker(row.actor),
    email: row.actor.kind === 'colleague' ? row.actor.email : null,
  },
  action: row.action,
  environment: row.env,
  user_id: row.user,
  resource_ids: row.resources,
  outcome: row.outcome,
  code: row.code,
  network: row.network,
  request_id: row.requestId,
});
