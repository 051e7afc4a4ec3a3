// Webhooks: endpoints that are told of events, the log of what they were told, and sending it again.
import * as z from 'zod';
import { json, paid } from '../../../shared/http/answers.ts';
import { route } from '../../../shared/http/route.ts';
import { Cursor, limitUpTo, Page } from '../../../shared/model/page.ts';
import {
  Delivery,
  NewWebhook,
  RecoverRequest,
  Recovery,
  TestOutcome,
  Webhook,
  WebhookPatch,
  WebhookWithSecret,
} from '../../../shared/model/webhook.ts';

const WebhookPath = z.object({
  webhook_id: z.string().meta({ description: 'The webhook.', examples: ['whk_01k9p3wh8j0m2p4r6t8w0y2a4c'] }),
});
const DeliveryPath = WebhookPath.extend({
  delivery_id: z.string().meta({ description: 'The delivery.', examples: ['dlv_01k9p3w8x9n4q6s8v0x2z4b6d8'] }),
});
const data = <T extends z.ZodType>(schema: T) => z.object({ data: schema });
const tag = 'Webhooks';
const callers = ['api_key'] as const;

export const registerWebhook = route({
  method: 'post',
  path: '/v1/webhooks',
  operationId: 'registerWebhook',
  tag,
  summary: 'Register a webhook',
  description:
    'From now on the endpoint is told of the events it subscribes to, by signed POST requests (Standard Webhooks). ' +
    'The answer carries the signing secret, this once. An environment has at most 16 webhooks. ' +
    'Registering is not idempotent. How to verify, and how deliveries are retried: `/docs/webhooks`.',
  callers,
  body: NewWebhook,
  answers: { 201: json(data(WebhookWithSecret), 'The webhook was registered.') },
  failures: ['invalid_body', 'limit_reached', ...paid],
});

export const listWebhooks = route({
  method: 'get',
  path: '/v1/webhooks',
  operationId: 'listWebhooks',
  tag,
  summary: 'List webhooks',
  description: 'Every webhook of the environment, oldest first.',
  callers,
  answers: { 200: json(data(z.array(Webhook)), 'The webhooks.') },
  failures: [...paid],
});

export const getWebhook = route({
  method: 'get',
  path: '/v1/webhooks/{webhook_id}',
  operationId: 'getWebhook',
  tag,
  summary: 'Get a webhook',
  description: 'One webhook of the environment.',
  callers,
  params: WebhookPath,
  answers: { 200: json(data(Webhook), 'The webhook.') },
  failures: ['not_found', ...paid],
});

export const updateWebhook = route({
  method: 'patch',
  path: '/v1/webhooks/{webhook_id}',
  operationId: 'updateWebhook',
  tag,
  summary: 'Update a webhook',
  description:
    'Changes only what is sent. While a webhook is paused or disabled nothing is sent to it; what it misses is ' +
    'noted for 30 days and can be sent with the recover call once it is active again.',
  callers,
  params: WebhookPath,
  body: WebhookPatch,
  answers: { 200: json(data(Webhook), 'The webhook as it is now.') },
  failures: ['invalid_body', 'not_found', ...paid],
});

export const deleteWebhook = route({
  method: 'delete',
  path: '/v1/webhooks/{webhook_id}',
  operationId: 'deleteWebhook',
  tag,
  summary: 'Delete a webhook',
  description: 'Removes the webhook. Nothing more is sent to it, and the log of its deliveries is erased.',
  callers,
  params: WebhookPath,
  answers: { 204: { description: 'It is gone.' } },
  failures: ['not_found', ...paid],
});

export const rotateWebhookSecret = route({
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/rotate-secret',
  operationId: 'rotateWebhookSecret',
  tag,
  summary: 'Rotate the signing secret',
  description:
    'Makes a new secret, shown this once. For 24 hours requests are signed with the old one too: ' +
    'both signatures stand in the same header, separated by a space.',
  callers,
  params: WebhookPath,
  answers: { 200: json(data(WebhookWithSecret), 'The webhook with its new secret.') },
  failures: ['not_found', ...paid],
});

export const testWebhook = route({
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/test',
  operationId: 'testWebhook',
  tag,
  summary: 'Send a test event',
  description:
    'Sends an event of the type `webhook.test` now, signed like any other, and answers with what became of it. ' +
    'It is sent whatever the status of the webhook, once, and does not appear in the log.',
  callers,
  params: WebhookPath,
  answers: { 200: json(data(TestOutcome), 'The outcome, good or bad.') },
  failures: ['not_found', ...paid],
});

export const listDeliveries = route({
  method: 'get',
  path: '/v1/webhooks/{webhook_id}/deliveries',
  operationId: 'listWebhookDeliveries',
  tag,
  summary: 'List deliveries',
  description: 'What the endpoint was told in the last 30 days, newest event first, with every attempt.',
  callers,
  params: WebhookPath,
  query: z.object({ limit: limitUpTo(100, 50), cursor: Cursor.optional() }),
  answers: { 200: json(Page('WebhookDeliveryPage', Delivery, 'One page of deliveries.'), 'One page of deliveries.') },
  failures: ['not_found', 'invalid_request', 'invalid_cursor', ...paid],
});

export const redeliver = route({
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
  operationId: 'redeliverWebhookDelivery',
  tag,
  summary: 'Send a delivery again',
  description:
    'Sends it again now, with the same `webhook-id` and body and all 13 attempts before it, whatever became of it. ' +
    'One that is being tried at this moment is left alone.',
  callers,
  params: DeliveryPath,
  answers: { 202: json(data(Delivery), 'It is on its way.') },
  failures: ['not_found', 'webhook_inactive', ...paid],
});

export const recoverWebhook = route({
  method: 'post',
  path: '/v1/webhooks/{webhook_id}/recover',
  operationId: 'recoverWebhook',
  tag,
  summary: 'Recover what was not delivered',
  description:
    'Sends every exhausted, failed and missed delivery of events since a time again, oldest first: also what ' +
    'happened while the webhook was paused or disabled. Deliveries are kept for 30 days. At most 1,000 per call.',
  callers,
  params: WebhookPath,
  body: RecoverRequest,
  answers: { 202: json(data(Recovery), 'They are on their way.') },
  failures: ['invalid_body', 'not_found', 'webhook_inactive', ...paid],
});
