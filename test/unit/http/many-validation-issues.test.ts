// A response stays short however many mistakes a request has, and says how many more there are.
import { createRoute } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { contract } from '../../../functions/api/reference/contract.ts';
import { sdkApi } from '../../../functions/api/sdk/app.ts';
import { createApi } from '../../../shared/http/api.ts';
import { getBodyLimits } from '../../../shared/http/body.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../shared/http/responses.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

const paths = ['/v1/sdk/sessions/exchange', '/v1/sdk/sessions/refresh'];

const post = async (
  api: ReturnType<typeof createApi>,
  path: string,
  body: string,
  headers: Record<string, string> = {},
) => {
  const response = await requestInProcess(api, path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const text = await response.text();
  return { status: response.status, bytes: text.length, ...JSON.parse(text) };
};

describe.each(paths)('%s', (path) => {
  const unknown = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_none, n) => [`f${n}`, 1])));

  test('lists twenty unknown fields and counts the others', async () => {
    const response = await post(sdkApi(memoryDeps().deps), path, unknown(1_000));
    expect([response.status, response.error]).toEqual([400, 'invalid_body']);
    // The missing token is a mistake as well.
    expect([response.details.issues.length, response.details.more_issues]).toEqual([20, 981]);
    expect(response.details.issues).toContainEqual({ path: 'f0', message: 'unknown field' });
    expect(response.bytes).toBeLessThan(2_000);
  });

  test('rejects a body of more than a thousand fields', async () => {
    expect((await post(sdkApi(memoryDeps().deps), path, unknown(1_001))).status).toBe(413);
  });

  test('does not mention more issues if there are none', async () => {
    const response = await post(sdkApi(memoryDeps().deps), path, unknown(19));
    expect(response.details.issues).toHaveLength(20);
    expect(response.details).not.toHaveProperty('more_issues');
  });

  test('truncates a field name that fills the body', async () => {
    const response = await post(sdkApi(memoryDeps().deps), path, JSON.stringify({ ['x'.repeat(15_000)]: 1 }));
    expect([response.status, response.bytes < 2_000]).toEqual([400, true]);
  });

  test('accepts at most 16 kB, and does not read a body that declares more', async () => {
    const api = sdkApi(memoryDeps().deps);
    const padded = (bytes: number) => `{"a":1${' '.repeat(bytes - 7)}}`;
    expect((await post(api, path, padded(16_000))).status).toBe(400);
    expect((await post(api, path, padded(16_001))).status).toBe(413);
    expect((await post(api, path, '{}', { 'content-length': '16001' })).status).toBe(413);
  });
});

test('the issues of many fields and of a query are limited alike', async () => {
  const names = Array.from({ length: 30 }, (_none, n) => `f${n}`);
  const fields = z.object(Object.fromEntries(names.map((name) => [name, z.string().max(1)])));
  const api = createApi(memoryDeps().deps);
  const wrong = defineEndpoint(
    createRoute({
      method: 'post',
      path: '/wrong',
      operationId: 'wrong',
      request: { query: fields.partial(), body: jsonBody(fields) },
      responses: { 200: json(z.object({}), 'Fine.') },
    }),
    { callers: [], reveals: 'nothing', audits: false, changes: 'nothing' },
  );
  api.openapi(wrong, async (c) => c.json({}, 200));
  const query = names.map((name) => `${name}=long`).join('&');
  const [inBody, inQuery] = [await post(api, '/wrong', '{}'), await post(api, `/wrong?${query}`, '{}')];
  expect([inBody.error, inBody.details.issues.length, inBody.details.more_issues]).toEqual(['invalid_body', 20, 10]);
  expect([inQuery.error, inQuery.details.issues.length, inQuery.details.more_issues]).toEqual([
    'invalid_request',
    20,
    10,
  ]);
});

test('every route with a body has a size limit, and only data from phones and providers may be large', () => {
  const limits = contract.flatMap((each) => {
    const { wireBytes } = getBodyLimits(each) ?? {};
    return wireBytes === undefined ? [] : [{ name: each.route.operationId, wireBytes, callers: each.callers.length }];
  });
  const long = limits.filter(({ wireBytes }) => wireBytes > 64_000).map(({ name }) => name);
  expect(long.sort()).toEqual(['receivePush', 'receivePushAtSecretPath', 'uploadSdkData']);
  const openRoutes = limits.filter(({ callers, name }) => callers === 0 && !long.includes(name));
  expect(openRoutes.length).toBeGreaterThan(2);
  for (const { name, wireBytes } of openRoutes) expect([name, wireBytes <= 64_000]).toEqual([name, true]);
});
