// The sessions of colleagues: list and revoke them. Everyone manages their own; owners manage all.
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import type { ColleagueCaller } from './admit-session.ts';
import type { ConsoleSession } from './colleague.ts';
import { type ColleagueRow, colleagueRetryPolicy, colleagueRows } from './colleague-rows.ts';
import { getColleague, listRunningSessions } from './colleagues.ts';
import { type ConsoleSessionRow, consoleSessionRows } from './console-session-rows.ts';

/** The sessions that the caller may end, newest first. */
export async function listConsoleSessions(deps: Deps, caller: ColleagueCaller): Promise<ConsoleSession[]> {
  const colleagues = await listManagedColleagues(deps, caller);
  const hashes = colleagues.flatMap((each) => listRunningSessions(deps, each).map(({ hash }) => hash));
  const sessions = await consoleSessionRows(deps.store).listByHash(hashes);
  return sessions.sort((a, b) => (a.id < b.id ? 1 : -1)).map((session) => presentConsoleSession(deps, caller, session));
}

const presentConsoleSession = (
  { clock }: Pick<Deps, 'clock'>,
  { sessionId }: ColleagueCaller,
  { id, colleague, method, createdMs, expiresMs, fullAtMs }: ConsoleSessionRow,
): ConsoleSession => ({
  id,
  colleague_id: colleague,
  method,
  created_at: formatTimestamp(createdMs),
  // The mark of the bucket is the last use, or some seconds later.
  last_used_at: formatTimestamp(Math.floor(Math.max(createdMs, Math.min(fullAtMs, clock.now())))),
  expires_at: formatTimestamp(expiresMs),
  is_current: id === sessionId,
});

/** Someone else's session is treated as missing, unless the caller is an owner. */
export async function revokeConsoleSession(deps: Deps, caller: ColleagueCaller, id: string): Promise<void> {
  await optimisticRetry(colleagueRetryPolicy, async () => {
    for await (const colleague of listPossibleOwners(deps, caller)) {
      const ended = listRunningSessions(deps, colleague).find((each) => each.id === id);
      if (!ended) continue;
      const sessions = colleague.sessions.filter((each) => each !== ended);
      await deps.store.commit([
        colleagueRows(deps.store).buildUpdate(colleague, { ...colleague, sessions }),
        consoleSessionRows(deps.store).buildDelete(ended.hash),
      ]);
      return;
    }
    throw new Failure('not_found', `Session ${id} not found.`);
  });
}

const listManagedColleagues = async (
  deps: Deps,
  { account, role, colleagueId }: ColleagueCaller,
): Promise<ColleagueRow[]> =>
  role === 'owner' ? colleagueRows(deps.store).list(account) : [await getColleague(deps, account, colleagueId)];

/** The caller first: signing out reads one row, even of an owner. */
async function* listPossibleOwners(deps: Deps, caller: ColleagueCaller): AsyncGenerator<ColleagueRow> {
  yield await getColleague(deps, caller.account, caller.colleagueId);
  if (caller.role === 'owner') yield* await colleagueRows(deps.store).list(caller.account);
}
