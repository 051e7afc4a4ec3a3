import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { expect, test } from 'vitest';
import { catalogsApi } from '../../../../functions/api/catalogs/app.ts';
import { onHttp } from '../../../../functions/runtime/on-http.ts';
import { memoryDeps } from '../../../harness/memory-deps.ts';

const got = (rawPath: string) =>
  ({
    rawPath,
    rawQueryString: '',
    headers: {},
    requestContext: { requestId: 'r', domainName: 'daybook.example', http: { method: 'GET', sourceIp: '192.0.2.1' } },
    isBase64Encoded: false,
  }) as unknown as APIGatewayProxyEventV2;

test('an unpaired surrogate in a path is not found, and is not a server error', async () => {
  const handle = onHttp(catalogsApi).build(memoryDeps().deps);
  expect((await handle(got('/v1/metrics/\ud800'))).statusCode).toBe(404);
});
