// Malformed requests: an encoding that the route does not accept, an overlong name, a repeated
// parameter and the like.
import { gzipSync } from 'node:zlib';
import { createRoute } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { createApi } from '../../../shared/http/api.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody } from '../../../shared/http/responses.ts';
import { type InProcessRequestOptions, requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

const Note = z.object({
  text: z.string(),
  kind: z.enum(['plain', 'odd']).optional(),
  by: z.object({ name: z.string(), role: z.enum(['reader', 'writer']) }).optional(),
});
const world = memoryDeps();
const api = createApi(world.deps);
api.openapi(
  defineEndpoint(
    createRoute({
      method: 'post',
      path: '/notes',
      operationId: 'write',
      request: { body: jsonBody(Note) },
      responses: { 200: json(Note, 'The note.') },
    }),
    { callers: [], reveals: 'nothing', audits: false, changes: 'nothing' },
  ),
  async (c) => c.json(c.req.valid('json'), 200),
);
api.openapi(
  defineEndpoint(
    createRoute({
      method: 'get',
      path: '/notes/{id}',
      operationId: 'read',
      request: {
        params: z.object({ id: z.string() }),
        query: z.object({ lines: z.coerce.number().int().optional() }),
      },
      responses: { 200: json(Note, 'The note.') },
    }),
    { callers: [], reveals: 'nothing' },
  ),
  async (c) => c.json({ text: c.req.valid('param').id }, 200),
);
const sendRequest = async (path: string, options?: InProcessRequestOptions) => {
  const answer = await requestInProcess(api, path, options);
  return { status: answer.status, body: JSON.parse(await answer.text()) };
};

test('a compressed body is rejected unless its route accepts one, because nothing would limit its decompressed size', async () => {
  const body = new Uint8Array(gzipSync('{"text":"x"}'));
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  expect(await sendRequest('/notes', { method: 'POST', body, headers })).toMatchObject({
    status: 415,
    body: { error: 'unsupported_media_type', message: 'Send the body without a Content-Encoding.' },
  });
});

test('a path parameter has at most 255 characters', async () => {
  expect((await sendRequest(`/notes/${'x'.repeat(255)}`)).status).toBe(200);
  expect(await sendRequest(`/notes/${'x'.repeat(256)}`)).toMatchObject({ status: 404, body: { error: 'not_found' } });
});

test('a parameter that is sent twice is rejected with a message that says so', async () => {
  expect(await sendRequest('/notes/a?lines=1&lines=2')).toMatchObject({
    status: 400,
    body: { error: 'invalid_request', details: { issues: [{ path: 'lines', message: 'must appear only once' }] } },
  });
});

const plain = { 'content-type': 'application/json' };

test('a body that is not UTF-8 is rejected instead of being decoded with replacement characters', async () => {
  const body = new Uint8Array([...Buffer.from('{"text":"'), 0xff, ...Buffer.from('"}')]);
  expect(await sendRequest('/notes', { method: 'POST', body, headers: plain })).toMatchObject({
    status: 400,
    body: { error: 'invalid_body' },
  });
});

test('a missing body is rejected as missing, regardless of its content type', async () => {
  expect(await sendRequest('/notes', { method: 'POST' })).toMatchObject({
    status: 400,
    body: { error: 'invalid_body', message: 'A JSON body is required.' },
  });
});

test('the cause of a rejected request is not logged, because its message may quote what was sent', async () => {
  world.log.length = 0;
  await sendRequest('/notes', { method: 'POST', body: '{"text": heart rate 61}', headers: plain });
  expect(world.log).toMatchObject([{ fields: { status: 400, code: 'invalid_body' } }]);
  expect(world.log[0]?.fields).not.toHaveProperty('cause');
});

test('only a read has an ETag', async () => {
  const write = { method: 'POST', body: '{"text":"x"}', headers: { ...plain, 'if-none-match': '*' } };
  const answer = await requestInProcess(api, '/notes', write);
  expect([answer.status, answer.headers.get('etag')]).toEqual([200, null]);
  const read = await requestInProcess(api, '/notes/a', { headers: { 'if-none-match': '*' } });
  expect(read.status).toBe(304);
});

test('a missing resource is reported with the code of its route', async () => {
  const own = createApi(memoryDeps().deps);
  const route = createRoute({
    method: 'get',
    path: '/people/{id}',
    operationId: 'person',
    request: { params: z.object({ id: z.string() }) },
    responses: { 200: json(Note, 'The person.') },
  });
  own.openapi(defineEndpoint(route, { callers: [], reveals: 'nothing', failures: ['user_not_found'] }), async (c) =>
    c.json({ text: '' }, 200),
  );
  const answer = await requestInProcess(own, `/people/${'x'.repeat(256)}`);
  expect([answer.status, JSON.parse(await answer.text()).error]).toEqual([404, 'user_not_found']);
});

test('a missing field is reported as required, regardless of its type', async () => {
  const postNote = (body: unknown) =>
    sendRequest('/notes', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  expect(await postNote({ by: {} })).toMatchObject({
    status: 400,
    body: {
      error: 'invalid_body',
      message: 'The body is invalid: text: is required.',
      details: {
        issues: [
          { path: 'text', message: 'is required' },
          { path: 'by.name', message: 'is required' },
          { path: 'by.role', message: 'is required' },
        ],
      },
    },
  });
  const { body } = await postNote({ text: null, kind: 'other' });
  expect(body.details.issues.map(({ message }: { message: string }) => message)).toEqual([
    expect.stringContaining('a string'),
    expect.stringContaining('plain'),
  ]);
});

test('an unknown option is reported with the allowed options', async () => {
  const body = JSON.stringify({ text: 'x', kind: 'grand', by: { name: 'y', role: 7 } });
  const { body: result } = await sendRequest('/notes', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  expect(result).toMatchObject({
    error: 'invalid_body',
    message: 'The body is invalid: kind: must be one of plain, odd.',
    details: {
      issues: [
        { path: 'kind', message: 'must be one of plain, odd' },
        { path: 'by.role', message: 'must be one of reader, writer' },
      ],
    },
  });
});

test('a value that is too short, too long, too small or too large is reported with its limit', async () => {
  const schema = z.strictObject({
    empty: z.string().min(1),
    short: z.string().min(3),
    long: z.string().max(4),
    none: z.array(z.string()).min(1),
    many: z.array(z.string()).max(2),
    little: z.int().min(1),
    much: z.number().max(9.5),
    own: z.string().min(1, 'must have a word'),
    beyond: z.int(),
    over: z.number().gt(3),
    one: z.string().max(1),
  });
  const bounded = createApi(memoryDeps().deps);
  bounded.openapi(
    defineEndpoint(
      createRoute({
        method: 'post',
        path: '/bounds',
        operationId: 'bounds',
        request: { body: jsonBody(schema) },
        responses: { 200: json(schema, 'The same.') },
      }),
      { callers: [], reveals: 'nothing', audits: false, changes: 'nothing' },
    ),
    async (c) => c.json(c.req.valid('json'), 200),
  );
  const result = await requestInProcess(bounded, '/bounds', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      empty: '',
      short: 'ab',
      long: 'abcde',
      none: [],
      many: ['a', 'b', 'c'],
      little: 0,
      much: 10,
      own: '',
      beyond: 1e16,
      over: 3,
      one: 'ab',
    }),
  });
  expect(JSON.parse(await result.text()).details.issues).toEqual([
    { path: 'empty', message: 'must not be empty' },
    { path: 'short', message: 'must be at least 3 characters' },
    { path: 'long', message: 'must be at most 4 characters' },
    { path: 'none', message: 'must not be empty' },
    { path: 'many', message: 'must be at most 2 items' },
    { path: 'little', message: 'must be at least 1' },
    { path: 'much', message: 'must be at most 9.5' },
    { path: 'own', message: 'must have a word' },
    { path: 'beyond', message: `must be at most ${Number.MAX_SAFE_INTEGER}` },
    // An exclusive limit has no message of its own.
    { path: 'over', message: expect.stringContaining('>3') },
    { path: 'one', message: expect.stringContaining('at most 1 ') },
  ]);
});

test('a value of the wrong type is reported with the expected type', async () => {
  const result = await requestInProcess(api, '/notes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: 7, by: 'ada' }),
  });
  expect(JSON.parse(await result.text()).details.issues).toEqual([
    { path: 'text', message: 'must be a string' },
    { path: 'by', message: 'must be an object' },
  ]);
});
