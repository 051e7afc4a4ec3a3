// The words of the roster: members, who share their data, and invitations to do so.
import type { components } from '../../api/generated/v1.d.ts';

type Schemas = components['schemas'];

const messages: Readonly<Record<Schemas['MessageStatus'], string>> = {
  queued: 'waiting to be sent',
  sent: 'sent',
  failed: 'not sent',
  not_configured: 'this deployment sends no mail',
};

const mailProblems: Readonly<Record<Schemas['MailProblem'], string>> = {
  mail_unavailable: 'The mail service did not accept it.',
  address_invalid: 'No mail can be sent to this address. Revoke the invitation and invite the correct one.',
  message_rejected: 'The mail service refused this message. Check the name and the address, and invite again.',
  identity_unverified: 'The mail service has not verified the sender. The operator has to do that.',
  sending_disabled: 'The mail service does not let this deployment send. The operator has to resolve that.',
  account_suspended: 'No messages are sent while the account is suspended.',
  invitation_ended: 'The invitation ended before the message was sent.',
};

const languages: Readonly<Record<Schemas['Language'], string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
};

export const rosterWords = {
  roster: {
    lists: { label: 'List', members: 'Members', invitations: 'Invitations' },
    sandboxNote: 'People join in the live environment only.',
    seeLive: 'See live',
    status: 'Status',
    everyStatus: 'all',
    statuses: {
      active: 'active',
      archived: 'archived',
      pending: 'pending',
      accepted: 'accepted',
      revoked: 'revoked',
      expired: 'expired',
    },
    noMembers: 'Nobody has joined. A person becomes a member by accepting an invitation.',
    noInvitations: 'There is no invitation here. With an invitation, a person agrees to share their data.',
    who: 'Who',
    person: 'Person',
    personNote: 'Optional. The id of a person who exists already; otherwise accepting creates a new one.',
    joined: 'Joined',
    invited: 'Invited',
    ends: 'Ends',
    message: 'Message',
    messages,
    mailProblems,
    invite: 'Invite a person',
    email: 'E-mail address',
    name: 'Name',
    language: 'Language of the message',
    languages,
    issuedTitle: (email: string) => `${email} is invited`,
    mailed: 'The message is being sent. The list shows when it has arrived at the mail service.',
    passLinkOn:
      'This deployment sends no mail. Send this link to the person yourself. Anyone who has it can accept. It is not shown again.',
    copyLink: 'Copy the link',
    acts: {
      'archive-member': {
        name: 'Archive',
        label: (who: string) => `Archive ${who}`,
        note: 'The person and all data stay, and can be read.',
        done: (who: string) => `${who} is archived.`,
      },
      'reactivate-member': {
        name: 'Reactivate',
        label: (who: string) => `Reactivate ${who}`,
        note: 'A pending invitation for the same address is revoked.',
        done: (who: string) => `${who} is active again.`,
      },
      'remove-member': {
        name: 'Remove',
        label: (who: string) => `Remove ${who}`,
        done: (who: string) => `${who} is removed and shares no data.`,
      },
      'resend-invitation': {
        name: 'Send again',
        label: (who: string) => `Send the invitation of ${who} again`,
        note: 'A new message has a link of its own. Links that were sent before stay valid, and the invitation ends when it would have.',
        done: (who: string) => `The invitation of ${who} is sent again.`,
      },
      'revoke-invitation': {
        name: 'Revoke',
        label: (who: string) => `Revoke the invitation of ${who}`,
        done: (who: string) => `The invitation of ${who} is revoked.`,
      },
    },
  },
};
