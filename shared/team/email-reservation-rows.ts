// Who has an e-mail address in a team: the invitation that waits for an answer, the member, an
// archived member who is invited again, or the user of a member who was removed, so that an
// invitation to the same person finds it.
import * as z from 'zod';
import type { Write } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

const EmailReservation = z.object({
  invitation: z.string().nullable(),
  member: z.string().nullable(),
  /** The unshared user of the member who had it last. */
  formerUser: z.string().nullable(),
  revision: z.number(),
});
export type EmailReservation = z.infer<typeof EmailReservation>;

export interface ReservedEmail {
  account: string;
  env: Environment;
  emailHash: string;
}

export const emailReservationRows = repository(({ table }) => {
  return {
    async find({ account, env, emailHash }: ReservedEmail): Promise<EmailReservation | undefined> {
      const item = await table.get(keys.emailReservation(account, env, emailHash), { consistent: true });
      return item && EmailReservation.parse(item);
    },
    /**
     * Refused when it changed since it was read. What nobody has any more is not kept; `untilMs` is
     * when an invitation that is all there is ends. The former user stays unless another, or none,
     * is named.
     */
    buildAssign(
      { account, env, emailHash }: ReservedEmail,
      before: EmailReservation | undefined,
      {
        invitation,
        member,
        formerUser = before?.formerUser ?? null,
        untilMs,
      }: Pick<EmailReservation, 'invitation' | 'member'> &
        Partial<Pick<EmailReservation, 'formerUser'>> & { untilMs?: number },
    ): Write {
      const key = keys.emailReservation(account, env, emailHash);
      const unchangedCondition =
        before === undefined
          ? { condition: 'attribute_not_exists(#pk)' }
          : { condition: '#revision = :read', values: { read: before.revision } };
      if (invitation === null && member === null && formerUser === null)
        return { kind: 'delete', key, ...unchangedCondition };
      const endsWithInvitation = member === null && formerUser === null;
      const ttl = endsWithInvitation && untilMs !== undefined ? { ttl: Math.ceil(untilMs / 1000) } : {};
      const revision = (before?.revision ?? 0) + 1;
      return { kind: 'put', item: { ...key, invitation, member, formerUser, revision, ...ttl }, ...unchangedCondition };
    },
  };
});
