// Routes that the pages of the console call for what the API itself does not have. They are
// documented in `/openapi.console.json`.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { Overview, OverviewRange } from '../../../shared/overview/overview.ts';
import { FoundUser, maxSearchResults, SearchText } from '../../../shared/users/search-users.ts';
import { colleague } from '../callers/colleague.ts';

const tag = 'State';
const signedIn = {
  callers: [colleague],
  reveals: 'state',
  document: 'console',
  failures: paymentFailures,
} as const;

export const searchPeople = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/api/search',
    operationId: 'searchPeople',
    tags: [tag],
    summary: 'Find people',
    description:
      'Finds people of the environment by their id, by the beginning of their `external_ref`, or by the whole e-mail address of a member. ' +
      `There is no search within words. Returns at most ${maxSearchResults} people, in the order of their references.`,
    request: { query: z.object({ q: SearchText }) },
    responses: {
      200: json(
        z.object({ data: z.array(FoundUser) }).meta({ id: 'FoundUsers', description: 'The people that match.' }),
        'The people that match.',
      ),
    },
  }),
  signedIn,
);

export const getOverview = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/api/overview',
    operationId: 'getOverview',
    tags: [tag],
    summary: 'The state of the environment',
    description:
      'Returns how many people and events there are, what happened by hour, and what needs attention. ' +
      'Nothing is written to count a request, an upload, an event or a delivery, so some counts are approximate: `approximate` names them.',
    request: { query: z.object({ range: OverviewRange.default('24h') }) },
    responses: { 200: json(Overview, 'The state of the environment.') },
  }),
  signedIn,
);
