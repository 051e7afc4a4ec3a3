import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { createRoute } from '@hono/zod-openapi';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { onHttp } from '../../../functions/runtime/on-http.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { renderFailurePage } from '../../../shared/http/failure-page.ts';
import { json } from '../../../shared/http/responses.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

/** The maximum result size that Lambda accepts from a function. */
const mostResultBytes = 6 * 1024 * 1024;
const Large = z.object({ text: z.string().meta({ examples: ['x'] }) }).meta({ id: 'Large', description: 'Much.' });
const route = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/large',
    operationId: 'large',
    description: 'Says much.',
    responses: { 200: json(Large, 'Much.') },
  }),
  { callers: [], failurePage: renderFailurePage },
);

/** The length of `{"text":""}`. */
const around = 11;
/**
 * Half of the body is quotes, as in JSON with short names, because each quote is escaped there.
 * Sent as text, they are escaped once more.
 */
const quotes = (bytes: number) => '"'.repeat((bytes - around) / 2);

async function ask(text: string, headers: Record<string, string> = {}) {
  const memory = memoryDeps();
  const group = (deps: Deps): Api => {
    const api = createApi(deps);
    api.openapi(route, (c) => c.json({ text }, 200));
    return api;
  };
  const result = await onHttp(group).build(memory.deps)({
    rawPath: '/large',
    rawQueryString: '',
    headers,
    requestContext: { requestId: 'r', domainName: 'daybook.example', http: { method: 'GET', sourceIp: '192.0.2.1' } },
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2);
  const bytes = Buffer.from(result.body ?? '', result.isBase64Encoded ? 'base64' : 'utf8');
  return { ...result, bytes, resultBytes: Buffer.byteLength(JSON.stringify(result)), log: memory.log };
}

describe('a response', () => {
  test.each([11, 1_000_001, 2_499_999, 2_500_001, 3_000_001, 4_499_999])(
    'of about %i bytes arrives completely, within the limit of Lambda',
    async (size) => {
      const text = quotes(size);
      const told = await ask(text);
      expect(told.statusCode).toBe(200);
      expect(JSON.parse(told.bytes.toString())).toEqual({ text });
      expect(told.resultBytes).toBeLessThan(mostResultBytes);
    },
  );

  test('with few quotes is sent as text, even if it would be too long in base64', async () => {
    const most = 6_000_000 - around - 4;
    const told = await ask('x'.repeat(most));
    expect([told.statusCode, told.isBase64Encoded]).toEqual([200, false]);
    expect(told.resultBytes).toBeLessThan(mostResultBytes);
    expect((await ask('x'.repeat(most + 1))).statusCode).toBe(400);
  });

  test('that does not fit is rejected with advice on how to get it', async () => {
    expect((await ask(`${quotes(4_499_999)}x`)).statusCode).toBe(200);
    const told = await ask(quotes(4_500_001));
    expect(told.statusCode).toBe(400);
    expect(JSON.parse(told.bytes.toString())).toEqual({
      error: 'invalid_request',
      message:
        'The response would be 4.5 MB, which is too large to send. Request fewer days or metrics, or accept compression (Accept-Encoding: gzip).',
      details: { bytes: 4_500_001 },
    });
    expect(told.headers).toMatchObject({ 'x-request-id': 'r', 'cache-control': 'no-store' });
    expect(told.headers).not.toHaveProperty('etag');
    expect(told.log.at(-1)).toMatchObject({ message: 'request', fields: { status: 400, code: 'invalid_request' } });
  });

  test('is sent compressed if the client accepts that', async () => {
    const text = 'x'.repeat(9_000_000);
    const told = await ask(text, { 'accept-encoding': 'gzip' });
    expect(told.statusCode).toBe(200);
    expect(JSON.parse(gunzipSync(told.bytes).toString())).toEqual({ text });
  });

  test('that is too large even if compressed does not advise compression', async () => {
    const told = await ask(randomBytes(4_600_000).toString('base64'), { 'accept-encoding': 'gzip' });
    expect(told.statusCode).toBe(400);
    expect(told.headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(told.bytes.toString()).message).toMatch(/Request fewer days or metrics\.$/);
  });

  test('for a browser is rejected with a page', async () => {
    const told = await ask('x'.repeat(7_000_000), { accept: 'text/html' });
    expect(told.statusCode).toBe(400);
    expect(told.headers?.['content-type']).toMatch(/^text\/html/);
  });
});
