// Routes for the team: invitations, and the roster of members.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { actEffects } from '../../../shared/audit/act-effects.ts';
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
import { colleague } from '../callers/colleague.ts';

const InvitationPath = z.object({
  id: z.string().meta({ description: 'The invitation.', examples: ['inv_01k9p3wm1n3q5s7v9x1z3b5d7f'] }),
});
const MemberPath = z.object({
  id: z.string().meta({ description: 'The member.', examples: ['mem_01k9p3wq4r6t8w0y2a4c6e8g0j'] }),
});
const tag = 'Team';
const callers = [apiKey, colleague];
const shortPagesNote =
  'With a filter, a page can be short or empty even though more items follow: continue until `next_cursor` is null.';
/** Both forms page these lists by cursor. */
const pageParameterHints = { page: 'cursor', per_page: 'limit' };

export const inviteMember = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/team/roster/invitations',
    operationId: 'inviteMember',
    tags: [tag],
    summary: 'Invite a person',
    description:
      `Sends an invitation link that is valid for ${invitationDays} days and can be used once. Accepting it makes the invitee a member, linked to \`user_id\`, to the user as whom they shared data before they were removed, or to a new user. A user that was \`unshared\` becomes \`active\` again, with all its data. ` +
      "The message is sent in the background; the invitation's `email_status` shows the outcome. Addresses are compared case-insensitively. " +
      'A user can have only one member: inviting another address for a `user_id` that has a member, archived or not, fails with `already_member`, and for one that has a pending invitation with `invitation_pending`. ' +
      `An archived member who accepts becomes active again, with the same \`member_id\`. At most ${maxInvitationsPerDay.toLocaleString('en')} messages can be requested per day (UTC), including those sent again, and ${maxMessagesPerAddress} per mailbox (\`a+1@…\` and \`a+2@…\` count as \`a@…\`). Requires a live key.`,
    request: { body: jsonBody(NewInvitation) },
    responses: { 201: json(IssuedInvitation, 'The invitation was created.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'invitation.created',
    changes: 'credentials',
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
    description: `Lists the team's invitations, newest first. ${shortPagesNote}`,
    request: {
      query: z.object({
        limit: createLimitField(100, 50),
        cursor: Cursor.optional(),
        status: InvitationStatus.optional().meta({ description: 'Return only invitations with this status.' }),
        email_status: MessageStatus.optional().meta({
          description: 'Return only invitations whose newest message has this status, such as `failed`.',
        }),
      }),
    },
    responses: {
      200: json(Page('InvitationPage', Invitation, 'One page of invitations.'), 'One page of invitations.'),
    },
  }),
  {
    callers,
    reveals: 'state',
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
    description: 'Returns the status of an invitation. It can be read until 30 days after it ended.',
    request: { params: InvitationPath },
    responses: { 200: json(Invitation, 'The invitation.') },
  }),
  { callers, reveals: 'state', failures: ['not_found', ...paymentFailures] },
);

export const resendInvitation = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/team/roster/invitations/{id}/resend',
    operationId: 'resendInvitation',
    tags: [tag],
    summary: 'Resend an invitation',
    description: `Sends another message with its own link. Links that were sent before stay valid, and \`expires_at\` does not change. An invitation can have at most ${maxMessagesPerInvitation} messages; each counts toward the limit of its day, as a new invitation does. Requires a live key.`,
    request: { params: InvitationPath },
    responses: { 200: json(IssuedInvitation, 'The invitation. Its message is being sent.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'invitation.resent',
    changes: 'credentials',
    liveOnly: true,
    failures: ['not_found', 'invitation_inactive', 'limit_reached', ...paymentFailures],
  },
);

export const revokeInvitation = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/team/roster/invitations/{id}',
    operationId: 'revokeInvitation',
    tags: [tag],
    summary: 'Revoke an invitation',
    description:
      `${actEffects['invitation.revoked']} ` +
      'An invitation that was already accepted or revoked, or has expired, is not changed.',
    request: { params: InvitationPath },
    responses: { 204: { description: 'The invitation was revoked, or was no longer pending.' } },
  }),
  {
    callers,
    reveals: 'state',
    audits: 'invitation.revoked',
    changes: 'state',
    failures: ['not_found', ...paymentFailures],
  },
);

export const listMembers = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/team/roster',
    operationId: 'listMembers',
    tags: [tag],
    summary: 'List members',
    description: `Lists the members of the team, newest first. ${shortPagesNote}`,
    request: {
      query: z.object({
        limit: createLimitField(100, 50),
        cursor: Cursor.optional(),
        status: MemberStatus.optional().meta({ description: 'Return only members with this status.' }),
      }),
    },
    responses: { 200: json(Page('MemberPage', Member, 'One page of members.'), 'One page of members.') },
  }),
  {
    callers,
    reveals: 'state',
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
    description: 'Returns one member of the team.',
    request: { params: MemberPath },
    responses: { 200: json(Member, 'The member.') },
  }),
  { callers, reveals: 'state', failures: ['not_found', ...paymentFailures] },
);

export const updateMember = defineEndpoint(
  createRoute({
    method: 'patch',
    path: '/v1/team/roster/{id}',
    operationId: 'updateMember',
    tags: [tag],
    summary: 'Archive or reactivate a member',
    description:
      "The member's user and data are not deleted and can be read whether the member is archived or not; only removing the member ends that. Sending the current status changes nothing. Reactivating a member revokes a pending invitation for the same address. Requires a live key.",
    request: { params: MemberPath, body: jsonBody(MemberPatch) },
    responses: { 200: json(Member, 'The updated member.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'member.updated',
    changes: 'state',
    liveOnly: true,
    failures: ['invalid_body', 'not_found', ...paymentFailures],
  },
);

export const removeMember = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/team/roster/{id}',
    operationId: 'removeMember',
    tags: [tag],
    summary: 'Remove a member',
    description:
      `${actEffects['member.removed']} ` +
      'Removes the member from the roster, with their name and e-mail address, revokes their pending invitation, and **revokes sharing**: the ' +
      "`status` of their user becomes `unshared` at once. From then on, all reads of the user's data, new tokens, SDK sessions, connections and uploads fail with " +
      '403 `sharing_revoked`; user tokens, SDK credentials and connect links that were issued before stop working permanently; providers are not polled; and no ' +
      '`data.updated`, `score.updated` or `subject.synced` event is sent. The user and all its data remain: you can still read the user (without any health value), ' +
      'update it, disconnect its devices and delete it. To restore sharing, invite the member again by `user_id` or by the same e-mail address. When they accept, the user becomes `active` again with all its ' +
      'data, and the missed data is fetched from the providers. To pause a member without revoking sharing, archive the member; to erase the data, delete the user. ' +
      'Removing a member again has no further effect. Requires a live key.',
    request: { params: MemberPath },
    responses: { 204: { description: 'The member was removed, now or earlier, and no longer shares data.' } },
  }),
  {
    callers,
    reveals: 'state',
    audits: 'member.removed',
    changes: 'data',
    liveOnly: true,
    failures: ['not_found', ...paymentFailures],
  },
);
