// The colleagues of an account: list, invite, change, remove. An account always keeps an owner.
import { normalizeEmail } from '../platform/mail-address.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import { TransactionCanceled, type Write } from '../platform/ports.ts';
import { dayMs } from '../platform/time/local-day.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { ColleagueRole } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { newId } from '../system/new-id.ts';
import { mayChange } from '../system/role-rights.ts';
import type { ColleagueCaller } from './admit-session.ts';
import type { Colleague, ColleaguePatch, InvitedColleague, NewColleague } from './colleague.ts';
import {
  type ColleagueRow,
  colleagueRetryPolicy,
  colleagueRows,
  maxColleagueInvitationsPerDay,
  maxColleagues,
} from './colleague-rows.ts';
import { consoleSessionRows } from './console-session-rows.ts';
import { passkeyRows } from './passkey-rows.ts';
import { type IssuedSignInLink, issueSignInLink, prepareSignInLink } from './sign-in-link.ts';
import { signInLinkRows } from './sign-in-link-rows.ts';
import { requestInvitationMail } from './sign-in-requests.ts';

/** The same person has the same hash in every account. */
export const hashColleagueEmail = ({ keyring }: Pick<Deps, 'keyring'>, email: string): string =>
  keyring.hash('colleague-email', normalizeEmail(email));

export const listColleagues = async (deps: Deps, { account }: Pick<ColleagueCaller, 'account'>): Promise<Colleague[]> =>
  (await colleagueRows(deps.store).list(account)).map(presentColleague);

/** Returns the colleague with this address, in any role. An unknown address becomes an owner. */
export async function findOrCreateOwner(
  deps: Deps,
  account: string,
  email: string,
): Promise<{ colleague: ColleagueRow; isNew: boolean }> {
  const find = () => colleagueRows(deps.store).findByAddress(account, hashColleagueEmail(deps, email));
  const known = await find();
  if (known) return { colleague: known, isNew: false };
  try {
    return { colleague: await createColleague(deps, account, { email, role: 'owner' }), isNew: true };
  } catch (error) {
    // Someone else has just added the address.
    const added = error instanceof Failure && error.code === 'already_colleague' ? await find() : undefined;
    if (!added) throw error;
    return { colleague: added, isNew: false };
  }
}

export async function inviteColleague(
  deps: Deps,
  { account }: ColleagueCaller,
  input: NewColleague,
  origin: string,
): Promise<InvitedColleague> {
  const row = await createColleague(deps, account, input, [
    colleagueRows(deps.store).buildCountInvitation(account, deps.clock.now()),
  ]);
  const colleague = presentColleague(row);
  if (deps.deployment.mailSender === undefined) return { colleague, link: await issueSignInLink(deps, row, origin) };
  await requestInvitationMail(deps, row, origin);
  return { colleague, link: null };
}

export async function createColleague(
  deps: Deps,
  account: string,
  { email, name = null, role }: NewColleague,
  countInvitation: [Write] | [] = [],
): Promise<ColleagueRow> {
  const row: ColleagueRow = {
    id: newId(deps, 'colleague'),
    account,
    email: email.trim(),
    emailHash: hashColleagueEmail(deps, email),
    name,
    role,
    createdMs: deps.clock.now(),
    joinedMs: null,
    linkEpoch: 0,
    makerEpoch: 0,
    sessions: [],
    passkeys: [],
    networks: [],
    revision: 0,
  };
  try {
    await deps.store.commit([...colleagueRows(deps.store).buildInsert(row), ...countInvitation]);
  } catch (error) {
    throw await explainRejectedInsert(deps, row, error);
  }
  return row;
}

async function explainRejectedInsert(deps: Deps, row: ColleagueRow, error: unknown): Promise<unknown> {
  if (!(error instanceof TransactionCanceled)) return error;
  const [countFailure, addressFailure, , invitationFailure] = error.failures;
  if (addressFailure) {
    const known = await colleagueRows(deps.store).findByAddress(row.account, row.emailHash);
    return new Failure(
      'already_colleague',
      'This e-mail address already belongs to a colleague. Change their role, or reset their access.',
      {
        details: known ? { colleague_id: known.id } : {},
        cause: error,
      },
    );
  }
  if (invitationFailure && !countFailure)
    return new Failure(
      'limit_reached',
      `At most ${maxColleagueInvitationsPerDay} colleagues can be invited per day (UTC). Try again after ${formatTimestamp(startOfNextDay(row.createdMs))}.`,
      { details: { limit: maxColleagueInvitationsPerDay }, cause: error },
    );
  if (!countFailure) return error;
  return new Failure(
    'limit_reached',
    `An account can have at most ${maxColleagues} colleagues. Remove one who no longer needs the console.`,
    { details: { limit: maxColleagues }, cause: error },
  );
}

const startOfNextDay = (nowMs: number): number => Math.ceil((nowMs + 1) / dayMs) * dayMs;

