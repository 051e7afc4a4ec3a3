// A person who was invited, with the link that the message would have had.
import type { Environment } from '../../shared/system/caller.ts';
import type { Deps } from '../../shared/system/deps.ts';
import { inviteMember } from '../../shared/team/invite.ts';
import { acceptInvitation } from '../../shared/team/join.ts';
import type { NewInvitation } from '../../shared/team/team.ts';

export interface Invited {
  id: string;
  /** The last part of the link. */
  token: string;
}

/** The same deployment, had it no sender: links are then for whoever invites. */
export function withoutSender(deps: Deps): Deps {
  const { mailSender: _nobody, ...place } = deps.place;
  return { ...deps, place };
}

let people = 0;
/** By user: whoever stopped sharing can share again by no other address. */
const addresses = new Map<string, string>();
export const newEmail = (): string => `person-${++people}@example.com`;

export async function invited(
  deps: Deps,
  account: string,
  input: Partial<NewInvitation> = {},
  env: Environment = 'live',
): Promise<Invited> {
  const caller = { kind: 'api_key', account, env, form: 2 } as const;
  const asked = { email: newEmail(), ...input };
  const { id, join_url = '' } = await inviteMember(withoutSender(deps), caller, asked, 'http://localhost');
  return { id, token: join_url.slice(join_url.lastIndexOf('/') + 1) };
}

/** The member's and the user's ids. */
export async function joined(
  deps: Deps,
  account: string,
  input: Partial<NewInvitation> = {},
): Promise<Invited & { member: string; user: string }> {
  const email = input.email ?? addresses.get(input.user_id ?? '') ?? newEmail();
  const invitation = await invited(deps, account, { ...input, email });
  const { problem, member } = await acceptInvitation(deps, invitation.token);
  if (problem !== undefined || !member) throw new Error(`not accepted: ${problem}`);
  addresses.set(member.user, email);
  return { ...invitation, member: member.id, user: member.user };
}
