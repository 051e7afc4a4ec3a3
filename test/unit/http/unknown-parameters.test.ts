import { createRoute } from '@hono/zod-openapi';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createApi } from '../../../shared/http/api.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { html, json } from '../../../shared/http/responses.ts';
import { requestInProcess } from '../../harness/in-process-request.ts';
import { memoryDeps } from '../../harness/memory-deps.ts';

const responses = { 200: json(z.object({}), 'Nothing.') };
const query = z.object({ from_date: z.string().optional(), limit: z.string().optional() });
const options = { callers: [], reveals: 'nothing', unlimited: true } as const;

const list = defineEndpoint(
  createRoute({ method: 'get', path: '/list', operationId: 'list', request: { query }, responses }),
  {
    ...options,
    otherFormParameters: {
      start_date: 'from_date',
      page: { advice: 'leave it out' },
      calendar: 'the profile',
      size: { name: 'limit', advice: 'it counts rows' },
    },
  },
);
const plain = defineEndpoint(createRoute({ method: 'get', path: '/plain', operationId: 'plain', responses }), options);
const pushed = defineEndpoint(createRoute({ method: 'get', path: '/pushed', operationId: 'pushed', responses }), {
  ...options,
  ignoresUnknownParameters: true,
});
const page = defineEndpoint(
  createRoute({ method: 'get', path: '/page', operationId: 'page', responses: { 200: html('A page.') } }),
  options,
);

function createTestApi() {
  const api = createApi(memoryDeps().deps);
  api.openapi(list, async (c) => c.json({}, 200));
  api.openapi(plain, async (c) => c.json({}, 200));
  api.openapi(pushed, async (c) => c.json({}, 200));
  api.openapi(page, async (c) => c.html('A page.', 200));
  return api;
}

async function get(path: string) {
  const response = await requestInProcess(createTestApi(), path);
  const text = await response.text();
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

describe('an unknown query parameter', () => {
  test('is rejected with the nearest name', async () => {
    expect(await get('/list?limit=1&fromdate=2026-03-14')).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_request',
        message: 'Unknown parameter `fromdate`. Did you mean `from_date`?',
        details: { issues: [{ path: 'fromdate', message: 'unknown parameter; did you mean from_date?' }] },
      },
    });
  });

  test('is rejected with all names if none is near', async () => {
    const { body } = await get('/list?foo=1');
    expect(body.message).toBe('Unknown parameter `foo`. This call takes `from_date`, `limit`.');
    expect(body.details.issues[0].message).toBe('unknown parameter; this call takes from_date, limit');
  });

  test('is rejected where there are no parameters', async () => {
    expect((await get('/plain?foo')).body.message).toBe(
      'Unknown parameter `foo`. This call takes no query parameters.',
    );
  });

  test('of the other form is rejected with the name to use, and so is its misspelling', async () => {
    expect((await get('/list?start_date=1')).body.message).toBe('Unknown parameter `start_date`. Use `from_date`.');
    expect((await get('/list?startdate=1')).body.message).toBe(
      'Unknown parameter `startdate`. Did you mean `from_date`?',
    );
    expect((await get('/list?page=1')).body.message).toBe('Unknown parameter `page`. Leave it out.');
    expect((await get('/list?size=1')).body).toMatchObject({
      message: 'Unknown parameter `size`. Use `limit`. It counts rows.',
      details: { issues: [{ path: 'size', message: 'use limit; it counts rows' }] },
    });
    expect((await get('/list?sizes=1')).body.message).toBe('Unknown parameter `sizes`. Did you mean `limit`?');
    expect((await get('/list?pages=1')).body.message).toBe(
      'Unknown parameter `pages`. This call takes `from_date`, `limit`.',
    );
  });

  test('is never said to mean something that is no parameter of the call', async () => {
    expect((await get('/list?calender=1')).body.message).toBe(
      'Unknown parameter `calender`. This call takes `from_date`, `limit`.',
    );
  });

  test('is the first one that the error is about', async () => {
    const many = Array.from({ length: 500 }, (_, n) => `x${n}=${n}`).join('&');
    const { body, text } = await get(`/list?${many}&fromdate=1`);
    expect(body.details.issues).toHaveLength(1);
    expect(body.message).toContain('`x0`');
    expect(text.length).toBeLessThan(300);
  });

  test.each(['constructor', 'toString', 'hasOwnProperty', '%', '%ff', '%00', '=', 'from+date', 'limit[]', 'limit%20'])(
    '%s is rejected',
    async (name) => {
      expect((await get(`/list?${name}=1`)).status).toBe(400);
    },
  );

  test.each([
    ['a%0Ab%E2%80%AEc%60d', 'a\ufffdb\ufffdc\ufffdd'],
    ['a%E2%80%A8b%E2%80%A9c', 'a\ufffdb\ufffdc'],
    ['<script>', '<script>'],
    [encodeURIComponent('🙂'.repeat(45)), `${'🙂'.repeat(40)}…`],
    ['y'.repeat(40), 'y'.repeat(40)],
    ['y'.repeat(5_000), `${'y'.repeat(40)}…`],
  ])('%s is shown as a short line of visible characters', async (name, shown) => {
    const { body } = await get(`/list?${name}=1`);
    expect(body.message).toContain(`Unknown parameter \`${shown}\`.`);
    expect(body.details.issues[0].path).toBe(shown);
  });

  test.each(['_', '_=1731888000000', '__proto__=1', 'utm_source=mail&utm_medium=x', '', '&&', 'limit=1&_t=1'])(
    'is ignored if it is only %s',
    async (added) => {
      expect((await get(`/list?${added}`)).status).toBe(200);
    },
  );

  test('is ignored on pages, and where others build the request', async () => {
    expect((await get('/page?fromdate=1')).status).toBe(200);
    expect((await get('/pushed?fromdate=1')).status).toBe(200);
  });
});

test('an endpoint whose query has no list of names is refused when it is registered', () => {
  const api = createApi(memoryDeps().deps);
  const route = createRoute({
    method: 'get',
    path: '/any',
    operationId: 'any',
    request: { query: z.pipe(query, query) },
    responses,
  });
  expect(() => api.openapi(defineEndpoint(route, options), async (c) => c.json({}, 200))).toThrow(
    'The query of any must be a z.object.',
  );
});
