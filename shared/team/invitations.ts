// Reading, revoking and forgetting invitations. An invitation of another account is treated as
// missing.

import { optimisticRetry, type RetryPolicy } from '../platform/optimistic-retry.ts';
import type { Write } from '../platform/ports.ts';
import { formatTimestamp } from '../platform/time/time.ts';
import type { Caller, Environment } from '../system/caller.ts';
import type { Deps } from '../system/deps.ts';
import { Failure } from '../system/failure.ts';
import { InvitationId } from '../system/ids.ts';
import { emailReservationRows } from './email-reservation-rows.ts';
import { type InvitationRow, invitationRows } from './invitation-rows.ts';
import { type EmailStatus, type Invitation, type InvitationStatus, toMailProblem } from './team.ts';

export const invitationRetryPolicy: RetryPolicy = { what: 'an invitation', retries: 20 };

export async function getAuthorizedInvitation(
  deps: Deps,
  caller: Caller,
  invitationId: string,
): Promise<InvitationRow> {
  const row = InvitationId.safeParse(invitationId).success
    ? await invitationRows(deps.store).findById(caller.account, caller.env, invitationId)
    : undefined;
  if (!row) throw new Failure('not_found', `Invitation ${invitationId.slice(0, 64)} not found.`);
  return row;
}

/** An invitation expires by time alone, no matter when its row is deleted. */
export const invitationStatus = ({ status, expiresMs }: InvitationRow, nowMs: number): InvitationStatus =>
  status === 'pending' && expiresMs <= nowMs ? 'expired' : status;

export async function getInvitation(deps: Deps, caller: Caller, invitationId: string): Promise<Invitation> {
  return presentInvitation(await getAuthorizedInvitation(deps, caller, invitationId), deps.clock.now());
}

export interface InvitationFilter {
  status?: InvitationStatus | undefined;
  emailStatus?: EmailStatus['status'] | undefined;
}

export async function listInvitations(
  deps: Deps,
  caller: Pick<Caller, 'account' | 'env'>,
  { status, emailStatus, limit, afterId }: InvitationFilter & { limit: number; afterId?: string | undefined },
): Promise<{ invitations: Invitation[]; nextAfterId: string | undefined }> {
  const now = deps.clock.now();
  const matches = (row: InvitationRow): boolean =>
    (status === undefined || invitationStatus(row, now) === status) &&
    (emailStatus === undefined || row.mail.status === emailStatus);
  const { rows, nextAfterId } = await invitationRows(deps.store).readPage(caller.account, caller.env, {
    limit,
    afterId,
    shows: status || emailStatus ? matches : undefined,
  });
  return { invitations: rows.map((row) => presentInvitation(row, now)), nextAfterId };
}

/** An invitation that is no longer pending stays as it is. */
export async function revokeInvitation(deps: Deps, caller: Caller, invitationId: string): Promise<void> {
  await optimisticRetry(invitationRetryPolicy, async () => {
    const row = await getAuthorizedInvitation(deps, caller, invitationId);
    const now = deps.clock.now();
    if (invitationStatus(row, now) !== 'pending') return;
    await deps.store.commit(await buildRevokeInvitationWrites(deps, row));
  });
}

/**
 * Deletes the invitee's data. A pending invitation can no longer be accepted. When the user is
 * gone, its id is deleted too.
 */
export async function forgetInvitation(
  deps: Deps,
  { account, env, id }: { account: string; env: Environment; id: string },
  { userIsGone }: { userIsGone: boolean },
): Promise<void> {
  await optimisticRetry(invitationRetryPolicy, async () => {
    const row = await invitationRows(deps.store).findById(account, env, id);
    if (!row) return;
    const ended = row.status === 'pending' ? toRevoked(row, deps.clock.now()) : row;
    const after = { ...ended, email: null, emailHash: null, name: null };
    const forgotten = userIsGone ? { ...after, user: null, aboutUser: null } : after;
    if (JSON.stringify(forgotten) === JSON.stringify(row)) return;
    await deps.store.commit([
      invitationRows(deps.store).buildUpdate(row, forgotten),
      ...(row.status === 'pending' ? await buildReleaseAddressWrites(deps, row) : []),
      ...(row.emailHash === null
        ? []
        : [invitationRows(deps.store).buildRemoveAddressPointer({ account, env, emailHash: row.emailHash }, id)]),
    ]);
  });
}

export const toRevoked = (row: InvitationRow, atMs: number): InvitationRow => ({
  ...row,
  status: 'revoked',
  endedMs: atMs,
  links: [],
  mail: clearPendingMail(row),
});

/** Marks a message that is still pending as failed, because it will not be sent any more. */
export const clearPendingMail = ({ mail }: InvitationRow): InvitationRow['mail'] =>
  mail.nextMs === null ? mail : { ...mail, status: 'failed', error: 'invitation_ended', nextMs: null, isLeased: false };

/** Finds the pending invitations that would link a member to the user. */
export async function findPendingInvitations(deps: Deps, userId: string): Promise<InvitationRow[]> {
  const rows = invitationRows(deps.store);
  const invitations = await Promise.all(
    (await rows.listByUser(userId)).map(({ account, env, id }) => rows.findById(account, env, id)),
  );
  const now = deps.clock.now();
  return invitations.flatMap((row) =>
    row !== undefined && row.user === userId && invitationStatus(row, now) === 'pending' ? [row] : [],
  );
}

/** `withUser`: someone else has the user from now on, so the address no longer leads to it. */
export const buildRevokeInvitationWrites = async (
  deps: Deps,
  row: InvitationRow,
  { withUser = false }: { withUser?: boolean } = {},
): Promise<Write[]> => [
  invitationRows(deps.store).buildUpdate(row, toRevoked(row, deps.clock.now())),
  ...(await buildReleaseAddressWrites(deps, row, withUser)),
];

/** Frees the address, unless a member has it. */
async function buildReleaseAddressWrites(
  deps: Deps,
  { account, env, id, emailHash, user }: InvitationRow,
  withUser = false,
) {
  if (emailHash === null) return [];
  const address = { account, env, emailHash };
  const hold = await emailReservationRows(deps.store).find(address);
  if (hold?.invitation !== id) return [];
  const formerUser = withUser && hold.formerUser === user ? null : hold.formerUser;
  return [
    emailReservationRows(deps.store).buildAssign(address, hold, { invitation: null, member: hold.member, formerUser }),
  ];
}

export const presentInvitation = (row: InvitationRow, nowMs: number): Invitation => ({
  id: row.id,
  email: row.email,
  name: row.name,
  status: invitationStatus(row, nowMs),
  created_at: formatTimestamp(row.createdMs),
  expires_at: formatTimestamp(row.expiresMs),
  member_id: row.member,
  user_id: row.user,
  language: row.language,
  email_status: {
    status: row.mail.status,
    sent_at: row.mail.sentMs === null ? null : formatTimestamp(row.mail.sentMs),
    error: toMailProblem(row.mail.error),
  },
});
