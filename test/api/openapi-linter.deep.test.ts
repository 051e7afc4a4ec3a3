import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { contract, form1Contract } from '../../functions/api/reference/contract.ts';
import { buildDocument } from '../harness/build-document.ts';

async function lint(source: string): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'no-server-example.com': 'off',
      // Public operations (health, keys, this document) have no client errors to document.
      'operation-4xx-response': 'off',
      // A test in openapi.test.ts covers it: pages that redirect have no 2xx response.
      'operation-2xx-response': 'off',
      'no-unused-components': 'error',
      'no-invalid-media-type-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'operation-description': 'error',
      'parameter-description': 'error',
      'tag-description': 'error',
    },
  });
  const problems = await lintFromString({ source, config, absoluteRef: 'openapi.json' });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location.map((at) => at.pointer).join(' ')}`,
  );
}

describe.each([
  { form: 2, endpoints: contract },
  { form: 1, endpoints: form1Contract },
])('the OpenAPI document of Form $form', ({ endpoints }) => {
  const text = JSON.stringify(buildDocument(endpoints));

  test('passes the linter without a finding', async () => {
    expect(await lint(text)).toEqual([]);
  });

  test('fails the linter when it contains an error', async () => {
    expect(await lint(text.replaceAll('"operationId":"listUsers"', '"operationId":"getUser"'))).not.toEqual([]);
    expect(await lint(text.replace('"example":{"id":"usr_', '"example":{"id":7,"x":"usr_'))).not.toEqual([]);
  });
});