/** The new role applies from the next request: the sessions change in the same transaction. */
export async function updateColleague(
  deps: Deps,
  { account }: ColleagueCaller,
  id: string,
  { name, role }: ColleaguePatch,
): Promise<Colleague> {
  return optimisticRetry(colleagueRetryPolicy, async () => {
    const before = await getColleague(deps, account, id);
    const after = withRole({ ...before, name: name === undefined ? before.name : name }, role ?? before.role);
    if (after.name === before.name && after.role === before.role) return presentColleague(before);
    await commitKeepingOwner(deps, colleagueRows(deps.store).buildCountOwners(account, before.role, after.role), [
      colleagueRows(deps.store).buildUpdate(before, after),
      ...listRunningSessions(deps, before).map(({ hash }) =>
        consoleSessionRows(deps.store).buildChangeRole(hash, after),
      ),
    ]);
    return presentColleague(after);
  });
}

/** What the colleague made ends with the right to make it, and does not come back with the right. */
const withRole = (row: ColleagueRow, role: ColleagueRole): ColleagueRow => ({
  ...row,
  role,
  makerEpoch: row.makerEpoch + (mayChange(row.role, 'credentials') && !mayChange(role, 'credentials') ? 1 : 0),
});

/** The colleague's sessions and passkeys end in the same transaction. */
export async function removeColleague(
  deps: Deps,
  { account }: Pick<ColleagueCaller, 'account'>,
  id: string,
): Promise<void> {
  await optimisticRetry(colleagueRetryPolicy, async () => {
    const row = await getColleague(deps, account, id);
    const [count, ...writes] = colleagueRows(deps.store).buildDelete(row);
    await commitKeepingOwner(deps, [count], [...writes, ...buildEndAccess(deps, row)]);
  });
}

/**
 * Gives a colleague who lost their passkey a way back in. Their sessions, passkeys and earlier links
 * end, because someone else may have them.
 */
export async function resetColleagueAccess(
  deps: Deps,
  { account }: ColleagueCaller,
  id: string,
  origin: string,
): Promise<IssuedSignInLink> {
  return optimisticRetry(colleagueRetryPolicy, async () => {
    const before = await getColleague(deps, account, id);
    const after = withoutAccess(before);
    const { issued, row } = prepareSignInLink(deps, after, origin);
    await deps.store.commit([
      colleagueRows(deps.store).buildUpdate(before, after),
      signInLinkRows(deps.store).buildInsert(row),
      ...buildEndAccess(deps, before),
    ]);
    return issued;
  });
}

/**
 * Ends a colleague's sessions, passkeys and earlier links. They can still request a new link. Of a
 * colleague who is about to be removed, nothing ends if they are the last owner.
 */
export async function endColleagueAccess(
  deps: Deps,
  account: string,
  id: string,
  { isLeaving = false }: { isLeaving?: boolean } = {},
): Promise<void> {
  await optimisticRetry(colleagueRetryPolicy, async () => {
    const before = await getColleague(deps, account, id);
    const count = isLeaving ? colleagueRows(deps.store).buildLeavingCheck(before) : [];
    await commitKeepingOwner(deps, count, [
      colleagueRows(deps.store).buildUpdate(before, withoutAccess(before)),
      ...buildEndAccess(deps, before),
    ]);
  });
}

const withoutAccess = (row: ColleagueRow): ColleagueRow => ({
  ...row,
  linkEpoch: row.linkEpoch + 1,
  makerEpoch: row.makerEpoch + 1,
  sessions: [],
  passkeys: [],
});

const buildEndAccess = (deps: Deps, { sessions, passkeys }: ColleagueRow): Write[] => [
  ...sessions.map(({ hash }) => consoleSessionRows(deps.store).buildDelete(hash)),
  ...passkeys.map(({ hash }) => passkeyRows(deps.store).buildDelete(hash)),
];

export const listRunningSessions = (deps: Pick<Deps, 'clock'>, { sessions }: ColleagueRow): ColleagueRow['sessions'] =>
  sessions.filter(({ expiresMs }) => expiresMs > deps.clock.now());

/** `count` fails if the account would have no owner. */
async function commitKeepingOwner(deps: Deps, count: Write[], writes: Write[]): Promise<void> {
  try {
    await deps.store.commit([...count, ...writes]);
  } catch (error) {
    if (!(error instanceof TransactionCanceled) || count.length === 0 || !error.failures[0]) throw error;
    throw new Failure(
      'last_owner',
      'The last owner of an account cannot be removed or given another role. Make another colleague an owner first.',
      {
        cause: error,
      },
    );
  }
}

/** A colleague of another account is treated as missing. */
export async function getColleague(deps: Deps, account: string, id: string): Promise<ColleagueRow> {
  const row = await colleagueRows(deps.store).find(account, id);
  if (!row) throw new Failure('not_found', `Colleague ${id} not found.`);
  return row;
}

export const presentColleague = (row: ColleagueRow): Colleague => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  created_at: formatTimestamp(row.createdMs),
  joined_at: row.joinedMs === null ? null : formatTimestamp(row.joinedMs),
  passkeys: row.passkeys.length,
});
