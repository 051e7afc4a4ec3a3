// Routes for pushes from providers. Each provider is authenticated by its own signature, or by a
// secret URL that only it knows.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { cloudProviderIds } from '../../../shared/catalog/provider.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, rawBody } from '../../../shared/http/responses.ts';
import { defaultMaxPushBytes, maxPushBytes } from '../../../shared/providers/kit/push.ts';

const tag = 'Provider pushes';
/** Only providers call them: `/docs/providers` describes them for operators. */
const document = 'none';
const path = '/v1/providers/{provider}/push';
const provider = z
  .enum(cloudProviderIds)
  .meta({ description: 'The provider that sends the push.', examples: ['oura'] });
const secret = z
  .string()
  .max(200)
  .meta({
    description:
      'The secret that only this provider knows, for providers that do not sign their pushes. See `/docs/providers`.',
    examples: ['Jx2vQkq0b8Qd'],
  });

const PushResponseBody = z.record(z.string(), z.unknown()).meta({
  id: 'PushAnswer',
  description: 'The response that the provider expects; empty for most providers.',
  examples: [{}],
});
const acceptedResponses = {
  200: json(PushResponseBody, "Accepted, or already known. The data is read as soon as the provider's limits allow."),
};
const body = rawBody(
  'application/json',
  'The body as the provider sends it.',
  '{"event_type":"update","data_type":"sleep"}',
);
/** The limit for providers that push data. Notifications are smaller. */
const bodyLimits = { wireBytes: maxPushBytes };
const failures = ['unauthorized', 'not_found', 'invalid_body', 'payload_too_large'] as const;
/**
 * Providers are not rate limited. Unknown senders draw from the bucket of their IP address, which
 * never blocks a provider at the same address.
 */
const unlimited = 'known_senders';
/** Providers add parameters of their own, such as a challenge. */
const ignoresUnknownParameters = true;
const providerNote =
  'For providers, not for you: register this URL with the provider as described in `/docs/providers`. A request that the provider did not send is rejected ' +
  'before its body is parsed and counts toward the rate limit of its IP address. Requests from the provider are never rate limited.';
const sizeLimits = `The limit is ${defaultMaxPushBytes / 1e3} kB for providers that only announce changes, and higher for those that push the data itself.`;

export const receivePush = defineEndpoint(
  createRoute({
    method: 'post',
    path,
    operationId: 'receivePush',
    tags: [tag],
    summary: 'Receive a push',
    description: `${providerNote} ${sizeLimits}`,
    request: { params: z.object({ provider }), body },
    responses: acceptedResponses,
  }),
  {
    callers: [],
    reveals: 'nothing',
    audits: false,
    changes: 'data',
    document,
    unlimited,
    ignoresUnknownParameters,
    failures,
    bodyLimits,
  },
);

export const receivePushAtSecretPath = defineEndpoint(
  createRoute({
    method: 'post',
    path: `${path}/{secret}`,
    operationId: 'receivePushAtSecretPath',
    tags: [tag],
    summary: 'Receive an unsigned push',
    description: `${providerNote} ${sizeLimits}`,
    request: { params: z.object({ provider, secret }), body },
    responses: acceptedResponses,
  }),
  {
    callers: [],
    reveals: 'nothing',
    audits: false,
    changes: 'data',
    document,
    unlimited,
    ignoresUnknownParameters,
    failures,
    bodyLimits,
  },
);

export const confirmPushAddress = defineEndpoint(
  createRoute({
    method: 'get',
    path,
    operationId: 'confirmPushAddress',
    tags: [tag],
    summary: 'Confirm the push URL',
    description: `Some providers verify a push URL before they send anything. ${providerNote}`,
    request: { params: z.object({ provider }) },
    responses: { 200: json(PushResponseBody, 'The confirmation that the provider expects.') },
  }),
  {
    callers: [],
    reveals: 'nothing',
    document,
    unlimited,
    ignoresUnknownParameters,
    failures: ['unauthorized', 'not_found'],
  },
);

export const confirmSecretPushAddress = defineEndpoint(
  createRoute({
    method: 'get',
    path: `${path}/{secret}`,
    operationId: 'confirmSecretPushAddress',
    tags: [tag],
    summary: 'Confirm the secret push URL',
    description: `Some providers verify a push URL before they send anything. ${providerNote}`,
    request: { params: z.object({ provider, secret }) },
    responses: { 200: json(PushResponseBody, 'The confirmation that the provider expects.') },
  }),
  {
    callers: [],
    reveals: 'nothing',
    document,
    unlimited,
    ignoresUnknownParameters,
    failures: ['unauthorized', 'not_found'],
  },
);
