// Routes for the events feed, which a client reads at its own pace.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { FeedEvent } from '../../../shared/events/feed-event.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { Cursor, createLimitField } from '../../../shared/platform/page.ts';
import { UserId } from '../../../shared/system/ids.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';

const EventPage = z
  .object({
    events: z.array(FeedEvent),
    cursor: z.string().meta({
      description:
        'The position at the end of this page. Store it and send it with the next request. Every page has one.',
      examples: ['pYk0tX3n1mQ8sV5r'],
    }),
    has_more: z.boolean().meta({
      description:
        'If true, request the next page right away. If false, this is the end for now: request again later with this cursor.',
      examples: [false],
    }),
  })
  .meta({ id: 'EventPage', description: 'One page of the feed.' });

export const listEvents = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/events',
    operationId: 'listEvents',
    tags: ['Events'],
    summary: 'Read the events feed',
    description:
      'Returns every event in the environment, in an order that never changes. A client that stores the `cursor` of each page and ' +
      'sends it with the next request sees each event exactly once, no matter how many changes happen at the same time. ' +
      'Events are retained for 90 days. A cursor stays valid while the events after it are retained, and fails with ' +
      '`cursor_expired` after that. A cursor is only valid in its environment and with the `user_id` and `types` filters it was issued for; ' +
      '`limit` can differ between requests. With a filter, a page can be empty even though more events follow: rely on `has_more`.',
    request: {
      query: z.object({
        cursor: Cursor.optional().meta({
          description:
            'The `cursor` of the previous page, unchanged. Without a cursor, the feed starts at the earliest retained event, or at `since`.',
        }),
        since: z.iso
          .datetime({ offset: true })
          .optional()
          .meta({
            description:
              'Instead of a cursor: start with the events that entered the feed at or after this time, which can be a moment after their `timestamp`.',
            examples: ['2026-03-14T00:00:00Z'],
          }),
        limit: createLimitField(1000, 100),
        user_id: UserId.optional().meta({ description: 'Return only events of this user, deleted or not.' }),
        types: z
          .string()
          .optional()
          .meta({
            description: 'Return only events of these types (`EventType`), separated by commas.',
            examples: ['data.updated,user.deleted'],
          }),
      }),
    },
    responses: { 200: json(EventPage, 'One page of the feed.') },
  }),
  {
    callers: [apiKey, colleague],
    reveals: 'state',
    otherFormParameters: { page: 'cursor', per_page: 'limit' },
    failures: ['invalid_request', 'invalid_cursor', 'cursor_expired', 'invalid_types', ...paymentFailures],
  },
);
