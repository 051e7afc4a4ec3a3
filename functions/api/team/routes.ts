// The team roster: inviting people, and keeping the list of those who joined.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody, paymentFailures } from '../../../shared/http/responses.ts';
import { Cursor, createLimitField, Page } from '../../../shared/platform/page.ts';
import {
  Invitation,
  InvitationStatus,
  IssuedInvitation,
  invitationDays,
  Member,
  MemberPatch,
  MemberStatus,
  MessageStatus,
  maxInvitationsPerDay,
  maxMessagesPerAddress,
  maxMessagesPerInvitation,
  NewInvitation,
} from '../../../shared/team/team.ts';
import { apiKey } from '../callers/api-key.ts';

const InvitationPath = z.object({
  id: z.string().meta({ description: 'The invitation.', examples: ['inv_01k9p3wm1n3q5s7v9x1z3b5d7f'] }),
});
const MemberPath = z.object({
  id: z.string().meta({ description: 'The member.', examples: ['mem_01k9p3wq4r6t8w0y2a4c6e8g0j'] }),
});
const tag = 'Team';
const callers = [apiKey];
const shortPagesNote =
  'With a filter a page may be short, or empty, and still have more after it: go on until `next_cursor` is null.';
/** These lists are paged by cursor in both forms. */
const pageParameterHints = { page: 'cursor', per_page: 'limit' };

export const inviteMember = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/team/roster/invitations',
    operationId: 'inviteMember',
    tags: [tag],
    summary: 'Invite a person',
    description:
      `Sends the person a link that is good for ${invitationDays} days and can be used once. Accepting it makes them a member, linked to \`user_id\`, to the user that they shared as before they were removed, or to a user that is created then. A user that was \`unshared\` is \`active\` again from then on, with all its data. ` +
      'The message is sent in the background; `email_status` of the invitation says how that went. Addresses are compared without regard to letter case. ' +
      'A user has one member too: another address for a `user_id` that has a member, archived or not, is `already_member`, and for one that has a pending invitation `invitation_pending`. ' +
      `An archived member who accepts is active again, with the same \`member_id\`. At most ${maxInvitationsPerDay.toLocaleString('en')} messages can be asked for on a day (UTC), those that are sent again included, and ${maxMessagesPerAddress} for one mailbox (\`a+1@…\` and \`a+2@…\` share that of \`a@…\`). Needs a live key.`,
    request: { body: jsonBody(NewInvitation) },
    responses: { 201: json(IssuedInvitation, 'The invitation was created.') },
  }),
  {
    callers,
    liveOnly: true,
    failures: [
      'invalid_body',
      'not_found',
      'sharing_revoked',
      'invitation_pending',
      'already_member',
      'limit_reached',
      ...paymentFailures,
    ],
  },
);

export const listInvitations = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/team/roster/invitations',
    operationId: 'listInvitations',
    tags: [tag],
    summary: 'List invitations',
    description: `The invitations of the team, newest first. ${shortPagesNote}`,
    request: {
      query: z.object({
        limit: createLimitField(100, 50),
        cursor: Cursor.optional(),
        status: InvitationStatus.optional().meta({ description: 'Only invitations with this status.' }),
        email_status: MessageStatus.optional().meta({
          description: 'Only invitations whose newest message has this status, such as `failed`.',
        }),
      }),
    },
    responses: {
      200: json(Page('InvitationPage', Invitation, 'One page of invitations.'), 'One page of invitations.'),
    },
  }),
  {
    callers,
    failures: ['invalid_request', 'invalid_cursor', ...paymentFailures],
    otherFormParameters: pageParameterHints,
  },
);

export const getInvitation = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/team/roster/invitations/{id}',
    operationId: 'getInvitation',
    tags: [tag],
    summary: 'Get an invitation',
    description: 'Where the invitation stands. It can be read until 30 days after it ended.',
    request: { params: InvitationPath },
    responses: { 200: json(Invitation, 'The invitation.') },
  }),
  { callers, failures: ['not_found', ...paymentFailures] },
);

