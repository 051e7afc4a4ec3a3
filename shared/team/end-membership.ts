// Removes a member from the team: the member's identity is deleted and the user stops sharing, in
// one transaction with the event. The member's invitations are forgotten as well.

import { userEvent } from '../events/new-event.ts';
import { optimisticRetry } from '../platform/optimistic-retry.ts';
import type { Write } from '../platform/ports.ts';
import type { Deps } from '../system/deps.ts';
import { deviceRows } from '../users/device-rows.ts';
import { stateRows } from '../users/state-rows.ts';
import { activeDevices, readUserContext, type UserContext } from '../users/user-context.ts';
import { type UserRow, userRows } from '../users/user-rows.ts';
import { emailReservationRows } from './email-reservation-rows.ts';
import { invitationRows } from './invitation-rows.ts';
import { forgetInvitation } from './invitations.ts';
import { type MemberRow, type Membership, memberRows } from './member-rows.ts';

/** Does nothing when the member is already gone. */
export async function endMembership(
  deps: Deps,
  { account, env, member }: Membership,
  { userIsGone }: { userIsGone: boolean },
): Promise<void> {
  await optimisticRetry({ what: 'a member', retries: 20 }, async () => {
    const row = await memberRows(deps.store).findById(account, env, member);
    if (!row) return;
    // Before the member is removed, because the member leads to the invitations.
    await forgetInvitations(deps, row);
    const [hold, userContext] = await Promise.all([
      emailReservationRows(deps.store).find(row),
      userIsGone ? undefined : readUserContext(deps, row.user),
    ]);
    await deps.store.commit([
      ...memberRows(deps.store).buildRemove(row, { keepsPointer: userIsGone }),
      ...(hold?.member === row.id
        ? [
            emailReservationRows(deps.store).buildAssign(row, hold, {
              invitation: hold.invitation,
              member: null,
              formerUser: userContext?.user.id ?? null,
            }),
          ]
        : []),
      ...(userContext ? buildUnshareWrites(deps, userContext, row) : []),
      userEvent(deps, 'member.removed', { id: row.user, account, env }, { more: { member_id: row.id } }),
    ]);
  });
}

/** More devices than a user may have, and few enough for one transaction. */
const maxDevices = 80;

/**
 * The devices accept nothing from then on, so an upload in progress does not have to check the
 * user.
 */
function buildUnshareWrites(
  { store, clock }: Deps,
  { user, devices, state }: UserContext,
  { emailHash }: MemberRow,
): Write[] {
  const closed = activeDevices(devices).slice(0, maxDevices);
  return [
    userRows(store).buildUnshare(user, { sinceMs: clock.now(), emailHash }),
    stateRows(store).buildNoNewDeviceCheck(user.id, state),
    ...closed.map(({ id }) => deviceRows(store).buildUnshare(user.id, id, user.sharingEpoch + 1)),
  ];
}

/** Forgets accepted and ended invitations, and pending ones, which would let the member back in. */
async function forgetInvitations(deps: Deps, member: MemberRow): Promise<void> {
  const rows = invitationRows(deps.store);
  for (const known of [...(await rows.listByUser(member.user)), ...(await rows.listByAddress(member))])
    await forgetInvitation(deps, known, { userIsGone: false });
}

/**
 * Detaches an unshared user from its address, because the user is being deleted or another address
 * has it.
 */
export async function buildForgetAddressWrites(deps: Deps, { id, account, env, unshared }: UserRow): Promise<Write[]> {
  if (!unshared) return [];
  const address = { account, env, emailHash: unshared.emailHash };
  const hold = await emailReservationRows(deps.store).find(address);
  if (hold?.formerUser !== id) return [];
  const { invitation, member } = hold;
  return [emailReservationRows(deps.store).buildAssign(address, hold, { invitation, member, formerUser: null })];
}

/**
 * Deletes everything a team knows about a deleted user. The rows that point to it stay for the
 * user's writer to count.
 */
export async function leaveTeam(deps: Deps, userId: string): Promise<void> {
  for (const known of await invitationRows(deps.store).listByUser(userId))
    await forgetInvitation(deps, known, { userIsGone: true });
  const membership = await memberRows(deps.store).findByUser(userId);
  if (membership) await endMembership(deps, membership, { userIsGone: true });
}
