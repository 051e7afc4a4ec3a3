// Routes of the console: its pages and the files that they load.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { html } from '../../../shared/http/responses.ts';
import { assetTypes } from './asset-types.ts';

const tag = 'Console';

export const consoleHome = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console',
    operationId: 'getConsole',
    tags: [tag],
    summary: 'The console',
    description: 'The page that colleagues use to see people, webhooks, events and settings.',
    responses: { 200: html('The page.'), 307: { description: 'A redirect to the name that cookies are set for.' } },
  }),
  { callers: [], reveals: 'nothing' },
);

export const consolePage = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/{page+}',
    operationId: 'getConsolePage',
    tags: [tag],
    summary: 'A page of the console',
    description: 'The same document at every address: its script draws the page of the address.',
    request: { params: z.object({ page: z.string() }) },
    responses: { 200: html('The page.'), 307: { description: 'A redirect to the name that cookies are set for.' } },
  }),
  { callers: [], reveals: 'nothing', failures: ['not_found'], maxParameterLength: 1024 },
);

export const consoleAsset = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/console/assets/{file}',
    operationId: 'getConsoleAsset',
    tags: [tag],
    summary: 'A file of the console',
    description: 'A script, a style sheet or an image. Its name contains a hash of its content.',
    request: { params: z.object({ file: z.string() }) },
    responses: {
      200: {
        description: 'The file.',
        content: Object.fromEntries(Object.values(assetTypes).map((type) => [type, { schema: z.string() }])),
      },
    },
  }),
  { callers: [], reveals: 'nothing', failures: ['not_found'], document: 'none' },
);