export const resendInvitation = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/team/roster/invitations/{id}/resend',
    operationId: 'resendInvitation',
    tags: [tag],
    summary: 'Send an invitation again',
    description: `Sends another message with a link of its own; links that were sent before stay good, and \`expires_at\` does not move. At most ${maxMessagesPerInvitation} messages an invitation; each counts on its day, as a new invitation does. Needs a live key.`,
    request: { params: InvitationPath },
    responses: { 200: json(IssuedInvitation, 'The invitation, whose message is being sent.') },
  }),
  { callers, liveOnly: true, failures: ['not_found', 'invitation_inactive', 'limit_reached', ...paymentFailures] },
);

export const revokeInvitation = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/team/roster/invitations/{id}',
    operationId: 'revokeInvitation',
    tags: [tag],
    summary: 'Revoke an invitation',
    description:
      'From now on the links of the invitation are dead. One that was accepted or revoked, or has expired, stays as it is.',
    request: { params: InvitationPath },
    responses: { 204: { description: 'The invitation was revoked, or was no longer pending.' } },
  }),
  { callers, failures: ['not_found', ...paymentFailures] },
);

export const listMembers = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/team/roster',
    operationId: 'listMembers',
    tags: [tag],
    summary: 'List members',
    description: `The members of the team, newest first. ${shortPagesNote}`,
    request: {
      query: z.object({
        limit: createLimitField(100, 50),
        cursor: Cursor.optional(),
        status: MemberStatus.optional().meta({ description: 'Only members with this status.' }),
      }),
    },
    responses: { 200: json(Page('MemberPage', Member, 'One page of members.'), 'One page of members.') },
  }),
  {
    callers,
    failures: ['invalid_request', 'invalid_cursor', ...paymentFailures],
    otherFormParameters: pageParameterHints,
  },
);

export const getMember = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/team/roster/{id}',
    operationId: 'getMember',
    tags: [tag],
    summary: 'Get a member',
    description: 'One member of the team.',
    request: { params: MemberPath },
    responses: { 200: json(Member, 'The member.') },
  }),
  { callers, failures: ['not_found', ...paymentFailures] },
);

export const updateMember = defineEndpoint(
  createRoute({
    method: 'patch',
    path: '/v1/team/roster/{id}',
    operationId: 'updateMember',
    tags: [tag],
    summary: 'Archive or reactivate a member',
    description:
      'The user and the data of the member are kept, and can be read whether the member is archived or not; removing a member ends that. The same status again changes nothing. Reactivating a member revokes an invitation that waits for the same address. Needs a live key.',
    request: { params: MemberPath, body: jsonBody(MemberPatch) },
    responses: { 200: json(Member, 'The member as it is now.') },
  }),
  { callers, liveOnly: true, failures: ['invalid_body', 'not_found', ...paymentFailures] },
);

export const removeMember = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/team/roster/{id}',
    operationId: 'removeMember',
    tags: [tag],
    summary: 'Remove a member',
    description:
      'Removes the person from the roster, with their name and e-mail address, revokes an invitation that waits for them, and **revokes sharing**: the ' +
      '`status` of their user becomes `unshared` at once. From then on every read of their data, new tokens, SDK sessions, connections and uploads are refused with ' +
      '403 `sharing_revoked`; user tokens, SDK credentials and connect links that were issued before stop working for good; providers are not polled; and no ' +
      '`data.updated`, `score.updated` or `subject.synced` event is sent. The user and all its data are kept: the user can still be read (without any health value), ' +
      'changed, disconnected and deleted. Invite the person again, by `user_id` or by the same e-mail address: when they accept, the user is `active` again with all its ' +
      'data, and providers are asked for what was missed. To pause somebody without this, archive the member; to erase the data, delete the user. ' +
      'Removing a member again has no further effect. Needs a live key.',
    request: { params: MemberPath },
    responses: { 204: { description: 'The member was removed, now or before, and no longer shares data.' } },
  }),
  { callers, liveOnly: true, failures: ['not_found', ...paymentFailures] },
);
