// Tests the purpose of the stand-ins: bundled functions that serve real requests load no HTTP
// client of the runtime and contain no JSON Schema generator.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadBuiltFunctions } from '../../../infra/build/built-functions.ts';
import { functions } from '../../../infra/functions.ts';
import { settingNames } from '../../../shared/platform/setting-names.ts';

type TestedFunction = 'catalogs' | 'reference' | 'sdk';

let bundles: ReadonlyMap<string, string>;
const bundleOf = (name: TestedFunction): string => bundles.get(functions[name].entry) ?? '';
beforeAll(async () => {
  bundles = await loadBuiltFunctions();
});

const env = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  [settingNames.table]: 'a-table',
  [settingNames.runtime]: 'aws',
  [settingNames.secretValue]: 'a root secret of more than 32 characters',
};
const script = `
  const { handler } = require(process.argv[1]);
  handler(JSON.parse(process.argv[2])).then(({ statusCode, headers, body }) => {
    const undici = process.moduleLoadList.filter((name) => name.includes('undici'));
    console.log(JSON.stringify({ statusCode, headers, body, undici }));
  });
`;

function invokeFunction(name: TestedFunction, method: string, rawPath: string, body?: string) {
  const event = {
    rawPath,
    rawQueryString: '',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    requestContext: { requestId: 'r', domainName: 'api.example.com', http: { method, sourceIp: '192.0.2.1' } },
    body,
    isBase64Encoded: false,
  };
  const args = ['--eval', script, bundleOf(name), JSON.stringify(event)];
  const lines = execFileSync(process.execPath, args, { encoding: 'utf8', env }).trim().split('\n');
  return JSON.parse(lines.at(-1) ?? '');
}

describe('a bundled function', () => {
  test.each<[TestedFunction, string, string, string | undefined, number]>([
    ['reference', 'GET', '/healthz', undefined, 200],
    ['reference', 'HEAD', '/docs', undefined, 200],
    ['reference', 'GET', '/openapi.json', undefined, 200],
    ['catalogs', 'GET', '/v1/metrics', undefined, 401],
    ['catalogs', 'PUT', '/v1/metrics', '{}', 405],
    ['catalogs', 'OPTIONS', '/v1/metrics', undefined, 204],
    ['sdk', 'POST', '/v1/sdk/sessions/exchange', '{"client_token":7}', 400],
    ['sdk', 'POST', '/v1/sdk/sessions/refresh', '{"refresh_token":"sdk_rt_x"}', 401],
  ])('serves %s %s %s without loading an HTTP client', (name, method, rawPath, body, status) => {
    const response = invokeFunction(name, method, rawPath, body);
    expect([response.statusCode, response.undici]).toEqual([status, []]);
    expect(response.headers).toMatchObject({ 'x-request-id': 'r', 'ratelimit-policy': expect.any(String) });
    if (status >= 400) expect(JSON.parse(response.body)).toMatchObject({ error: expect.any(String), details: {} });
  });

  test('serves the whole OpenAPI document, as the generator writes it', () => {
    const document = JSON.parse(invokeFunction('reference', 'GET', '/openapi.json').body);
    expect(Object.keys(document.paths).length).toBeGreaterThan(30);
    expect(document.components.schemas).toHaveProperty('User');
  });

  test('would be detected if it loaded the HTTP client', () => {
    const loading = 'new Response(); console.log(process.moduleLoadList.some((name) => name.includes("undici")))';
    expect(execFileSync(process.execPath, ['--eval', loading], { encoding: 'utf8', env: {} }).trim()).toBe('true');
  });

  test('contains the generator only where the document is served', () => {
    const holds = (name: TestedFunction) => readFileSync(bundleOf(name), 'utf8').includes('ZodTemplateLiteral');
    expect([holds('catalogs'), holds('sdk'), holds('reference')]).toEqual([false, false, true]);
  });

  test("contains zod's JSON Schema only where the document is served", () => {
    const holds = (name: TestedFunction) =>
      readFileSync(bundleOf(name), 'utf8').includes('cannot be represented in JSON Schema');
    expect([holds('catalogs'), holds('sdk'), holds('reference')]).toEqual([false, false, true]);
  });
});
