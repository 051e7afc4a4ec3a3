// Invited members, with the link that their email would have contained.
import type { Environment } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { acceptInvitation } from '../../shared/team/accept-invitation.ts';
import { inviteMember } from '../../shared/team/invite-member.ts';
import type { NewInvitation } from '../../shared/team/team.ts';

export interface InvitationWithToken {
  id: string;
  /** The last segment of the link. */
  token: string;
}

/**
 * The same deployment without a mail sender, in which invitation links are returned to the inviter.
 */
export function withoutMailSender(deps: Deps): Deps {
  const { mailSender: _nobody, ...deployment } = deps.deployment;
  return { ...deps, deployment };
}

let emailCount = 0;
/** Keyed by user, because a user who stopped sharing can only share again with the same address. */
const emailByUser = new Map<string, string>();
export const newEmail = (): string => `person-${++emailCount}@example.com`;

export async function createInvitation(
  deps: Deps,
  account: string,
  input: Partial<NewInvitation> = {},
  env: Environment = 'live',
): Promise<InvitationWithToken> {
  const caller = { kind: 'api_key', account, env, form: 2 } as const;
  const newInvitation = { email: newEmail(), ...input };
  const { id, join_url = '' } = await inviteMember(withoutMailSender(deps), caller, newInvitation, 'http://localhost');
  return { id, token: join_url.slice(join_url.lastIndexOf('/') + 1) };
}

/** Returns the ids of the member and the user as well. */
export async function createMember(
  deps: Deps,
  account: string,
  input: Partial<NewInvitation> = {},
): Promise<InvitationWithToken & { member: string; user: string }> {
  const email = input.email ?? emailByUser.get(input.user_id ?? '') ?? newEmail();
  const invitation = await createInvitation(deps, account, { ...input, email });
  const { problem, member } = await acceptInvitation(deps, invitation.token);
  if (problem !== undefined || !member) throw new Error(`not accepted: ${problem}`);
  emailByUser.set(member.user, email);
  return { ...invitation, member: member.id, user: member.user };
}
