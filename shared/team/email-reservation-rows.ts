// Who has an e-mail address in a team: the pending invitation, the member, an archived member who
// is invited again, or the user of a removed member, so that an invitation to the same address
// finds that user.
import * as z from 'zod';
import type { Write } from '../platform/ports.ts';
import type { Environment } from '../system/caller.ts';
import { keys } from '../system/keys.ts';
import { repository } from '../system/store.ts';

const EmailReservation = z.object({
  invitation: z.string().nullable(),
  member: z.string().nullable(),
  /** The unshared user of the member who last had the address. */
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
     * Fails when the reservation has changed since it was read. A reservation with no holder left
     * is deleted. `untilMs` is when the invitation ends, for a reservation that has no other
     * holder. The former user stays unless another one, or null, is passed.
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
