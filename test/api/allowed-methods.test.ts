// The methods that a path allows come from the route table, both through the gateway and through a
// function's own handler.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { handler as reference } from '../../functions/api/reference/app.ts';
import { contract } from '../../functions/api/reference/contract.ts';
import { handler as team } from '../../functions/api/team/app.ts';
import type { HttpHandler } from '../../functions/runtime/on-http.ts';
import { memoryDeps } from '../harness/memory-deps.ts';
import { rawRequest } from '../harness/raw-request.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';

let system: System;
beforeAll(async () => {
  system = await sharedSystem();
});

const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');
const shapes = [...Map.groupBy(contract, ({ route }) => shapeOf(route.path))].map(([shape, endpoints]) => {
  const methods = endpoints.map(({ route }) => route.method.toUpperCase());
  const more = methods.includes('GET') ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
  return { shape, path: shape.replaceAll('{}', 'x'), methods, allow: [...methods, ...more].sort().join(', ') };
});
const triedMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

const requestPath = (method: string, path: string) => rawRequest(system.host.baseUrl, { method, path });

describe.each(shapes)('$shape', ({ path, methods, allow }) => {
  test('lists its methods in the response to a preflight request', async () => {
    const response = await requestPath('OPTIONS', path);
    expect([response.status, response.headers.allow, response.headers['access-control-allow-methods']]).toEqual([
      204,
      allow,
      allow,
    ]);
  });

  test('responds to every other method with 405 and an Allow header', async () => {
    for (const method of triedMethods.filter((each) => !allow.split(', ').includes(each))) {
      const response = await requestPath(method, path);
      expect([method, response.status, response.headers.allow]).toEqual([method, 405, allow]);
      if (method === 'HEAD') continue;
      const body = JSON.parse(response.bytes.toString());
      expect(body).toEqual({ error: 'method_not_allowed', message: expect.stringContaining(method), details: {} });
    }
  });

  test('accepts every method that it lists', async () => {
    for (const method of methods) expect((await requestPath(method, path)).status).not.toBe(405);
  });
});

test('a literal path is never matched as a parameter of another path', async () => {
  const path = '/v1/team/roster/invitations';
  for (const method of ['PATCH', 'DELETE', 'PUT']) {
    const response = await requestPath(method, path);
    expect([method, response.status, response.headers.allow]).toEqual([method, 405, 'GET, HEAD, OPTIONS, POST']);
  }
});

test.each(['TRACE', 'PROPFIND', 'PUT'])(
  '%s on an unknown path returns 404 with the standard error body',
  async (method) => {
    const response = await requestPath(method, '/nothing/here');
    expect([response.status, JSON.parse(response.bytes.toString()).error]).toEqual([404, 'not_found']);
  },
);

describe('an API Gateway event', () => {
  const event = (method: string, path: string): APIGatewayProxyEventV2 => ({
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: 'a=1',
    headers: { host: 'daybook.example', 'x-name': 'x' },
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      domainName: 'daybook.example',
      domainPrefix: 'daybook',
      requestId: 'a-request',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: '' },
      routeKey: '$default',
      stage: '$default',
      time: '10/Mar/2026:12:00:00 +0000',
      timeEpoch: 1_773_144_000_000,
    },
    body: 'a body that should be ignored',
    isBase64Encoded: false,
  });
  const requestStatus = async (handler: HttpHandler, method: string, path: string) => {
    const { statusCode, headers = {}, body = '' } = await handler.build(memoryDeps().deps)(event(method, path));
    return { status: statusCode, allow: headers['allow'], error: JSON.parse(body).error };
  };

  test.each(['TRACE', 'TRACK', 'CONNECT', 'PROPFIND'])(
    'with method %s returns 405 on a known path and 404 otherwise',
    async (method) => {
      expect(await requestStatus(team, method, '/v1/team/roster/invitations')).toEqual({
        status: 405,
        allow: 'GET, HEAD, OPTIONS, POST',
        error: 'method_not_allowed',
      });
      expect(await requestStatus(reference, method, '/nothing')).toMatchObject({ status: 404, error: 'not_found' });
      expect(await requestStatus(reference, method, '/a/../healthz')).toMatchObject({
        status: 404,
        error: 'not_found',
      });
    },
  );
});
