// A team forgets a removed member, with every invitation that the member had.
import { expect, test } from 'vitest';
import { createAccount } from '../../../shared/accounts/accounts.ts';
import { revokeInvitation } from '../../../shared/team/invitations.ts';
import { removeMember } from '../../../shared/team/members.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';
import { createInvitation, createMember } from '../../harness/team-members.ts';

test('a removed member leaves no personal data in an earlier invitation that ended without joining', async () => {
  const { deps, table } = memoryDeps();
  const { account_id: account } = await createAccount(deps, { name: 'The Lab' });
  const caller = { kind: 'api_key', account, env: 'live', form: 2 } as const;
  const invitee = { email: 'Grace@example.com', name: 'Grace' };
  const first = await createInvitation(deps, account, invitee);
  await revokeInvitation(deps, caller, first.id);
  const { member } = await createMember(deps, account, { ...invitee, email: 'grace@example.com' });
  expect(JSON.stringify(table.rows())).toContain('Grace@example.com');
  await removeMember(deps, caller, member);
  const left = JSON.stringify(table.rows());
  expect(left).toContain(first.id);
  for (const word of [/grace/i, /TO#/]) expect(left).not.toMatch(word);
});
