// Routes for the sandbox's simulated provider, which mirrors the URLs of the real ones. Only
// sandbox connections use it; live connections call the providers themselves.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { cloudProviderIds } from '../../../shared/catalog/provider.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { renderFailurePage } from '../../../shared/http/failure-page.ts';
import { formBody, html } from '../../../shared/http/responses.ts';

const tag = 'Sandbox';
const path = '/sandbox/{provider}/{host}/{path+}';
const request = {
  params: z.object({
    provider: z.enum(cloudProviderIds).meta({ description: 'The provider that is simulated.', examples: ['oura'] }),
    host: z
      .string()
      .regex(/^[a-z0-9.-]+$/)
      .meta({ description: 'The host of the real provider.', examples: ['cloud.ouraring.com'] }),
    path: z
      .string()
      .meta({ description: 'The path at that host, with any number of segments.', examples: ['oauth/authorize'] }),
  }),
};
/**
 * The simulated provider responds as ten different providers do, each with its own statuses and
 * bodies. No OpenAPI description could cover them.
 */
const document = 'none';
/** As the real providers do. */
const ignoresUnknownParameters = true;
const providerResponseNote = 'All other URLs respond as the provider does, with its own bodies and statuses.';

export const readSandboxProvider = defineEndpoint(
  createRoute({
    method: 'get',
    path,
    operationId: 'readSandboxProvider',
    tags: [tag],
    summary: 'Consent page and data of the simulated provider',
    description:
      'Sandbox connections lead here instead of to the real provider. Its authorize URL shows a page where you choose which fictional user to link, ' +
      `and its data URLs accept the resulting tokens. ${providerResponseNote}`,
    request,
    responses: { 200: html("The consent page, or the provider's data.") },
  }),
  { callers: [], reveals: 'nothing', document, ignoresUnknownParameters, failurePage: renderFailurePage },
);

export const writeSandboxProvider = defineEndpoint(
  createRoute({
    method: 'post',
    path,
    operationId: 'writeSandboxProvider',
    tags: [tag],
    summary: 'Consent and tokens of the simulated provider',
    description: `The form that the consent page submits, and the provider's token URLs. ${providerResponseNote}`,
    request: {
      ...request,
      body: formBody('The body as the provider expects it.', {
        decision: 'allow',
        persona: 'average',
        time_zone: 'UTC',
      }),
    },
    responses: {
      200: html("The provider's response."),
      302: { description: 'Redirects back with a code, or with the error if access was denied.' },
    },
  }),
  {
    callers: [],
    reveals: 'nothing',
    audits: false,
    changes: 'state',
    document,
    ignoresUnknownParameters,
    bodyLimits: { wireBytes: 64_000 },
    failurePage: renderFailurePage,
  },
);

export const deleteAtSandboxProvider = defineEndpoint(
  createRoute({
    method: 'delete',
    path,
    operationId: 'deleteAtSandboxProvider',
    tags: [tag],
    summary: 'Revocation at the simulated provider',
    description: `The URLs at which some providers accept the revocation of a consent. ${providerResponseNote}`,
    request,
    responses: { 204: { description: 'The consent has ended.' } },
  }),
  {
    callers: [],
    reveals: 'nothing',
    audits: false,
    changes: 'state',
    document,
    ignoresUnknownParameters,
    failurePage: renderFailurePage,
  },
);
