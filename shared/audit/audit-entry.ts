// An entry of the audit trail, as callers see it: who did what to what, when, from where, and how it
// ended. It holds ids and never a value, a name or a body, so that nothing in it identifies a user
// whose data was erased.
import * as z from 'zod';
import { Timestamp } from '../platform/time/time.ts';
import { Environment } from '../system/caller.ts';
import { AuditEntryId, UserId } from '../system/ids.ts';
import { actionTexts } from './action-texts.ts';
import { auditActions, auditOutcomes } from './actions.ts';

export const AuditActionName = z.enum(auditActions).meta({
  id: 'AuditAction',
  description: `What was done. New actions may be added. ${auditActions.map((action) => `\`${action}\`: ${actionTexts[action]}`).join(' ')}`,
  examples: ['webhook.deleted'],
});

export const AuditOutcome = z.enum(auditOutcomes).meta({
  id: 'AuditOutcome',
  description:
    'How it ended. `begun`: it is under way, or was interrupted, and may or may not have happened. `failed`: `code` says why; ' +
    'after `internal_error` or `unavailable` a part of it may have happened.',
  examples: ['done'],
});
export type AuditOutcome = z.infer<typeof AuditOutcome>;

const ActorKind = z.enum(['colleague', 'api_key', 'connect_link', 'command_line', 'system']).meta({
  id: 'AuditActorKind',
  description:
    '`colleague`: someone signed in to the console. `api_key`: a program with a key of the account. `connect_link`: a person on the page of a connect link. `command_line`: the operator of this deployment. `system`: Daybook itself.',
  examples: ['colleague'],
});

export const AuditEntry = z
  .object({
    id: AuditEntryId.meta({ description: 'The entry. Later entries have later ids.' }),
    at: Timestamp.meta({ description: 'When it began.', examples: ['2026-03-14T07:26:53.589Z'] }),
    actor: z
      .object({
        kind: ActorKind,
        id: z
          .string()
          .nullable()
          .meta({
            description:
              'The id of the colleague, the API key or the connect link. Null for the command line and the system.',
            examples: ['key_01k9p3vvj9r2d4f6h8k0m2p4s6'],
          }),
        maker_id: z
          .string()
          .nullable()
          .meta({
            description: 'The id of the colleague or API key that made the connect link. Null for everyone else.',
            examples: [null],
          }),
        email: z
          .string()
          .nullable()
          .meta({
            description: 'The address of the colleague at that time. Null for everyone else.',
            examples: [null],
          }),
      })
      .meta({ id: 'AuditActor', description: 'Who did it.' }),
    action: AuditActionName,
    environment: Environment.nullable().meta({
      description: 'Where it was done. Null for what concerns the account as a whole; `live` lists it.',
      examples: ['live'],
    }),
    user_id: UserId.nullable().meta({ description: 'The user it was about, if it was about one, deleted or not.' }),
    resource_ids: z.array(z.string()).meta({
      description: 'The ids of everything else it was about, such as a webhook and one of its deliveries.',
      examples: [['whk_01k9p3wh8j0m2p4r6t8w0y2a4c']],
    }),
    outcome: AuditOutcome,
    code: z
      .string()
      .nullable()
      .meta({ description: 'The error code of a failed act (see `/docs/errors`), or null.', examples: [null] }),
    network: z
      .string()
      .nullable()
      .meta({
        description:
          'The network it came from: the first 24 bits of an IPv4 address, or the first 48 bits of an IPv6 address.',
        examples: ['203.0.113.0/24'],
      }),
    request_id: z
      .string()
      .nullable()
      .meta({
        description: 'The `X-Request-Id` of the request, if it was one.',
        examples: ['c2Vhb-9T8x0'],
      }),
  })
  .meta({ id: 'AuditEntry', description: 'One act in the audit trail.' });
export type AuditEntry = z.infer<typeof AuditEntry>;
