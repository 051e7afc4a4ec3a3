// Paths as API Gateway passes them on: decoded, with dot segments unresolved.
import { createRoute } from '@hono/zod-openapi';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { onHttp } from '../../../../functions/runtime/on-http.ts';
import { createApi } from '../../../../shared/http/api.ts';
import { defineEndpoint } from '../../../../shared/http/endpoint.ts';
import { json } from '../../../../shared/http/responses.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

const Named = z.object({ id: z.string() });
const handle = onHttp((deps) => {
  const api = createApi(deps);
  const route = createRoute({
    method: 'get',
    path: '/things/{id}',
    operationId: 'thing',
    request: { params: Named },
    responses: { 200: json(Named, 'Its name.') },
  });
  api.openapi(defineEndpoint(route, { callers: [], reveals: 'nothing' }), async (c) =>
    c.json(c.req.valid('param'), 200),
  );
  return api;
}).build(memoryDeps().deps);

const got = async (rawPath: string) => {
  const http = { method: 'GET', sourceIp: '192.0.2.1' };
  const requestContext = { requestId: 'r', domainName: 'daybook.example', http };
  const event = { rawPath, rawQueryString: '', headers: {}, requestContext, isBase64Encoded: false };
  const { statusCode, body = '' } = await handle(event as unknown as APIGatewayProxyEventV2);
  return [statusCode, JSON.parse(body).id];
};

test.each(['/things/a/../b', '/things/./b', '/x/%2e%2E/things/b', '/things/a/.%2e/b', '/../things/b'])(
  '%s does not resolve to another path',
  async (path) => {
    expect(await got(path)).toEqual([404, undefined]);
  },
);

test.each(['a?b', 'a#b', 'a..b', '...', 'é', 'a b'])('%s is a name like any other', async (name) => {
  expect(await got(`/things/${name}`)).toEqual([200, name]);
});
