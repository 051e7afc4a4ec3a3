import { createRoute } from '@hono/zod-openapi';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { contract, form1Contract, tags } from '../../functions/api/reference/contract.ts';
import { consolidationMethods } from '../../shared/catalog/consolidation-catalog.ts';
import { defineEndpoint } from '../../shared/http/endpoint.ts';
import { buildOpenApiDocument } from '../../shared/http/openapi.ts';
import { toOpenApiPath } from '../../shared/http/path-template.ts';
import { json } from '../../shared/http/responses.ts';
import { buildDocument } from '../harness/build-document.ts';

interface Media {
  schema: { format?: string };
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: object[];
  parameters?: { name: string; description?: string; example?: unknown; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; headers: object; content?: Record<string, Media> }>;
}

describe.each([
  { form: 2, endpoints: contract },
  { form: 1, endpoints: form1Contract },
])('the OpenAPI document of Form $form', ({ endpoints }) => {
  const document = buildDocument(endpoints);
  const text = JSON.stringify(document);
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema(document, 'doc');
  const fits = (schema: object, value: unknown) =>
    ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components')), value) ||
    ajv.errorsText();

  test('allows additional fields in every response; only schemas that are also sent are closed', () => {
    const { paths, components } = JSON.parse(text);
    const schemas: Record<string, { additionalProperties?: unknown }> = components.schemas;
    const refsIn = (schema: unknown): string[] =>
      [...JSON.stringify(schema ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
    const operations: Operation[] = Object.values<object>(paths).flatMap((path) => Object.values(path));
    const sent = new Set(operations.flatMap(({ requestBody }) => refsIn(requestBody)));
    for (const name of sent) for (const inner of refsIn(schemas[name])) sent.add(inner);
    const closed = Object.entries(schemas).filter(([, schema]) =>
      JSON.stringify(schema).includes('"additionalProperties":false'),
    );
    expect(closed.map(([name]) => name).filter((name) => !sent.has(name))).toEqual([]);
    expect(closed.length).toBeGreaterThan(0);
    expect(JSON.stringify(operations.map(({ responses }) => responses))).not.toContain('"additionalProperties":false');
  });

  test('documents a success response or a redirect for every operation', () => {
    const without = endpoints.filter(({ route: { path, responses } }) => {
      const statuses = Object.keys(responses);
      const sends = path.startsWith('/connect/') && statuses.some((status) => status.startsWith('3'));
      return !sends && !statuses.some((status) => status.startsWith('2'));
    });
    expect(without.map(({ route }) => route.operationId)).toEqual([]);
  });

  test('describes every path except those that people, providers and the simulated providers call', () => {
    const documented = Object.keys(document['paths'] ?? {}).sort();
    const served = [...new Set(endpoints.map(({ route }) => toOpenApiPath(route.path)))];
    const others = /^\/(?:sandbox|connect|join|docs|console|openapi\.console)\b|^\/v1\/providers\/\{provider\}/;
    expect(served).toContain('/');
    for (const start of ['/sandbox/', '/connect/', '/join/', '/docs', '/console', '/v1/providers/{provider}/push'])
      expect(served.filter((path) => path.startsWith(start))).not.toEqual([]);
    expect(documented).toEqual(served.filter((path) => !others.test(path)).sort());
  });

  test('states the size limit of each body', () => {
    const sizeOf = (name: string) =>
      operations.find(({ operationId }) => operationId === name)?.responses['413']?.description;
    expect(sizeOf('exchangeSdkToken')).toContain('`payload_too_large`: The body is longer than 16 kB. ');
    expect(sizeOf('uploadSdkData')).toContain(
      '`payload_too_large`: The body is longer than 4 MB as sent, or 25 MB decompressed. ',
    );
  });

  test('is OpenAPI 3.1, version 1.0.0', () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { title: 'Daybook', version: '1.0.0' } });
  });

  const operations = Object.values(document['paths'] as Record<string, Record<string, Operation>>).flatMap(
    Object.values<Operation>,
  );

  test('explains the stress samples of a timeseries, and where the stress score is', () => {
    const { parameters = [] } = operations.find(({ operationId }) => operationId === 'getTimeseries') ?? {};
    const { description } = parameters.find(({ name }) => name === 'metrics') ?? {};
    expect(description).toMatch(/`stress_score` has the levels .* that a device measures .* `\/scores\/history`/);
  });

  test('describes the contributors of a value under every method', () => {
    const { components } = JSON.parse(text);
    const { description } = components.schemas.ValueSource.properties.contributors;
    for (const method of consolidationMethods) expect(description).toContain(`\`${method}\``);
  });

  describe.each(operations.map((operation) => ({ name: operation.operationId, operation })))(
    '$name',
    ({ operation }) => {
      test('is fully described', () => {
        expect(operation.summary.length).toBeGreaterThan(3);
        expect(operation.description.length).toBeGreaterThan(20);
        expect(tags.map(({ name }) => name)).toContain(operation.tags[0]);
        for (const parameter of operation.parameters ?? []) expect(parameter.description, parameter.name).toBeTruthy();
        for (const [status, response] of Object.entries(operation.responses)) {
          expect(response.description, status).toBeTruthy();
          expect(Object.keys(response.headers)).toEqual(
            expect.arrayContaining(['X-Request-Id', 'RateLimit', 'RateLimit-Policy']),
          );
        }
      });

      test('lists the responses that its kind of operation can always return', () => {
        const always = [
          ...(operation.security.length > 0 ? ['401', '429'] : []),
          ...(operation.security.some((each) => 'api_key' in each) ? ['403'] : []),
          ...['500', '503'],
        ];
        const requestMedia = Object.values(operation.requestBody?.content ?? {});
        const body = requestMedia.length > 0 ? ['413'] : [];
        const parsed = requestMedia.length > 0 ? ['400', '415'] : [];
        expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining([...always, ...body, ...parsed]));
      });

      test('has examples that match their schemas', () => {
        const mediaEntries = [operation.requestBody, ...Object.values(operation.responses)].flatMap((each) =>
          Object.entries(each?.content ?? {}),
        );
        for (const [type, media] of mediaEntries) {
          if (type !== 'application/json') continue;
          const examples = [
            ...(media.example === undefined ? [] : [media.example]),
            ...Object.values(media.examples ?? {}).map(({ value }) => value),
          ];
          expect(examples.length).toBeGreaterThan(0);
          for (const example of examples) expect(fits(media.schema, example)).toBe(true);
        }
      });
    },
  );
});

test('the documents differ only in the operations that have two forms', () => {
  const two = form1Contract.filter((endpoint) => !contract.includes(endpoint)).map(({ route }) => route.operationId);
  expect(two.length).toBeGreaterThan(0);
  expect(form1Contract.map(({ route }) => route.operationId)).toEqual(contract.map(({ route }) => route.operationId));
});

test('two different schemas with the same name are rejected', async () => {
  const z = await import('zod');
  const another = z.object({ a: z.string().meta({ examples: ['a'] }) }).meta({ id: 'User' });
  const clash = defineEndpoint(
    createRoute({ method: 'get', path: '/clash', operationId: 'clash', responses: { 200: json(another, 'x') } }),
    { callers: [], reveals: 'nothing' },
  );
  expect(() =>
    buildOpenApiDocument([...contract, clash], { version: '1', serverUrl: 'x', description: 'x', tags }),
  ).toThrow(/named User/);
});
