// Routes for the pages where someone joins a team. The URL itself is the credential, valid for one
// invitation. It must not be logged, shown on a page or passed to another site. Only the browser
// that accepted the invitation gets the link to the connect page.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { renderFailurePage } from '../../../shared/http/failure-page.ts';
import { formBody, html } from '../../../shared/http/responses.ts';

const tag = 'Joining';
/**
 * Matches the whole rest of the path, so that a link that a mail program altered still gets a page.
 */
const publicPage = {
  callers: [],
  reveals: 'nothing',
  failurePage: renderFailurePage,
  maxParameterLength: 512,
} as const;
const maxFormBytes = 2_000;
const params = z.object({
  token: z.string().meta({
    description: 'The last part of an invitation link. It proves that its holder was invited.',
    examples: ['9vQ2hT5sLk'],
  }),
});
const problems = {
  404: html('The link does not exist.'),
  409: html('The team cannot add members at the moment.'),
  410: html('The invitation was accepted or revoked, has expired, or its user was deleted.'),
};

export const showInvitation = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/join/{token+}',
    operationId: 'showInvitation',
    tags: [tag],
    summary: 'View an invitation',
    description:
      'Shows who sent the invitation, who it is for, when it expires and what joining means. Opening the link does not use it up, so mail scanners and second tabs do no harm.',
    request: { params },
    responses: { 200: html('The invitation.'), ...problems },
  }),
  publicPage,
);

export const acceptInvitation = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/join/{token+}',
    operationId: 'acceptInvitation',
    tags: [tag],
    summary: 'Accept an invitation',
    description:
      'The form that the page’s button submits. It makes the invitee a member of the team, and its page links to a connect page, if the invitee’s user has no devices yet. `time_zone` is the browser’s time zone, for a profile that has none; a value that is not an IANA name is ignored.',
    request: { params, body: { ...formBody('Optional.', { time_zone: 'Europe/Berlin' }), required: false } },
    responses: { 200: html('The invitee is now a member.'), ...problems },
  }),
  { ...publicPage, audits: false, changes: 'credentials', bodyLimits: { wireBytes: maxFormBytes } },
);
