// Records an act of someone who works for the account. The acts are spread over some 40 verbs: some
// commit several times, some write a single row, some call a provider, so there is no one transaction
// that an entry could join. Therefore the entry is written before the act, as `begun`, and the
// outcome afterwards:
//
// - If the first write fails, the act does not begin, and the caller gets a 503.
// - If the process dies in between, or the second write fails, the entry stays `begun`: the act may
//   have happened. No act is without an entry, and none that did not happen is listed as done.
//
// This costs two write units. An act that is one transaction can add `buildDoneEntry` to it instead.
import { EngineUnavailable, type Update } from '../platform/ports.ts';
import type { Actor, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure, type FailureCode } from '../system/failure.ts';
import { newId } from '../system/new-id.ts';
import { type AuditAction, auditRules } from './actions.ts';
import { type AuditEntryRow, type AuditResult, auditRows } from './audit-rows.ts';

export interface Act {
  account: string;
  env: Environment;
  actor: Actor;
  action: AuditAction;
  /** Every id it is about. Other text, such as a path parameter that is no id, is left out. */
  ids: readonly (string | undefined)[];
  /** Missing if it is no request. */
  request?: { network: string | null; id: string } | undefined;
}

/** Whether the trail has an entry for this action of this actor. */
export const isRecorded = (action: AuditAction, { kind }: Actor): boolean =>
  kind !== 'api_key' || !auditRules[action].skipsApiKeys;

export function createEntry(deps: Pick<Deps, 'clock' | 'random'>, act: Act, outcome: 'begun' | 'done'): AuditEntryRow {
  const { account, actor, action, request } = act;
  return {
    account,
    id: newId(deps, 'auditEntry'),
    actor,
    action,
    env: auditRules[action].isAccountWide ? null : act.env,
    ...sortIds(act.ids),
    outcome,
    code: null,
    network: request?.network ?? null,
    requestId: request?.id ?? null,
  };
}

/** The entry of an act that is done exactly if the transaction that this write joins commits. */
export const buildDoneEntry = (deps: Deps, act: Act): Update =>
  auditRows(deps.store).buildInsert(createEntry(deps, act, 'done'));

/**
 * Runs the act between the two writes of its entry. The act returns the ids that are known only
 * afterwards, such as the id of what it created.
 */
export async function recordAct<T>(
  deps: Deps,
  act: Act,
  work: () => Promise<T>,
  idsOf: (result: T) => readonly (string | undefined)[] = () => [],
): Promise<T> {
  const entry = createEntry(deps, act, 'begun');
  await auditRows(deps.store).insert(entry);
  try {
    const result = await work();
    await recordResult(deps, entry, { outcome: 'done', code: null, ...sortIds([...act.ids, ...idsOf(result)]) });
    return result;
  } catch (error) {
    const { user, resources } = entry;
    await recordResult(deps, entry, { outcome: 'failed', code: codeOf(error), user, resources });
    throw error;
  }
}

/** The act is over, so the caller gets its response whether or not the outcome can be stored. */
async function recordResult(deps: Deps, entry: AuditEntryRow, result: AuditResult): Promise<void> {
  try {
    await auditRows(deps.store).recordResult(entry, result);
  } catch (cause) {
    deps.log('warn', 'audit_outcome_not_recorded', {
      account_id: entry.account,
      request_id: entry.requestId,
      status: result.outcome,
      cause,
    });
  }
}

function codeOf(error: unknown): FailureCode {
  if (error instanceof Failure) return error.code;
  return error instanceof EngineUnavailable ? 'unavailable' : 'internal_error';
}

const idPattern = /^([a-z]{3}_[0-9a-hjkmnp-tv-z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Ids are random, so they identify nobody once what they name is erased. */
function sortIds(candidates: readonly (string | undefined)[]): Pick<AuditEntryRow, 'user' | 'resources'> {
  const ids = [...new Set(candidates)].filter((text): text is string => text !== undefined && idPattern.test(text));
  const user = ids.find((id) => id.startsWith('usr_')) ?? null;
  return { user, resources: ids.filter((id) => id !== user) };
}
