// Routes for webhooks: the endpoints that receive events, the delivery log, and sending deliveries
// again.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { actEffects } from '../../../shared/audit/act-effects.ts';
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
import { colleague } from '../callers/colleague.ts';

const WebhookPath = z.object({
  webhook_id: z.string().meta({ description: 'The webhook.', examples: ['whk_01k9p3wh8j0m2p4r6t8w0y2a4c'] }),
});
const DeliveryPath = WebhookPath.extend({
  delivery_id: z.string().meta({ description: 'The delivery.', examples: ['dlv_01k9p3w8x9n4q6s8v0x2z4b6d8'] }),
});
const dataEnvelope = <T extends z.ZodType>(schema: T) => z.object({ data: schema });
const tag = 'Webhooks';
const callers = [apiKey, colleague];

export const registerWebhook = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/webhooks',
    operationId: 'registerWebhook',
    tags: [tag],
    summary: 'Register a webhook',
    description:
      'Registers an endpoint, which from now on receives the events it subscribes to as signed POST requests (Standard Webhooks). ' +
      'The response contains the signing secret, which is shown only once. An environment can have at most 16 webhooks. ' +
      'Registering is not idempotent. `/docs/webhooks` explains how to verify signatures and how deliveries are retried.',
    request: { body: jsonBody(NewWebhook) },
    responses: { 201: json(dataEnvelope(WebhookWithSecret), 'The webhook was registered.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'webhook.created',
    changes: 'credentials',
    failures: ['invalid_body', 'limit_reached', ...paymentFailures],
  },
);

export const listWebhooks = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    tags: [tag],
    summary: 'List webhooks',
    description: 'Lists every webhook in the environment, oldest first.',
    responses: { 200: json(dataEnvelope(z.array(ListedWebhook)), 'The webhooks.') },
  }),
  { callers, reveals: 'state', failures: [...paymentFailures] },
);

export const getWebhook = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'getWebhook',
    tags: [tag],
    summary: 'Get a webhook',
    description: 'Returns one webhook of the environment.',
    request: { params: WebhookPath },
    responses: { 200: json(dataEnvelope(ListedWebhook), 'The webhook.') },
  }),
  { callers, reveals: 'state', failures: ['not_found', ...paymentFailures] },
);

export const updateWebhook = defineEndpoint(
  createRoute({
    method: 'patch',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'updateWebhook',
    tags: [tag],
    summary: 'Update a webhook',
    description:
      'Changes only the fields you send. Nothing is sent to a webhook while it is paused or disabled; once it is active again, the events it missed can be ' +
      'sent with the recover operation for 30 days.',
    request: { params: WebhookPath, body: jsonBody(WebhookPatch) },
    responses: { 200: json(dataEnvelope(Webhook), 'The updated webhook.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'webhook.updated',
    changes: 'credentials',
    failures: ['invalid_body', 'not_found', ...paymentFailures],
  },
);

export const deleteWebhook = defineEndpoint(
  createRoute({
    method: 'delete',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'deleteWebhook',
    tags: [tag],
    summary: 'Delete a webhook',
    description: actEffects['webhook.deleted'],
    request: { params: WebhookPath },
    responses: { 204: { description: 'The webhook was deleted.' } },
  }),
  {
    callers,
    reveals: 'state',
    audits: 'webhook.deleted',
    changes: 'data',
    failures: ['not_found', ...paymentFailures],
  },
);

export const rotateWebhookSecret = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/v1/webhooks/{webhook_id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tags: [tag],
    summary: 'Rotate the signing secret',
    description:
      `${actEffects['webhook.secret_rotated']} ` + 'Both signatures are in the same header, separated by a space.',
    request: { params: WebhookPath },
    responses: { 200: json(dataEnvelope(WebhookWithSecret), 'The webhook with its new secret.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'webhook.secret_rotated',
    changes: 'credentials',
    failures: ['not_found', ...paymentFailures],
  },
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
      "It is sent once, regardless of the webhook's status, and does not appear in the delivery log.",
    request: { params: WebhookPath },
    responses: { 200: json(dataEnvelope(TestOutcome), 'The outcome of the attempt, successful or not.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'webhook.tested',
    changes: 'state',
    failures: ['not_found', ...paymentFailures],
  },
);

export const listDeliveries = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    operationId: 'listWebhookDeliveries',
    tags: [tag],
    summary: 'List deliveries',
    description: 'Lists what was sent to the endpoint in the last 30 days, newest event first, with every attempt.',
    request: { params: WebhookPath, query: z.object({ limit: createLimitField(100, 50), cursor: Cursor.optional() }) },
    responses: {
      200: json(Page('WebhookDeliveryPage', Delivery, 'One page of deliveries.'), 'One page of deliveries.'),
    },
  }),
  {
    callers,
    reveals: 'state',
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
    summary: 'Resend a delivery',
    description:
      'Sends the delivery again now, with the same `webhook-id` and body and a full set of 13 attempts, regardless of its outcome so far.',
    request: { params: DeliveryPath },
    responses: { 202: json(dataEnvelope(Delivery), 'The delivery is being sent again.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'webhook.redelivered',
    changes: 'state',
    failures: ['not_found', 'webhook_inactive', ...paymentFailures],
  },
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
      'and failed deliveries, and the events that occurred while it was paused or disabled. It covers the last 30 days and sends at most 1,000 deliveries per call.',
    request: { params: WebhookPath, body: jsonBody(RecoverRequest) },
    responses: { 202: json(dataEnvelope(Recovery), 'The deliveries are being sent again.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'webhook.recovered',
    changes: 'state',
    failures: ['invalid_body', 'not_found', 'webhook_inactive', ...paymentFailures],
  },
);
