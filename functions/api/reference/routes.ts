// Routes for the service itself: its first page, the OpenAPI documents, the reference pages and the
// health check.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
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
  { callers: [], reveals: 'nothing', document: 'none', ignoresUnknownParameters },
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
  { callers: [], reveals: 'nothing', document: 'none', ignoresUnknownParameters },
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
  { callers: [], reveals: 'nothing', document: 'none', ignoresUnknownParameters },
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
