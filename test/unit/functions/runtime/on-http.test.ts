import { createRoute } from '@hono/zod-openapi';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { catalogsApi } from '../../../../functions/api/catalogs/app.ts';
import { onHttp } from '../../../../functions/runtime/on-http.ts';
import { createApi } from '../../../../shared/http/api.ts';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../../shared/http/responses.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

const got = (rawPath: string, method = 'GET', headers: Record<string, string> = {}) =>
  ({
    rawPath,
    rawQueryString: '',
    headers,
    requestContext: { requestId: 'r', domainName: 'daybook.example', http: { method, sourceIp: '192.0.2.1' } },
    isBase64Encoded: false,
  }) as unknown as APIGatewayProxyEventV2;

test('an unpaired surrogate in a path is not found, and is not a server error', async () => {
  const handle = onHttp(catalogsApi).build(memoryDeps().deps);
  expect((await handle(got('/v1/metrics/\ud800'))).statusCode).toBe(404);
});

test('a header that is not valid is answered with 400; an error that the request did not cause fails the run', async () => {
  const handle = onHttp(catalogsApi).build(memoryDeps().deps);
  expect((await handle(got('/v1/metrics', 'GET', { 'x-name': 'a\nb' }))).statusCode).toBe(400);
  const broken = Object.defineProperty(got('/v1/metrics'), 'headers', {
    get() {
      throw new RangeError('the event is broken');
    },
  });
  await expect(handle(broken)).rejects.toThrow('the event is broken');
});

test('the limit of a body holds for bytes that arrive in the event, whatever Content-Length says', async () => {
  const Note = z.object({ text: z.string() });
  const route = createRoute({
    method: 'post',
    path: '/notes',
    operationId: 'note',
    request: { body: jsonBody(Note) },
    responses: { 200: json(Note, 'The note.') },
  });
  const handle = onHttp((deps) => {
    const api = createApi(deps);
    api.openapi(
      defineEndpoint(route, { callers: [], reveals: 'nothing', audits: false, changes: 'nothing' }),
      async (c) => c.json(c.req.valid('json'), 200),
    );
    return api;
  }).build(memoryDeps().deps);
  const statusOf = async (bytes: number, headers: Record<string, string> = {}) => {
    const event = got('/notes', 'POST', { 'content-type': 'application/json', ...headers });
    const body = JSON.stringify({ text: 'x'.repeat(bytes - '{"text":""}'.length) });
    return (await handle({ ...event, body })).statusCode;
  };
  expect([await statusOf(16_000), await statusOf(16_001)]).toEqual([200, 413]);
  expect(await statusOf(16_001, { 'content-length': '10' })).toBe(413);
  expect(await statusOf(100, { 'content-length': '16001' })).toBe(413);
});

test('each cookie is a cookie of its own, and none is also a header', async () => {
  const route = createRoute({
    method: 'get',
    path: '/cookies',
    operationId: 'cookies',
    responses: { 200: json(z.object({}), 'Nothing.') },
  });
  const handle = onHttp((deps) => {
    const api = createApi(deps);
    api.openapi(defineEndpoint(route, { callers: [], reveals: 'nothing' }), async (c) => {
      c.header('Set-Cookie', 'a=1; Path=/');
      c.header('Set-Cookie', 'b=2; Path=/', { append: true });
      return c.json({}, 200);
    });
    return api;
  }).build(memoryDeps().deps);
  const { headers, cookies } = await handle(got('/cookies'));
  expect(cookies).toEqual(['a=1; Path=/', 'b=2; Path=/']);
  expect(Object.keys(headers ?? {})).not.toContain('set-cookie');
});
