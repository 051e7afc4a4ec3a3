// What a colleague sees first: how many people there are, what happened by hour, and what needs
// attention.
import * as z from 'zod';
import { CloudProviderId } from '../catalog/provider.ts';
import { Timestamp } from '../platform/time/time.ts';
import { UserId, WebhookId } from '../system/ids.ts';

/** Keys that end sooner are in the attention list. */
export const keyNoticeDays = 14;

const FailingWebhook = z
  .object({
    kind: z.literal('webhook_failing'),
    webhook_id: WebhookId,
    since: Timestamp.meta({ description: 'When the first of the failures in a row happened.' }),
    disabled: z.boolean().meta({
      description: 'Whether Daybook has stopped sending to the endpoint, because it failed for too long or is gone.',
      examples: [false],
    }),
  })
  .meta({ id: 'FailingWebhook', description: 'An endpoint whose last attempts failed.' });

const EndingKey = z
  .object({
    kind: z.literal('key_ending'),
    key_id: z.string().meta({ description: 'The API key.', examples: ['key_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
    ends_at: Timestamp.meta({ description: 'When the key stops working.' }),
  })
  .meta({
    id: 'EndingKey',
    description: `The current API key of the environment, if it ends within ${keyNoticeDays} days or has ended.`,
  });

const UnconfiguredProvider = z.object({ kind: z.literal('provider_unconfigured'), provider: CloudProviderId }).meta({
  id: 'UnconfiguredProvider',
  description: 'A provider that nobody can connect, because this deployment has no usable credentials for it.',
});

/** More than this are not counted. */
export const maxListedUploads = 100;
export const maxListedConnections = 500;

const QuarantinedUploads = z
  .object({
    kind: z.literal('uploads_quarantined'),
    uploads: z
      .int()
      .min(1)
      .max(maxListedUploads)
      .meta({ description: 'Number of uploads, or of the oldest of them.', examples: [2] }),
    has_more: z.boolean().meta({ description: `Whether there are more than ${maxListedUploads}.`, examples: [false] }),
    since: Timestamp.meta({ description: 'When the oldest of them was quarantined.' }),
    user_id: UserId.meta({ description: 'The user whose upload was quarantined first.' }),
  })
  .meta({
    id: 'QuarantinedUploads',
    description:
      'Uploads that were accepted but cannot be processed, and are quarantined with their data. The operator of the deployment retries them.',
  });

const FailingConnections = z
  .object({
    kind: z.literal('connections_failing'),
    provider: CloudProviderId,
    people: z
      .int()
      .min(1)
      .meta({ description: 'Number of users with such a connection, or of some of them.', examples: [7] }),
    has_more: z.boolean().meta({
      description: `Whether not all were counted, because more than ${maxListedConnections} connections of the environment are failing.`,
      examples: [false],
    }),
    since: Timestamp.meta({ description: 'When the first of them began to fail repeatedly.' }),
  })
  .meta({
    id: 'FailingConnections',
    description:
      'Connections to a provider whose last syncs failed. They are retried, and no data is lost. A consent that was withdrawn is not among them.',
  });

export const AttentionItem = z
  .discriminatedUnion('kind', [FailingWebhook, EndingKey, QuarantinedUploads, FailingConnections, UnconfiguredProvider])
  .meta({
    id: 'AttentionItem',
    description: 'Something that a colleague should look at.',
    examples: [{ kind: 'provider_unconfigured', provider: 'oura' }],
  });
export type AttentionItem = z.infer<typeof AttentionItem>;

export const rangeHours = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24 } as const;
export const OverviewRange = z.enum(['24h', '7d', '30d']).meta({
  id: 'OverviewRange',
  description: 'How far back the hourly counts go.',
  examples: ['24h'],
});
export type OverviewRange = z.infer<typeof OverviewRange>;

/** Counted without a write of their own, so they may be late or incomplete. */
export const approximateSeries = ['client_errors', 'server_errors', 'limited', 'failed_attempts'] as const;

const perHour = (description: string) =>
  z.array(z.int().min(0).nullable()).meta({ description, examples: [[12, null, 31]] });
const approximation = 'Approximate: a process that ends takes its last counts with it.';

const OverviewSeries = z
  .object({
    from: Timestamp.meta({
      description: 'The start of the first hour. Every list has one element per hour, up to the current hour.',
    }),
    people: perHour('Users at the end of the hour.'),
    requests: perHour('Requests that were admitted with an API key. Those with a token of a user are not counted.'),
    client_errors: perHour(
      `Of the requests with an API key, those with a status from 400 to 499, except 401 and 429. ${approximation}`,
    ),
    server_errors: perHour(`Of the requests with an API key, those with a status from 500 on. ${approximation}`),
    limited: perHour(`Requests with an API key that were over the rate limit. ${approximation}`),
    rate_limit_use: z.array(z.number().min(0).nullable()).meta({
      description:
        'Admitted requests as a fraction of those that the rate limit would have allowed, on average over the hour. Bursts do not show.',
      examples: [[0.02, null, 0.05]],
    }),
    uploads: perHour(
      'Batches of phones and providers that changed data. A batch that repeats what is stored is not counted.',
    ),
    records: perHour('The records of these batches.'),
    events: perHour('Events of the feed.'),
    deliveries: perHour('Events that endpoints subscribe to, once for each endpoint, when they were published.'),
    failed_attempts: perHour(`Attempts to deliver an event that failed. ${approximation}`),
    approximate: z.array(z.enum(approximateSeries)).meta({ description: 'The names of the approximate lists.' }),
  })
  .meta({
    id: 'OverviewSeries',
    description:
      'What happened by hour. An hour runs from a few minutes after its start to a few minutes after its end. Null: not known, because nothing was stored for the hour; the last hour is not over.',
  });

export const Overview = z
  .object({
    people: z
      .int()
      .min(0)
      .meta({ description: 'Number of users in the environment.', examples: [1_204] }),
    events: z
      .int()
      .min(0)
      .meta({ description: 'Number of events that the environment has ever had.', examples: [48_120] }),
    series: OverviewSeries,
    attention: z.array(AttentionItem).meta({ description: 'The most urgent first; empty if nothing is wrong.' }),
  })
  .meta({ id: 'Overview', description: 'The state of an environment.' });
export type Overview = z.infer<typeof Overview>;
