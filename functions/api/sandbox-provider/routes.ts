// The sandbox's own vendor over HTTP, at the addresses of the real ones. Only the sandbox comes here: what is live goes to the vendors themselves.
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
    provider: z.enum(cloudProviderIds).meta({ description: 'The vendor that is played.', examples: ['oura'] }),
    host: z
      .string()
      .regex(/^[a-z0-9.-]+$/)
      .meta({ description: 'The host of the real vendor.', examples: ['cloud.ouraring.com'] }),
    path: z
      .string()
      .meta({ description: 'The path at that host, of any number of parts.', examples: ['oauth/authorize'] }),
  }),
};
/**
 * It answers as ten different providers do, each with statuses and bodies of its own, which no
 * document of ours could hold it to.
 */
const undocumented = true;
const providerAnswerNote = 'All else is answered as the vendor answers, in its own words and with its own statuses.';

export const readSandboxProvider = defineEndpoint(
  createRoute({
    method: 'get',
    path,
    operationId: 'readSandboxVendor',
    tags: [tag],
    summary: 'Consent page and data of the built-in vendor',
    description:
      'Sandbox connections lead here instead of to the real vendor: at its authorize address stands a page where you choose whose made-up life is linked, ' +
      `and its data addresses answer for the tokens that come of it. ${providerAnswerNote}`,
    request,
    responses: { 200: html('The consent page, or what the vendor has.') },
  }),
  { callers: [], undocumented, failurePage: renderFailurePage },
);

export const writeSandboxProvider = defineEndpoint(
  createRoute({
    method: 'post',
    path,
    operationId: 'writeSandboxVendor',
    tags: [tag],
    summary: 'Consent and tokens of the built-in vendor',
    description: `What the consent page sends, and the vendor's token addresses. ${providerAnswerNote}`,
    request: {
      ...request,
      body: formBody('As the vendor takes it.', { decision: 'allow', persona: 'average', time_zone: 'UTC' }),
    },
    responses: {
      200: html('What the vendor has to say.'),
      302: { description: 'Back to where the link came from, with a code or with the refusal.' },
    },
  }),
  { callers: [], undocumented, bodyLimits: { wireBytes: 64_000 }, failurePage: renderFailurePage },
);

export const deleteAtSandboxProvider = defineEndpoint(
  createRoute({
    method: 'delete',
    path,
    operationId: 'deleteAtSandboxVendor',
    tags: [tag],
    summary: 'Revocation at the built-in vendor',
    description: `The addresses at which some vendors are told that a consent has ended. ${providerAnswerNote}`,
    request,
    responses: { 204: { description: 'The consent has ended.' } },
  }),
  { callers: [], undocumented, failurePage: renderFailurePage },
);
