// The team of an account: its invitations and its members.
import * as z from 'zod';
import { Language } from '../platform/language.ts';
import { isMailAddress } from '../platform/mail-address.ts';
import { PersonName } from '../platform/person-name.ts';
import { Timestamp } from '../platform/time/time.ts';
import { InvitationId, MemberId, UserId } from '../system/ids.ts';

export const invitationDays = 14;
/** Messages per environment and UTC day, including resent ones. */
export const maxInvitationsPerDay = 1_000;
/**
 * Messages to one mailbox per environment and UTC day, however often it is invited and however its
 * address is tagged.
 */
export const maxMessagesPerAddress = 5;
/** Messages per invitation, including the first. */
export const maxMessagesPerInvitation = 10;

const Email = z
  .string()
  .trim()
  .max(254)
  .refine(isMailAddress, 'must be an e-mail address, such as alex@example.com')
  .meta({
    description: 'The e-mail address to invite, in ASCII. Write a domain in another script in its `xn--` form.',
    examples: ['alex@example.com'],
  });

const Name = PersonName.meta({
  description:
    "The invitee's name, as shown in the message and in the list of members. Text that looks like a web address is refused, even `St.John`: put a space after the full stop.",
  examples: ['Alex Kim'],
});

export const NewInvitation = z
  .strictObject({
    email: Email,
    name: Name.nullable().optional(),
    user_id: z
      .string()
      .min(1)
      .max(64)
      .nullable()
      .optional()
      .meta({
        description:
          'The user to link the member to. Defaults to the `unshared` user of the member who had this e-mail address before, or else to a new user that is created when the invitation is accepted. A user that already belongs to another address, through a member or a pending invitation, is refused with 409.',
        examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'],
      }),
    language: Language.optional().meta({
      description: 'The language of the message and of the page behind its link. Defaults to `en`.',
    }),
  })
  .meta({ id: 'NewInvitation', description: 'Who to invite to the team.' });
export type NewInvitation = z.infer<typeof NewInvitation>;

export const InvitationStatus = z.enum(['pending', 'accepted', 'revoked', 'expired']).meta({
  id: 'InvitationStatus',
  description: `\`pending\` for ${invitationDays} days, unless it is accepted or revoked earlier.`,
  examples: ['pending'],
});
export type InvitationStatus = z.infer<typeof InvitationStatus>;

/** Why a message was not sent, and what to do about it. */
const mailProblems = {
  mail_unavailable: 'the mail service did not accept it',
  address_invalid: 'no mail can be sent to the address: revoke the invitation and invite the correct address',
  message_rejected: 'the mail service refuses this message: check the name and the address, and invite again',
  identity_unverified:
    'the mail service has not verified the sender of this deployment, or restricts its recipients: the operator has to verify the sender and request production access',
  sending_disabled: 'the mail service currently does not let this deployment send: the operator has to resolve that',
  account_suspended: 'no messages are sent while the account is suspended: have it resumed',
  invitation_ended:
    'the invitation was accepted, was revoked or expired before the message was sent: no action is needed',
} as const;

// `Object.keys` loses the type of the keys, which are those of the table above.
const mailProblemCodes = Object.keys(mailProblems) as (keyof typeof mailProblems)[];
export const MailProblem = z
  .enum(mailProblemCodes)
  .meta({ id: 'MailProblem', description: 'Why a message was not sent. New reasons may be added.' });
export type MailProblem = z.infer<typeof MailProblem>;

/** A row written by a newer release may contain an unknown code. */
export const toMailProblem = (stored: string | null): MailProblem | null =>
  stored === null ? null : (mailProblemCodes.find((code) => code === stored) ?? 'mail_unavailable');

export const MessageStatus = z.enum(['queued', 'sent', 'failed', 'not_configured']).meta({
  id: 'MessageStatus',
  description:
    '`queued` until the mail service accepts the newest message, for a day at most, then `sent` or `failed`. `not_configured` when the deployment sends no e-mail.',
  examples: ['sent'],
});

