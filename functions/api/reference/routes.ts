// The service itself: its description, its reference page and its health.
import * as z from 'zod';
import { json } from '../../../shared/http/answers.ts';
import { route } from '../../../shared/http/route.ts';

const tag = 'Service';

export const openApi = route({
  method: 'get',
  path: '/openapi.json',
  operationId: 'getOpenApi',
  tag,
  summary: 'OpenAPI document',
  description: 'This document: OpenAPI 3.1, made from the routes the service runs.',
  callers: [],
  answers: {
    200: {
      ...json(z.record(z.string(), z.unknown()), 'The document.'),
      example: { openapi: '3.1.0', info: { title: 'Daybook', version: '1.0.0' }, paths: {} },
    },
  },
  failures: [],
});

export const docs = route({
  method: 'get',
  path: '/docs',
  operationId: 'getDocs',
  tag,
  summary: 'Interactive reference',
  description: 'A page that shows every call and lets you try it with your own key.',
  callers: [],
  answers: { 200: { description: 'The page.', contentType: 'text/html; charset=utf-8' } },
  failures: [],
});

export const scoresDocs = route({
  method: 'get',
  path: '/docs/scores',
  operationId: 'getScoresDocs',
  tag,
  summary: 'How scores are made',
  description: 'A page with the formula, inputs, weights, references and limits of every score.',
  callers: [],
  answers: { 200: { description: 'The page.', contentType: 'text/html; charset=utf-8' } },
  failures: [],
});

export const webhookDocs = route({
  method: 'get',
  path: '/docs/webhooks',
  operationId: 'getWebhookDocs',
  tag,
  summary: 'How to receive webhooks',
  description: 'A page on verifying signatures, with examples in three languages, and on how deliveries are retried.',
  callers: [],
  answers: { 200: { description: 'The page.', contentType: 'text/html; charset=utf-8' } },
  failures: [],
});

export const erasureDocs = route({
  method: 'get',
  path: '/docs/erasure',
  operationId: 'getErasureDocs',
  tag,
  summary: 'What is erased with a user',
  description: 'A page on what a deletion erases and when, and on what remains, where and for how long.',
  callers: [],
  answers: { 200: { description: 'The page.', contentType: 'text/html; charset=utf-8' } },
  failures: [],
});

export const demo = route({
  method: 'get',
  path: '/docs/demo',
  operationId: 'getDemo',
  tag,
  summary: 'A week of data, drawn',
  description: 'A page that makes a sandbox user with your sandbox key and draws its days and scores.',
  callers: [],
  answers: { 200: { description: 'The page.', contentType: 'text/html; charset=utf-8' } },
  failures: [],
});

export const health = route({
  method: 'get',
  path: '/healthz',
  operationId: 'getHealth',
  tag,
  summary: 'Health',
  description: 'Answers when the service can serve requests.',
  callers: [],
  unlimited: true,
  answers: {
    200: json(
      z
        .object({
          status: z.enum(['ok']).meta({ examples: ['ok'] }),
          version: z.string().meta({ description: 'The version of the contract.', examples: ['1.0.0'] }),
          node: z.string().meta({ description: 'The Node.js release it runs on.', examples: ['v24.21.0'] }),
        })
        .meta({ id: 'Health', description: 'The service is up.' }),
      'It is up.',
    ),
  },
  failures: [],
});
