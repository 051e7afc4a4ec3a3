import { createRoute } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createApi } from '../../../shared/http/api.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../shared/http/responses.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

const anything = z.looseObject({});
const echo = defineEndpoint(
  createRoute({
    method: 'post',
    path: '/x',
    operationId: 'echo',
    request: { body: jsonBody(anything) },
    responses: { 200: json(anything, 'The same.') },
  }),
  { callers: [], reveals: 'nothing', audits: false, changes: 'nothing' },
);
const api = createApi(memoryDeps().deps);
api.openapi(echo, async (c) => c.json(c.req.valid('json'), 200));

const post = async (body: string) => {
  const headers = { 'content-type': 'application/json' };
  return JSON.parse(await (await requestInProcess(api, '/x', { method: 'POST', headers, body })).text());
};

test('a field whose name only resembles __proto__ is accepted', async () => {
  const text = JSON.stringify({ 'a"__proto__': 1, __proto: 2, text: '"__proto__":' });
  expect(await post(text)).toEqual(JSON.parse(text));
});

test.each([
  '__proto__',
  '\\u005f_proto__',
  '__pr\\u006fto__',
  '__\\u0070roto_\\u005F',
  '\\u005f\\u005F\\u0070\\u0072\\u006F\\u0074\\u006f\\u005f\\u005f',
])('the field "%s" is rejected however it is written', async (name) => {
  expect(await post(`{"a":{"${name}" :1}}`)).toMatchObject({ error: 'invalid_body' });
});
