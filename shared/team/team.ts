// The team of an account: the people who were invited into it, and those who are its members.
import * as z from 'zod';
import { Language } from '../platform/language.ts';
import { isMailAddress } from '../platform/mail-address.ts';
import { Timestamp } from '../platform/time/time.ts';
import { InvitationId, MemberId, UserId } from '../system/ids.ts';

export const invitationDays = 14;
/** Messages of one environment, on a UTC day, those that are sent again included. */
export const maxInvitationsPerDay = 1_000;
/**
 * To one mailbox from one environment, on a UTC day, however often it is invited anew and however
 * its address is tagged.
 */
export const maxMessagesPerAddress = 5;
/** Of one invitation, the first included. */
export const maxMessagesPerInvitation = 10;

/** Two spellings with the same text reach the same person. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

const Email = z
  .string()
  .trim()
  .max(254)
  .refine(isMailAddress, 'must be an e-mail address, such as alex@example.com')
  .meta({
    description: "The person's e-mail address, in ASCII: a domain in other letters is written in its `xn--` form.",
    examples: ['alex@example.com'],
  });

/** Joiners are letters of some scripts; whatever else is invisible, breaks a line or is piled up is nobody's name. */
const unreadable = /[\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|(?![\u200c\u200d])\p{C}|\p{M}{5}/u;
const readable = /\p{L}|\p{N}/u;
/** Mail programs make links of them, and of the full stops of other scripts too; initials may touch. */
const webAddress = /[/\\@:]|[.\u3002\uff0e\uff61](?:\p{N}|[\p{L}\p{M}]{2})/u;

const Name = z
  .string()
  .trim()
  .min(1, 'must not be empty; leave it out, or send null')
  .max(100)
  .refine((text) => (text === '' || readable.test(text)) && !unreadable.test(text), 'must be one line of readable text')
  .refine((text) => !webAddress.test(text), 'must not look like a web address; put a space after a full stop')
  .meta({
    description:
      "The person's name, as the message and the roster show it. What looks like a web address is refused, `St.John` too: put a space after the full stop.",
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
          'The user to link the member to. Without one, it is the `unshared` user of the member who had this e-mail address before, or else a user that is created when the invitation is accepted. A user whom another address has, as a member or as a pending invitation, is refused with 409.',
        examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'],
      }),
    language: Language.optional().meta({
      description: 'The language of the message, and of the page behind its link; `en` by default.',
    }),
  })
  .meta({ id: 'NewInvitation', description: 'A person to invite into the team.' });
export type NewInvitation = z.infer<typeof NewInvitation>;

export const InvitationStatus = z.enum(['pending', 'accepted', 'revoked', 'expired']).meta({
  description: `\`pending\` for ${invitationDays} days, unless it is accepted or revoked before.`,
  examples: ['pending'],
});
export type InvitationStatus = z.infer<typeof InvitationStatus>;

/** What stands in the way of a message, and what to do about it. */
const mailProblems = {
  mail_unavailable: 'nobody took it',
  address_invalid: 'no mail can be sent to the address: revoke the invitation and invite the right one',
  message_rejected: 'the mail service refuses this message: check the name and the address, and invite again',
  identity_unverified:
    'the mail service does not know the sender of this deployment, or lets it write to few people only: who runs it verifies the sender and asks for production access',
  sending_disabled: 'the mail service lets this deployment send nothing at the moment: who runs it puts that right',
  account_suspended: 'nobody is written to while the account is suspended: have it resumed',
  invitation_ended: 'the invitation was accepted, was revoked or expired before it was sent: there is nothing to do',
} as const;

// The names are the keys of the table above, which the type of Object.keys forgets.
const mailProblemCodes = Object.keys(mailProblems) as (keyof typeof mailProblems)[];
export const MailProblem = z.enum(mailProblemCodes);
export type MailProblem = z.infer<typeof MailProblem>;

/** A row that a newer release wrote may have another. */
export const toMailProblem = (stored: string | null): MailProblem | null =>
  stored === null ? null : (mailProblemCodes.find((code) => code === stored) ?? 'mail_unavailable');

export const MessageStatus = z.enum(['queued', 'sent', 'failed', 'not_configured']).meta({
  description:
    '`queued` until the newest message is handed over, for a day at most, then `sent` or `failed`. `not_configured` where the deployment sends no e-mail.',
  examples: ['sent'],
});

export const EmailStatus = z
  .object({
    status: MessageStatus,
    sent_at: Timestamp.nullable().meta({
      description: 'When a message was last handed over.',
      examples: ['2026-03-14T07:26:53.589Z'],
    }),
    error: MailProblem.nullable().meta({
      description: `Null when nothing is wrong. Otherwise why the newest message was not sent: ${Object.entries(
        mailProblems,
      )
        .map(([code, meaning]) => `\`${code}\`, ${meaning}`)
        .join(
          '; ',
        )}. While \`status\` is \`queued\` it is tried again by itself, every hour or so where somebody has to put something right; once it is \`failed\`, resend it.`,
      examples: [null],
    }),
  })
  .meta({ id: 'EmailStatus', description: 'What became of the message.' });
export type EmailStatus = z.infer<typeof EmailStatus>;

const RosterName = z
  .string()
  .nullable()
  .meta({ description: "The person's name; null when none was given.", examples: ['Alex Kim'] });

const RosterEmail = z
  .string()
  .nullable()
  .meta({
    description: 'As it was sent; null once the member was removed or the user was deleted.',
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
      description: 'The member that accepting it made, or made active again; null before.',
      examples: [null],
    }),
    user_id: UserId.nullable().meta({
      description:
        'The user that was named, or that the person shared as before they were removed; otherwise the one that the member is linked to once it is accepted.',
    }),
    language: Language,
    email_status: EmailStatus,
  })
  .meta({ id: 'Invitation', description: 'An invitation into the team.' });
export type Invitation = z.infer<typeof Invitation>;

export const IssuedInvitation = Invitation.extend({
  join_url: z
    .url()
    .optional()
    .meta({
      description:
        'Only where the deployment sends no e-mail (`email_status.status` is `not_configured`): hand it to the person yourself. Whoever has it can accept. It is shown only once.',
      examples: ['https://api.example.com/join/9vQ2hT5sLk'],
    }),
}).meta({
  id: 'IssuedInvitation',
  description: 'An invitation whose message was just asked for.',
  // Where mail is sent: the message waits, and nobody is shown its link.
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

export const MemberStatus = z
  .enum(['active', 'archived'])
  .meta({ description: 'An archived member keeps its user and data, which can still be read.', examples: ['active'] });
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
  .meta({ id: 'Member', description: 'A person in the team, linked to a user.' });
export type Member = z.infer<typeof Member>;

export const MemberPatch = z
  .strictObject({ status: MemberStatus })
  .meta({ id: 'MemberPatch', description: 'Archive or reactivate.' });
export type MemberPatch = z.infer<typeof MemberPatch>;

/** Whoever is nobody's member is not found by it. */
export const MemberFilter = z
  .string()
  .min(1)
  .max(64)
  .optional()
  .meta({
    description: 'Only the user that this member of the team is linked to; nobody once the member is removed.',
    examples: ['mem_01k9p3wk0m2p4r6t8w0y2a4c6e'],
  });
