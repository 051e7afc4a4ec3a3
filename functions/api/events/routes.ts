// The events feed: what happened, to be read at one's own pace.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { FeedEvent } from '../../../shared/events/feed-event.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { Cursor, createLimitField } from '../../../shared/platform/page.ts';
import { UserId } from '../../../shared/system/ids.ts';
import { apiKey } from '../callers/api-key.ts';

const EventPage = z
  .object({
    events: z.array(FeedEvent),
    cursor: z.string().meta({
      description: 'Where this page ends: store it and send it with the next call. Every page has one.',
      examples: ['pYk0tX3n1mQ8sV5r'],
    }),
    has_more: z.boolean().meta({
      description:
        'If true, call again right away. If false, this is the end for now: call again later with the same cursor.',
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
      'Every event in the environment, in an order that never changes. A reader that stores the `cursor` of each page and ' +
      'sends it with the next call sees each event exactly once, however many changes happen at once. ' +
      'Events are kept for 90 days; a cursor stays valid as long as the events after it are kept, and fails with ' +
      '`cursor_expired` after that. A cursor is only valid in its environment and with the `user_id` and `types` filters it was issued for; ' +
      '`limit` may differ from call to call. With a filter, a page may be empty even though there are more events: rely on `has_more`.',
    request: {
      query: z.object({
        cursor: Cursor.optional().meta({
          description:
            'The `cursor` of the previous page, unchanged; without one the feed starts at the earliest event kept.',
        }),
        limit: createLimitField(1000, 100),
        user_id: UserId.optional().meta({ description: 'Only the events of this user, deleted or not.' }),
        types: z
          .string()
          .optional()
          .meta({
            description: 'Only events of these types, separated by commas.',
            examples: ['data.updated,user.deleted'],
          }),
      }),
    },
    responses: { 200: json(EventPage, 'One page of the feed.') },
  }),
  {
    callers: [apiKey],
    otherFormParameters: { page: 'cursor', per_page: 'limit' },
    failures: ['invalid_request', 'invalid_cursor', 'cursor_expired', 'invalid_types', ...paymentFailures],
  },
);
