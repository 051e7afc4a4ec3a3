// What a colleague sees first: how many people there are, and what needs attention.
import * as z from 'zod';
import { CloudProviderId } from '../catalog/provider.ts';
import { Timestamp } from '../platform/time/time.ts';
import { WebhookId } from '../system/ids.ts';

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

export const AttentionItem = z.discriminatedUnion('kind', [FailingWebhook, EndingKey, UnconfiguredProvider]).meta({
  id: 'AttentionItem',
  description: 'Something that a colleague should look at.',
  examples: [{ kind: 'provider_unconfigured', provider: 'oura' }],
});
export type AttentionItem = z.infer<typeof AttentionItem>;

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
    attention: z.array(AttentionItem).meta({ description: 'The most urgent first; empty if nothing is wrong.' }),
  })
  .meta({ id: 'Overview', description: 'The state of an environment.' });
export type Overview = z.infer<typeof Overview>;
