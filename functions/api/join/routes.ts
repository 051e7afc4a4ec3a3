// The pages where a person joins a team. They show no credential: the address itself is one, good for one invitation, so it may not be logged, shown on a page
// or handed on to another site.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { renderFailurePage } from '../../../shared/http/failure-page.ts';
import { formBody, html } from '../../../shared/http/responses.ts';

const tag = 'Joining';
/** All of the path, so that whatever a mail program did to a link is answered by a page. */
const publicPage = { callers: [], failurePage: renderFailurePage, maxParameterLength: 512 } as const;
const maxFormBytes = 2_000;
const params = z.object({
  token: z.string().meta({
    description: 'What the link of an invitation ends with: it shows that its holder was invited.',
    examples: ['9vQ2hT5sLk'],
  }),
});
const problems = {
  404: html('No such link.'),
  409: html('The team cannot add members at the moment.'),
  410: html('The invitation was accepted or revoked, has expired, or its user was deleted.'),
};

export const showInvitation = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/join/{token+}',
    operationId: 'showInvitation',
    tags: [tag],
    summary: 'Look at an invitation',
    description:
      'Who invites, whom, until when, and what joining means. Opening it uses nothing up, so that a mail scanner or a second tab does no harm.',
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
      'What the page’s button sends: makes the person a member of the team. `time_zone` is the browser’s, for a profile that has none; anything but an IANA name is ignored.',
    request: { params, body: { ...formBody('May be left out.', { time_zone: 'Europe/Berlin' }), required: false } },
    responses: { 200: html('The person is a member now.'), ...problems },
  }),
  { ...publicPage, bodyLimits: { wireBytes: maxFormBytes } },
);
