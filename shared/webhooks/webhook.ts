// Webhook endpoints, their deliveries and their subscriptions.
import * as z from 'zod';
import { EventType } from '../events/event.ts';
import { Timestamp } from '../platform/time/time.ts';
import { UnicodeText } from '../platform/unicode-text.ts';
import { DeliveryId, EventId, WebhookId } from '../system/ids.ts';

export const maxWebhooks = 16;

export const Subscription = z
  .union([EventType, z.literal('*')], {
    error: ({ input }) =>
      `${JSON.stringify(input)?.slice(0, 64)} is not an event type; use ${EventType.options.join(', ')}, or * for all of them`,
  })
  .meta({
    id: 'Subscription',
    description: 'An event type, or `*` for all types, including new ones.',
    examples: ['data.updated'],
  });
export type Subscription = z.infer<typeof Subscription>;

const Subscriptions = z
  .array(Subscription)
  .min(1, 'must contain at least one event type, or *')
  .max(32)
  .transform((types): Subscription[] => [...new Set(types)])
  .meta({
    description: 'The event types that are sent to the endpoint.',
    examples: [['data.updated', 'score.updated']],
  });

const Url = UnicodeText.max(2048).meta({
  description:
    'The URL to which Daybook POSTs events. Must be https; a deployment on your own machine also accepts http to localhost. ' +
    'Private, local and reserved addresses are rejected, here and at every connection.',
  examples: ['https://example.com/daybook'],
});
const Description = UnicodeText.max(500)
  .nullable()
  .meta({ description: 'A note for your own reference.', examples: ['Production'] });

export const NewWebhook = z
  .strictObject({ url: Url, events: Subscriptions, description: Description.optional() })
  .meta({ id: 'NewWebhook', description: 'An endpoint to register.' });
export type NewWebhook = z.infer<typeof NewWebhook>;

export const WebhookPatch = z
  .strictObject({
    url: Url.optional(),
    events: Subscriptions.optional(),
    status: z.enum(['active', 'paused']).optional().meta({
      description: 'While the endpoint is paused, nothing is sent. `active` also reactivates a disabled endpoint.',
    }),
    description: Description.optional(),
  })
  .meta({ id: 'WebhookPatch', description: 'The fields to change. Omitted fields stay unchanged.' });
export type WebhookPatch = z.infer<typeof WebhookPatch>;

export const WebhookStatus = z.enum(['active', 'paused', 'disabled']).meta({
  id: 'WebhookStatus',
  description:
    'Whether events are sent. `paused`: you paused the endpoint. `disabled`: the service disabled it, because it is gone or keeps failing.',
  examples: ['active'],
});

export const Webhook = z
  .object({
    id: WebhookId,
    url: z.string().meta({ examples: ['https://example.com/daybook'] }),
    events: z.array(Subscription).meta({ examples: [['data.updated', 'score.updated']] }),
    status: WebhookStatus,
    disabled_reason: z
      .enum(['gone', 'failing'])
      .meta({ id: 'WebhookDisabledReason', description: 'Why the endpoint is disabled.', examples: ['failing'] })
      .nullable()
      .meta({
        description:
          '`gone`: the endpoint responded with 410. `failing`: no delivery succeeded for five days. Null unless the endpoint is disabled.',
        examples: [null],
      }),
    description: Description,
    created_at: Timestamp,
  })
  .meta({ id: 'Webhook', description: 'An endpoint that receives events.' });
export type Webhook = z.infer<typeof Webhook>;

