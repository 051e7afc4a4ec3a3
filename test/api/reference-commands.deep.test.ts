// Runs the commands on the reference pages as shown, with a real token and real ids.
import { beforeAll, describe, expect, test } from 'vitest';
import type { DescribedApi } from '../../functions/api/reference/browser/openapi-document.ts';
import {
  createInitialValues,
  listOperations,
  type ShownOperation,
} from '../../functions/api/reference/browser/operations.ts';
import { buildRequest } from '../../functions/api/reference/browser/request.ts';
import { contract, form1Contract } from '../../functions/api/reference/contract.ts';
import { sharedSystem } from '../harness/shared-system.ts';
import type { System } from '../harness/system.ts';
import { samples } from './samples.ts';

const exampleUser = 'usr_01k9p3w0b1c3e5g7j9m1p3r5t7';

let system: System;
beforeAll(async () => {
  system = await sharedSystem();
});

/** Replaces the tokens of the example with issued ones. */
function withTokens(shown: string, real: unknown): string {
  if (typeof real !== 'object' || real === null) return shown;
  const tokens = Object.entries(real).filter(([name]) => name.endsWith('_token'));
  return tokens.length === 0 ? shown : JSON.stringify({ ...JSON.parse(shown), ...Object.fromEntries(tokens) });
}

describe.each([
  { form: 2, endpoints: contract, document: '/openapi.json' },
  { form: 1, endpoints: form1Contract, document: '/openapi.form1.json' },
] as const)('on the reference page of Form $form', ({ form, endpoints, document }) => {
  let api: DescribedApi;
  let operations: ShownOperation[];
  beforeAll(async () => {
    api = {
      document: (await system.call('GET', document)).body,
      base: `${system.host.baseUrl}/`,
      acceptsSession: false,
    };
    operations = listOperations(api);
  });

  async function sendAsShown(id: string, env: 'live' | 'sandbox') {
    const operation = operations.find((each) => each.id === id);
    const make = samples[id];
    if (!operation || !make) throw new Error(`${id} is not on the page, or has no sample`);
    const account = await system.account({ form });
    const token = env === 'live' ? account.live_key : account.sandbox_key;
    const userId = await system.user(token);
    const sample = await make({ system, token, userId });
    const values = createInitialValues(operation);
    for (const parameter of operation.parameters)
      if (parameter.in === 'path') values.parameters.set(parameter, sample.params?.[parameter.name] ?? userId);
    const { method, url, headers, body } = buildRequest(api, operation, values, { shouldFillExamples: true });
    const response = await system.call(method, url.slice(system.host.baseUrl.length).replace(exampleUser, userId), {
      token: sample.token ?? token,
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
      ...(body ? { raw: withTokens(body.replace(exampleUser, userId), sample.body) } : {}),
    });
    return { response, sample };
  }

  // Pushes are left out, because providers send and sign them.
  const called = endpoints.filter(({ route }) => route.path.startsWith('/v1/') && !/\/push\b/.test(route.path));
  test.each(called.map(({ route }) => route.operationId))('%s works as shown', async (id) => {
    const { response, sample } = await sendAsShown(id, 'live');
    expect(response.status, response.text).toBe(sample.status);
  });

  test.each(['createUser', 'updateUser'])("%s shows only the form's own name for the reference", (id) => {
    const operation = operations.find((each) => each.id === id);
    const names = Object.keys(JSON.parse(operation ? createInitialValues(operation).body : '{}'));
    expect(names).toContain('timezone');
    expect(names).not.toContain(form === 1 ? 'external_ref' : 'reference_id');
  });

  test('a user is also created as shown in the sandbox', async () => {
    expect((await sendAsShown('createUser', 'sandbox')).response.status).toBe(201);
  });
});
