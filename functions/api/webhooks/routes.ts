// Webhooks: endpoints that are told of events, the log of what they were told, and sending it again.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody, paymentFailures } from '../../../shared/http/responses.ts';
import { Cursor, createLimitField, Page } from '../../../shared/platform/page.ts';
import {
  Delivery,
  ListedWebhook,
  NewWebhook,
  RecoverRequest,
  Recovery,
  TestOutcome,
  Webhook,
  WebhookPatch,
  WebhookWithSecret,
} from '../../../shared/webhooks/webhook.ts';
import { apiKey } from '../callers/api-key.ts';

const WebhookPath = z.object({
  webhook_id: z.string().meta({ description: 'The webhook.', examples: ['whk_01k9p3wh8j0m2p4r6t8w0y2a4c'] }),
});
const DeliveryPath = WebhookPath.extend({
  delivery_id: z.string().meta({ description: 'The delivery.', examples: ['dlv_01k9p3w8x9n4q6s8v0x2z4b6d8'] }),
});
const dataEnvelope = <T extends z.ZodType>(schema: T) => z.object({ data: schema });
const tag = 'Webhooks';
const callers = [apiKey];

export const registerWebhook = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'registerWebhook',
    tags: [tag],
    summary: 'Register a webhook',
    description:
      'From now on the endpoint receives the events it subscribes to as signed POST requests (Standard Webhooks). ' +
      'The response contains the signing secret, which is shown only once. An environment can have at most 16 webhooks. ' +
      'Registering is not idempotent. `/docs/webhooks` explains how to verify signatures and how deliveries are retried.',
    request: { body: jsonBody(NewWebhook) },
    responses: { 201: json(dataEnvelope(WebhookWithSecret), 'The webhook was registered.') },
  }),
  { callers, failures: ['invalid_body', 'limit_reached', ...paymentFailures] },
);

export const listWebhooks = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    tags: [tag],
    summary: 'List webhooks',
    description: 'Every webhook of the environment, oldest first.',
    responses: { 200: json(dataEnvelope(z.array(ListedWebhook)), 'The webhooks.') },
  }),
  { callers, failures: [...paymentFailures] },
);

export const getWebhook = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'getWebhook',
    tags: [tag],
    summary: 'Get a webhook',
    description: 'One webhook of the environment.',
    request: { params: WebhookPath },
    responses: { 200: json(dataEnvelope(ListedWebhook), 'The webhook.') },
  }),
  { callers, failures: ['not_found', ...paymentFailures] },
);

export const updateWebhook = defineEndpoint(
  createRoute({
    method: 'patch',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'updateWebhook',
    tags: [tag],
    summary: 'Update a webhook',
    description:
      'Only the fields sent are changed. While a webhook is paused or disabled nothing is sent to it; what it misses can be ' +
      'sent for 30 days with the recover call, once it is active again.',
    request: { params: WebhookPath, body: jsonBody(WebhookPatch) },
    responses: { 200: json(dataEnvelope(Webhook), 'The webhook as it is now.') },
  }),
  { callers, failures: ['invalid_body', 'not_found', ...paymentFailures] },
);

export const deleteWebhook = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'deleteWebhook',
    tags: [tag],
    summary: 'Delete a webhook',
    description: 'Removes the webhook. Nothing more is sent to it, and the log of its deliveries is erased.',
    request: { params: WebhookPath },
    responses: { 204: { description: 'The webhook was deleted.' } },
  }),
  { callers, failures: ['not_found', ...paymentFailures] },
);

export const rotateWebhookSecret = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/webhooks/{webhook_id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tags: [tag],
    summary: 'Rotate the signing secret',
    description:
      'Creates a new secret, shown only once. For 24 hours requests are also signed with the old one: ' +
      'both signatures are in the same header, separated by a space.',
    request: { params: WebhookPath },
    responses: { 200: json(dataEnvelope(WebhookWithSecret), 'The webhook with its new secret.') },
  }),
  { callers, failures: ['not_found', ...paymentFailures] },
);

export const testWebhook = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/webhooks/{webhook_id}/test',
    operationId: 'testWebhook',
    tags: [tag],
    summary: 'Send a test event',
    description:
      'Sends an event of type `webhook.test` now, signed like any other, and returns the outcome. ' +
      'It is sent once, whatever the status of the webhook, and does not appear in the delivery log.',
    request: { params: WebhookPath },
    responses: { 200: json(dataEnvelope(TestOutcome), 'The outcome, good or bad.') },
  }),
  { callers, failures: ['not_found', ...paymentFailures] },
);

export const listDeliveries = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    operationId: 'listWebhookDeliveries',
    tags: [tag],
    summary: 'List deliveries',
    description: 'What was sent to the endpoint in the last 30 days, newest event first, with every attempt.',
    request: { params: WebhookPath, query: z.object({ limit: createLimitField(100, 50), cursor: Cursor.optional() }) },
    responses: {
      200: json(Page('WebhookDeliveryPage', Delivery, 'One page of deliveries.'), 'One page of deliveries.'),
    },
  }),
  {
    callers,
    otherFormParameters: { page: 'cursor', per_page: 'limit' },
    failures: ['not_found', 'invalid_request', 'invalid_cursor', ...paymentFailures],
  },
);

export const redeliver = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
    operationId: 'redeliverWebhookDelivery',
    tags: [tag],
    summary: 'Send a delivery again',
    description:
      'Sends it again now, with the same `webhook-id` and body and a full set of 13 attempts, whatever its outcome so far.',
    request: { params: DeliveryPath },
    responses: { 202: json(dataEnvelope(Delivery), 'The delivery is being sent again.') },
  }),
  { callers, failures: ['not_found', 'webhook_inactive', ...paymentFailures] },
);

export const recoverWebhook = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/webhooks/{webhook_id}/recover',
    operationId: 'recoverWebhook',
    tags: [tag],
    summary: 'Recover undelivered events',
    description:
      'Sends every event since the given time that the webhook subscribes to and has not received, oldest first: exhausted ' +
      'and failed deliveries, and what happened while it was paused or disabled. It reaches back 30 days. At most 1,000 per call.',
    request: { params: WebhookPath, body: jsonBody(RecoverRequest) },
    responses: { 202: json(dataEnvelope(Recovery), 'The deliveries are being sent again.') },
  }),
  { callers, failures: ['invalid_body', 'not_found', 'webhook_inactive', ...paymentFailures] },
);
