// Routes for the service itself: its first page, the OpenAPI documents, the documentation pages and
// the health check.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { ProviderId } from '../../../shared/catalog/provider.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { html, json } from '../../../shared/http/responses.ts';
import { SearchIndex } from './browser/search-entry.ts';
import { contractVersion, ServiceIndex } from './service-index.ts';

const tag = 'Service';

export const home = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/',
    operationId: 'getIndex',
    tags: [tag],
    summary: 'What this service is',
    description:
      'Returns the name of the service and links to its documentation. A browser (`Accept: text/html`) gets a page instead.',
    responses: {
      200: {
        description: 'The name and the links.',
        content: { ...json(ServiceIndex, '').content, ...html('').content },
      },
    },
  }),
  { callers: [], reveals: 'nothing' },
);

/** Monitors and generators append a parameter to get past caches. */
const ignoresUnknownParameters = true;

export const openApi = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tags: [tag],
    summary: 'OpenAPI document',
    description: 'This document: OpenAPI 3.1, generated from the routes the service runs.',
    responses: {
      200: json(z.record(z.string(), z.unknown()), 'The document.', {
        openapi: '3.1.0',
        info: { title: 'Daybook', version: '1.0.0' },
        paths: {},
      }),
    },
  }),
  { callers: [], reveals: 'nothing', ignoresUnknownParameters },
);

export const form1OpenApi = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/openapi.form1.json',
    operationId: 'getForm1OpenApi',
    tags: [tag],
    summary: 'OpenAPI document for Form 1',
    description: 'The same document for accounts on Form 1.',
    responses: {
      200: json(z.record(z.string(), z.unknown()), 'The document.', {
        openapi: '3.1.0',
        info: { title: 'Daybook, Form 1', version: '1.0.0' },
        paths: {},
      }),
    },
  }),
  { callers: [], reveals: 'nothing', ignoresUnknownParameters },
);

export const consoleOpenApi = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/openapi.console.json',
    operationId: 'getConsoleOpenApi',
    tags: [tag],
    summary: 'OpenAPI document of the console',
    description: 'The calls of the console’s own pages. Programs use the API instead.',
    responses: {
      200: json(z.record(z.string(), z.unknown()), 'The document.', {
        openapi: '3.1.0',
        info: { title: 'Daybook, console', version: '1.0.0' },
        paths: {},
      }),
    },
  }),
  { callers: [], reveals: 'nothing', undocumented: true, ignoresUnknownParameters },
);

export const docs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs',
    operationId: 'getDocs',
    tags: [tag],
    summary: 'Reference',
    description:
      'A page that lists every call by group, with a search over calls, parameters, fields, codes and guides.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

export const form1Docs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/form1',
    operationId: 'getForm1Docs',
    tags: [tag],
    summary: 'Reference for Form 1',
    description: 'The same page for accounts on Form 1.',
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing' },
);

const GroupParams = z.object({ group: z.string().meta({ examples: ['users'] }) });

export const groupDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/reference/{group}',
    operationId: 'getGroupDocs',
    tags: [tag],
    summary: 'The calls of one group',
    description: 'A page that shows the calls of one group and lets you try them.',
    request: { params: GroupParams },
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing', failures: ['not_found'] },
);

export const form1GroupDocs = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/form1/{group}',
    operationId: 'getForm1GroupDocs',
    tags: [tag],
    summary: 'The calls of one group, in Form 1',
    description: 'The same page for accounts on Form 1.',
    request: { params: GroupParams },
    responses: { 200: html('The page.') },
  }),
  { callers: [], reveals: 'nothing', failures: ['not_found'] },
);

export const searchIndex = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/search.json',
    operationId: 'getSearchIndex',
    tags: [tag],
    summary: 'What the search of the reference finds',
    description: 'The index that the pages of the reference search in.',
    responses: { 200: json(SearchIndex, 'The index.') },
  }),
  { callers: [], reveals: 'nothing', undocumented: true, ignoresUnknownParameters },
);

export const form1SearchIndex = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/docs/search.form1.json',
    operationId: 'getForm1SearchIndex',
    tags: [tag],
    summary: 'What the search of the reference of Form 1 finds',
    description: 'The same index for Form 1.',
    responses: { 200: json(SearchIndex, 'The index.') },
  }),
  { callers: [], reveals: 'nothing', undocumented: true, ignoresUnknownParameters },
);

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

export const health = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/healthz',
    operationId: 'getHealth',
    tags: [tag],
    summary: 'Health',
    description: 'Returns 200 when the service can serve requests.',
    responses: {
      200: json(
        z
          .object({
            status: z.enum(['ok']).meta({ examples: ['ok'] }),
            version: contractVersion,
            node: z
              .string()
              .meta({ description: 'The Node.js version that the service runs on.', examples: ['v24.21.0'] }),
          })
          .meta({ id: 'Health', description: 'The service is up.' }),
        'It is up.',
      ),
    },
  }),
  { callers: [], reveals: 'nothing', unlimited: true, ignoresUnknownParameters },
);