export const ListedWebhook = Webhook.extend({
  last_delivery_at: Timestamp.nullable().meta({
    description: 'When a delivery last succeeded, to within a minute. Null before the first success.',
    examples: ['2026-03-14T07:26:55.120Z'],
  }),
  failing_since: Timestamp.nullable().meta({
    description:
      'When the first attempt failed after the last success. Null while attempts succeed, and after the URL or the status was changed.',
    examples: [null],
  }),
  behind_since: Timestamp.nullable().meta({
    description:
      'About when the oldest event was published that waits because the endpoint was unavailable. Null if none waits. Waiting events ' +
      'are sent when the endpoint responds again, beside new ones.',
    examples: [null],
  }),
}).meta({ id: 'ListedWebhook', description: 'An endpoint that receives events, with its health.' });
export type ListedWebhook = z.infer<typeof ListedWebhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: z.string().meta({
    description: 'The secret to verify webhook signatures with. Shown only once.',
    examples: ['whsec_c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0'],
  }),
}).meta({ id: 'WebhookWithSecret', description: 'An endpoint with its signing secret, which is shown only once.' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const Attempt = z
  .object({
    at: Timestamp,
    duration_ms: z.int().meta({ description: 'How long the attempt took, in milliseconds.', examples: [84] }),
    response_status: z
      .int()
      .nullable()
      .meta({ description: 'The HTTP status of the response; null if there was none.', examples: [503] }),
    response_body: z
      .string()
      .nullable()
      .meta({
        description:
          'The first kilobyte of the response; null if there was none, and for colleagues with the role `support`.',
        examples: ['try later'],
      }),
    error: z
      .enum(['timeout', 'connection', 'address_refused'])
      .nullable()
      .meta({ description: 'Why there was no complete response; null if there was one.', examples: [null] }),
  })
  .meta({ id: 'WebhookAttempt', description: 'One delivery attempt.' });
export type Attempt = z.infer<typeof Attempt>;

export const DeliveryStatus = z.enum(['pending', 'delivered', 'exhausted', 'failed']).meta({
  id: 'DeliveryStatus',
  description:
    '`pending`: waiting for its next attempt. `delivered`. `exhausted`: every attempt failed. `failed`: given up early, ' +
    'because the endpoint was paused or disabled. All of them can be redelivered.',
  examples: ['pending'],
});
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const Delivery = z
  .object({
    id: DeliveryId,
    event_id: EventId,
    event_type: EventType,
    status: DeliveryStatus,
    created_at: Timestamp,
    request_body: z.string().meta({
      description: 'The body of every attempt, exactly as it is signed: the event as JSON.',
      examples: ['{"event_id":"evt_01k9p3w8x9z1b3d5f7h9k1n3q5","event_type":"data.updated"}'],
    }),
    attempts: z.array(Attempt).meta({ description: 'The latest 26 attempts, oldest first.' }),
    next_attempt_at: Timestamp.nullable().meta({
      description: 'When the next attempt is due; null if there is none.',
      examples: ['2026-03-14T07:31:53.589Z'],
    }),
  })
  .meta({
    id: 'WebhookDelivery',
    description:
      'The delivery of one event to one endpoint, from its first attempt on. Stored for 30 days. Events that happen while an endpoint ' +
      'is paused, disabled or unreachable have no delivery until they are sent.',
  });
export type Delivery = z.infer<typeof Delivery>;

export const TestOutcome = z
  .object({
    delivered: z
      .boolean()
      .meta({ description: 'Whether the endpoint responded with a 2xx status in time.', examples: [false] }),
    event_id: EventId,
    attempt: Attempt,
  })
  .meta({ id: 'WebhookTest', description: 'How the endpoint responded to a test event.' });
export type TestOutcome = z.infer<typeof TestOutcome>;

export const RecoverRequest = z
  .strictObject({
    since: z.iso
      .datetime({ offset: true })
      .meta({ description: 'Resend events since this time.', examples: ['2026-03-14T00:00:00Z'] }),
  })
  .meta({ id: 'WebhookRecoverRequest', description: 'The time since which undelivered events are resent.' });

export const Recovery = z
  .object({
    recovered: z.int().meta({ description: 'The number of deliveries being resent.', examples: [12] }),
    more: z.boolean().meta({
      description: 'Whether the call stopped at its limit of 1,000 and there may be more. If so, call it again.',
      examples: [false],
    }),
  })
  .meta({ id: 'WebhookRecovery', description: 'The result of resending missed events.' });
export type Recovery = z.infer<typeof Recovery>;
