// What vendors send by themselves: each is known by its own signature, or by an address that only it was given.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { cloudProviderIds } from '../../../shared/catalog/provider.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, rawBody } from '../../../shared/http/responses.ts';
import { defaultMaxPushBytes, maxPushBytes } from '../../../shared/providers/kit/push.ts';

const tag = 'Provider pushes';
const path = '/v1/providers/{provider}/push';
const provider = z.enum(cloudProviderIds).meta({ description: 'The provider that sends.', examples: ['oura'] });
const secret = z
  .string()
  .max(200)
  .meta({
    description: 'What only the provider was given, where it signs nothing: `/docs/providers` says where.',
    examples: ['Jx2vQkq0b8Qd'],
  });

const PushResponseBody = z
  .record(z.string(), z.unknown())
  .meta({ id: 'PushAnswer', description: 'What the provider wants to hear; nothing for most.', examples: [{}] });
const acceptedResponses = {
  200: json(PushResponseBody, 'Taken, or already known. The data is read as soon as the provider can be asked.'),
};
const body = rawBody('application/json', 'As the provider sends it.', '{"event_type":"update","data_type":"sleep"}');
/** Of those that send data; announcements are shorter. */
const bodyLimits = { wireBytes: maxPushBytes };
const failures = ['unauthorized', 'not_found', 'invalid_body', 'payload_too_large'] as const;
/**
 * Providers send as much as they have. Whoever is not known to be one draws on the bucket of the
 * address, which never keeps a provider at the same address out.
 */
const unlimited = 'known_senders';
const providerNote =
  'For providers, not for you: register this address with the provider as `/docs/providers` describes. A request that the provider did not send is refused ' +
  'before its body is parsed, and counts toward the rate limit of its address. Requests of the provider are never limited.';
const sizeLimits = `The limit is ${defaultMaxPushBytes / 1e3} kB for providers that only announce changes, and higher for those that send the data itself.`;

export const receivePush = defineEndpoint(
  createRoute({
    method: 'post',
    path,
    operationId: 'receivePush',
    tags: [tag],
    summary: 'Take what a provider sends',
    description: `${providerNote} ${sizeLimits}`,
    request: { params: z.object({ provider }), body },
    responses: acceptedResponses,
  }),
  { callers: [], unlimited, failures, bodyLimits },
);

export const receivePushAtSecretPath = defineEndpoint(
  createRoute({
    method: 'post',
    path: `${path}/{secret}`,
    operationId: 'receivePushAtSecretPath',
    tags: [tag],
    summary: 'Take what a provider sends unsigned',
    description: `${providerNote} ${sizeLimits}`,
    request: { params: z.object({ provider, secret }), body },
    responses: acceptedResponses,
  }),
  { callers: [], unlimited, failures, bodyLimits },
);

export const confirmPushAddress = defineEndpoint(
  createRoute({
    method: 'get',
    path,
    operationId: 'confirmPushAddress',
    tags: [tag],
    summary: 'Confirm the address of pushes',
    description: `Some providers ask whether an address is ours before they send anything. ${providerNote}`,
    request: { params: z.object({ provider }) },
    responses: { 200: json(PushResponseBody, 'It is: what the provider asked for.') },
  }),
  { callers: [], unlimited, failures: ['unauthorized', 'not_found'] },
);

export const confirmSecretPushAddress = defineEndpoint(
  createRoute({
    method: 'get',
    path: `${path}/{secret}`,
    operationId: 'confirmSecretPushAddress',
    tags: [tag],
    summary: 'Confirm the secret address of pushes',
    description: `Some providers ask whether an address is ours before they send anything. ${providerNote}`,
    request: { params: z.object({ provider, secret }) },
    responses: { 200: json(PushResponseBody, 'It is: what the provider asked for.') },
  }),
  { callers: [], unlimited, failures: ['unauthorized', 'not_found'] },
);