export const EmailStatus = z
  .object({
    status: MessageStatus,
    sent_at: Timestamp.nullable().meta({
      description: 'When the mail service last accepted a message.',
      examples: ['2026-03-14T07:26:53.589Z'],
    }),
    error: MailProblem.nullable().meta({
      description: `Null when nothing is wrong. Otherwise, why the newest message was not sent: ${Object.entries(
        mailProblems,
      )
        .map(([code, meaning]) => `\`${code}\`, ${meaning}`)
        .join(
          '; ',
        )}. While \`status\` is \`queued\` it is retried automatically, about every hour when someone has to resolve a problem first. Once it is \`failed\`, resend the invitation.`,
      examples: [null],
    }),
  })
  .meta({ id: 'EmailStatus', description: 'The status of the newest message.' });
export type EmailStatus = z.infer<typeof EmailStatus>;

const RosterName = z
  .string()
  .nullable()
  .meta({ description: 'The name on the invitation; null when none was given.', examples: ['Alex Kim'] });

const RosterEmail = z
  .string()
  .nullable()
  .meta({
    description: 'The e-mail address as submitted; null once the member has been removed or the user has been deleted.',
    examples: ['alex@example.com'],
  });

export const Invitation = z
  .object({
    id: InvitationId,
    email: RosterEmail,
    name: RosterName,
    status: InvitationStatus,
    created_at: Timestamp,
    expires_at: Timestamp.meta({ examples: ['2026-03-28T07:26:53.589Z'] }),
    member_id: MemberId.nullable().meta({
      description: 'The member that was created or reactivated by accepting the invitation; null before that.',
      examples: [null],
    }),
    user_id: UserId.nullable().meta({
      description:
        'The user named in the request, or the user as whom the invitee shared data before they were removed. Otherwise, the user that the member is linked to once the invitation is accepted.',
    }),
    language: Language,
    email_status: EmailStatus,
  })
  .meta({ id: 'Invitation', description: 'An invitation to the team.' });
export type Invitation = z.infer<typeof Invitation>;

export const IssuedInvitation = Invitation.extend({
  join_url: z
    .url()
    .optional()
    .meta({
      description:
        'Present only when the deployment sends no e-mail (`email_status.status` is `not_configured`). Send it to the invitee yourself. Anyone who has it can accept. It is shown only once.',
      examples: ['https://api.example.com/join/9vQ2hT5sLk'],
    }),
}).meta({
  id: 'IssuedInvitation',
  description: 'An invitation whose message was just requested.',
  // With e-mail configured: the message is queued, and its link is not shown.
  examples: [
    {
      id: 'inv_01k9p3wm1n3q5s7v9x1z3b5d7f',
      email: 'alex@example.com',
      name: 'Alex Kim',
      status: 'pending',
      created_at: '2026-03-14T07:26:53.589Z',
      expires_at: '2026-03-28T07:26:53.589Z',
      member_id: null,
      user_id: 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7',
      language: 'en',
      email_status: { status: 'queued', sent_at: null, error: null },
    },
  ],
});
export type IssuedInvitation = z.infer<typeof IssuedInvitation>;

export const MemberStatus = z.enum(['active', 'archived']).meta({
  id: 'MemberStatus',
  description: 'An archived member keeps its user and data, which can still be read.',
  examples: ['active'],
});
export type MemberStatus = z.infer<typeof MemberStatus>;

export const Member = z
  .object({
    id: MemberId,
    email: z.string().meta({ description: 'The address that was invited.', examples: ['alex@example.com'] }),
    name: RosterName,
    user_id: UserId,
    status: MemberStatus,
    joined_at: Timestamp,
    archived_at: Timestamp.nullable().meta({ examples: [null] }),
  })
  .meta({ id: 'Member', description: 'A member of the team, linked to a user.' });
export type Member = z.infer<typeof Member>;

export const MemberPatch = z
  .strictObject({ status: MemberStatus })
  .meta({ id: 'MemberPatch', description: 'Archive or reactivate.' });
export type MemberPatch = z.infer<typeof MemberPatch>;

/** Users who are not members are never found by this filter. */
export const MemberFilter = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta({
    description: 'Only the user that this member of the team is linked to. Matches no user once the member is removed.',
    examples: ['mem_01k9p3wk0m2p4r6t8w0y2a4c6e'],
  });
