import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeExample, type JsonSchema } from '../../../shared/http/openapi-example.ts';

const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.integer().map((value) => ({ type: 'integer', examples: [value, value + 1] })),
  fc.string().map((value) => ({ type: 'string', minLength: value.length, examples: [value] })),
  fc.boolean().map((value) => ({ const: value })),
  fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
  fc.constant<JsonSchema>({ type: 'null' }),
  fc.constantFrom('Named', 'Other').map((name) => ({ $ref: `#/components/schemas/${name}` })),
);
const { schema } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), tie('schema'), { maxKeys: 4 }).map((properties) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    })),
    tie('schema').map((items) => ({ type: 'array', items, minItems: 1 })),
    tie('schema').map((each) => ({ anyOf: [{ type: 'null' }, each] })),
  ),
}));
const components = {
  Named: { type: 'string', examples: ['a name'] },
  Other: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Named' } }, required: ['inner'] },
};

test('a composed example matches the schema it is composed from', () => {
  fc.assert(
    fc.property(schema, (sampleSchema) => {
      const ajv = new Ajv2020({ strict: false });
      const validate = ajv.compile({ ...sampleSchema, components: { schemas: components } });
      expect(validate(composeExample(sampleSchema, components)), JSON.stringify(validate.errors)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('an explicit example takes precedence over a composed one', () => {
  const sampleSchema = { type: 'object', properties: { a: { const: 1 } }, examples: [{ a: 2 }] };
  expect(composeExample(sampleSchema, {})).toEqual({ a: 2 });
});

test('a nullable field shows its value rather than null', () => {
  expect(composeExample({ anyOf: [{ type: 'null' }, { const: 7 }] }, {})).toBe(7);
});

test('a leaf without an example and an unknown reference are rejected by name', () => {
  expect(() => composeExample({ properties: { a: { type: 'string' } } }, {})).toThrow(
    'a schema has no example: {"type":"string"}',
  );
  expect(() => composeExample({ $ref: '#/components/schemas/Nobody' }, {})).toThrow(
    'Nobody is not in the OpenAPI document',
  );
});
