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
const maxResultBytes = 6 * 1024 * 1024;
const Large = z.object({ text: z.string().meta({ examples: ['x'] }) }).meta({ id: 'Large', description: 'Much.' });
const route = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/large',
    operationId: 'large',
    description: 'Says much.',
    responses: { 200: json(Large, 'Much.') },
  }),
  { callers: [], reveals: 'nothing', failurePage: renderFailurePage },
);

/** The length of `{"text":""}`. */
const overheadBytes = 11;
/**
 * Half of the body is quotes, as in JSON with short names, because each quote is escaped there.
 * Sent as text, they are escaped once more.
 */
const quotes = (bytes: number) => '"'.repeat((bytes - overheadBytes) / 2);

async function sendRequest(text: string, headers: Record<string, string> = {}) {
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
      const response = await sendRequest(text);
      expect(response.statusCode).toBe(200);
      expect(JSON.parse(response.bytes.toString())).toEqual({ text });
      expect(response.resultBytes).toBeLessThan(maxResultBytes);
    },
  );

  test('with few quotes is sent as text, even if it would be too long in base64', async () => {
    const maxLength = 6_000_000 - overheadBytes - 4;
    const response = await sendRequest('x'.repeat(maxLength));
    expect([response.statusCode, response.isBase64Encoded]).toEqual([200, false]);
    expect(response.resultBytes).toBeLessThan(maxResultBytes);
    expect((await sendRequest('x'.repeat(maxLength + 1))).statusCode).toBe(400);
  });

  test('that does not fit is rejected with advice on how to get it', async () => {
    expect((await sendRequest(`${quotes(4_499_999)}x`)).statusCode).toBe(200);
    const response = await sendRequest(quotes(4_500_001));
    expect(response.statusCode).toBe(400);
    expect(JSON.parse(response.bytes.toString())).toEqual({
      error: 'invalid_request',
      message:
        'The response would be 4.5 MB, which is too large to send. Request fewer days or metrics, or accept compression (Accept-Encoding: gzip).',
      details: { bytes: 4_500_001 },
    });
    expect(response.headers).toMatchObject({ 'x-request-id': 'r', 'cache-control': 'no-store' });
    expect(response.headers).not.toHaveProperty('etag');
    expect(response.log.at(-1)).toMatchObject({ message: 'request', fields: { status: 400, code: 'invalid_request' } });
  });

  test('is sent compressed if the client accepts that', async () => {
    const text = 'x'.repeat(9_000_000);
    const response = await sendRequest(text, { 'accept-encoding': 'gzip' });
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(gunzipSync(response.bytes).toString())).toEqual({ text });
  });

  test('that is too large even if compressed does not advise compression', async () => {
    const response = await sendRequest(randomBytes(4_600_000).toString('base64'), { 'accept-encoding': 'gzip' });
    expect(response.statusCode).toBe(400);
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect(JSON.parse(response.bytes.toString()).message).toMatch(/Request fewer days or metrics\.$/);
  });

  test('for a browser is rejected with a page', async () => {
    const response = await sendRequest('x'.repeat(7_000_000), { accept: 'text/html' });
    expect(response.statusCode).toBe(400);
    expect(response.headers?.['content-type']).toMatch(/^text\/html/);
  });
});
