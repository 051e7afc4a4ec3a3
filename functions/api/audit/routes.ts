// The route for the audit trail.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { AuditActionName, AuditEntry } from '../../../shared/audit/audit-entry.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { Cursor, createLimitField, Page } from '../../../shared/platform/page.ts';
import { UserId } from '../../../shared/system/ids.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';

const Instant = z.iso.datetime({ offset: true, error: 'must be a time with an offset, such as 2026-03-14T00:00:00Z' });

export const listAudit = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/audit',
    operationId: 'listAudit',
    tags: ['Audit'],
    summary: 'Read the audit trail',
    description:
      'Lists what colleagues, API keys, people on connect pages and the command line did in this environment, newest first, for 400 days. `live` also lists what concerns the ' +
      'account as a whole. Of API keys it lists what manages the account (webhooks, members, consolidation, deletions), and neither reads nor what a ' +
      'backend does for every user, such as creating users and tokens. That a colleague looked at a user is one entry an hour. ' +
      'An entry holds ids and never a value, a name or a body. With a filter, a page can be short or empty even though more entries follow: rely on `next_cursor`.',
    request: {
      query: z.object({
        limit: createLimitField(200, 50),
        cursor: Cursor.optional(),
        actor: z
          .string()
          .min(1)
          .max(64)
          .optional()
          .meta({
            description:
              'Only acts of this colleague, API key or connect link, by its id, or of one kind of actor, such as `command_line`. What people did on the pages of its links is included.',
            examples: ['key_01k9p3vvj9r2d4f6h8k0m2p4s6'],
          }),
        action: AuditActionName.optional(),
        user_id: UserId.optional().meta({ description: 'Only acts about this user, deleted or not.' }),
        from: Instant.optional().meta({
          description: 'Only acts at or after this time.',
          examples: ['2026-03-14T00:00:00Z'],
        }),
        to: Instant.optional().meta({
          description: 'Only acts before this time.',
          examples: ['2026-03-15T00:00:00Z'],
        }),
      }),
    },
    responses: { 200: json(Page('AuditPage', AuditEntry, 'One page of the audit trail.'), 'One page of the trail.') },
  }),
  {
    callers: [apiKey, colleague],
    reveals: 'admin',
    alsoForRoles: ['developer'],
    otherFormParameters: { page: 'cursor', per_page: 'limit' },
    failures: ['invalid_request', 'invalid_cursor', ...paymentFailures],
  },
);
