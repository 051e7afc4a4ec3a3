// Routes for the documentation pages other than the reference.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { ProviderId } from '../../../shared/catalog/provider.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { html } from '../../../shared/http/responses.ts';

const tag = 'Service';

export const providersDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/providers',
    operationId: 'getProvidersDocs',
    tags: [tag],
    summary: 'What every provider reports',
    description:
      "A page that lists every provider and metric, how data arrives, how far back the history goes, and each provider's rate limits.",
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

export const providerDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/providers/{provider}',
    operationId: 'getProviderDocs',
    tags: [tag],
    summary: 'How to set up a provider',
    description:
      'A page on where to register, this deployment’s redirect and push URLs, which credentials it needs and where to store them.',
    request: { params: z.object({ provider: ProviderId }) },
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing', failures: ['not_found'] },
);

export const scoresDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/scores',
    operationId: 'getScoresDocs',
    tags: [tag],
    summary: 'How scores are computed',
    description: 'A page on the formula, inputs, weights, references and limitations of every score.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

export const webhookDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/webhooks',
    operationId: 'getWebhookDocs',
    tags: [tag],
    summary: 'How to receive webhooks',
    description:
      'A page on registering an endpoint, verifying signatures, with receivers in three languages, the body of every event type, and how deliveries are retried.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

export const errorsDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/errors',
    operationId: 'getErrorsDocs',
    tags: [tag],
    summary: 'Every error code',
    description: 'A page that lists every error code with its status, when it happens, what to do, and an example.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

export const erasureDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/erasure',
    operationId: 'getErasureDocs',
    tags: [tag],
    summary: 'What is erased when a user is deleted',
    description: 'A page on what a deletion erases and when, and on what remains, where and for how long.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

export const securityDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/security',
    operationId: 'getSecurityDocs',
    tags: [tag],
    summary: 'How data is protected',
    description: 'A page on what protects data, what is not covered, and how to report a vulnerability.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

export const dataProtectionDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/data-protection',
    operationId: 'getDataProtectionDocs',
    tags: [tag],
    summary: 'Which data is stored',
    description:
      'A page on which data is stored, where, for how long, who can read it, and how the rights of users are served.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

export const quickstartDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/quickstart',
    operationId: 'getQuickstartDocs',
    tags: [tag],
    summary: 'From nothing to a chart',
    description: 'A page with one program in curl, TypeScript, Python and Kotlin.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

export const changelogDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/changelog',
    operationId: 'getChangelogDocs',
    tags: [tag],
    summary: 'What was added',
    description: 'A page on what was added to the API, newest first.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

export const demo = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/demo',
    operationId: 'getDemo',
    tags: [tag],
    summary: 'Three months of data as charts',
    description: 'A page that creates a sandbox user with your sandbox key and charts its days and scores.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);
