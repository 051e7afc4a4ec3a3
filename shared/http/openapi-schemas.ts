// Converts zod schemas of bodies to JSON schemas; each named schema is added to the components
// once.
import * as z from 'zod';
import type { JsonSchema } from './openapi-example.ts';

export type Components = Record<string, JsonSchema>;

/** A request and a response never share a name with different shapes. */
export function toComponentSchema(schema: z.ZodType, io: 'input' | 'output', components: Components): JsonSchema {
  const converted = toPlainJson(
    z.toJSONSchema(schema, {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      reused: 'inline',
      override: (context) => {
        allowAdditionalProperties(context);
        nameDiscriminator(context);
      },
    }),
  );
  const { $schema: _dialect, $defs = {}, ...root } = converted;
  const describe = (each: JsonSchema): JsonSchema => relinkRefs(describeClosedSets(each, $defs, io));
  for (const [name, definition] of Object.entries($defs)) addComponent(components, name, describe(definition));
  const name = root['id'];
  if (typeof name !== 'string') return describe(root);
  addComponent(components, name, describe(root));
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Client generators give types to named properties and to unions with a discriminator. JSON Schema
 * has neither for the keys of a record and for unions.
 */
function describeClosedSets<Node>(node: Node, $defs: Components, io: 'input' | 'output'): Node {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return asNode(node.map((each) => describeClosedSets(each, $defs, io)));
  const schema: JsonSchema = Object.fromEntries(
    Object.entries(node).map(([keyword, value]) => [
      keyword,
      instanceKeywords.has(keyword) ? value : describeClosedSets(value, $defs, io),
    ]),
  );
  return asNode(nameProperties(mapDiscriminator(schema, $defs), $defs, io));
}

/** Keywords that have values, not schemas. */
const instanceKeywords = new Set(['examples', 'example', 'default', 'enum', 'const']);

/** The cast is safe because the schema is rewritten in place of the node it was made from. */
const asNode = <Node>(schema: unknown): Node => schema as Node;

/** A record whose keys are an enum has a property for each of them. */
function nameProperties(schema: JsonSchema, $defs: Components, io: 'input' | 'output'): JsonSchema {
  const { propertyNames, additionalProperties, ...others } = schema;
  const names = isSchema(propertyNames) ? findDefinition(propertyNames, $defs).enum : undefined;
  if (!names || !isSchema(additionalProperties)) return schema;
  return {
    ...others,
    propertyNames,
    properties: Object.fromEntries(names.map((name) => [String(name), additionalProperties])),
    ...(io === 'input' ? { additionalProperties: false } : {}),
  };
}

/** A discriminator names the schema of each of its values. */
function mapDiscriminator(schema: JsonSchema, $defs: Components): JsonSchema {
  const { discriminator, oneOf } = schema;
  if (discriminator === undefined || oneOf === undefined) return schema;
  const { propertyName } = discriminator;
  const mapping = oneOf.map((option) => [
    String(findDefinition(option, $defs).properties?.[propertyName]?.const),
    option.$ref?.replace('#/$defs/', '#/components/schemas/') ?? '',
  ]);
  return { ...schema, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

const findDefinition = (schema: JsonSchema, $defs: Components): JsonSchema =>
  $defs[schema.$ref?.split('/').at(-1) ?? ''] ?? schema;

interface Conversion {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * Responses get new fields without notice, so a client that validates them by this document must
 * not reject unknown fields. A schema that is strict in requests is also strict in responses.
 */
function allowAdditionalProperties({ zodSchema: { _zod }, jsonSchema }: Conversion): void {
  if (_zod.def.type === 'object' && _zod.def.catchall === undefined) delete jsonSchema.additionalProperties;
}

function nameDiscriminator({ zodSchema: { _zod }, jsonSchema }: Conversion): void {
  if (_zod.def.type === 'union' && 'discriminator' in _zod.def)
    jsonSchema['discriminator'] = { propertyName: _zod.def.discriminator };
}

export function addComponent(components: Components, name: string, { id: _id, ...schema }: JsonSchema): void {
  const existing = components[name];
  if (existing && JSON.stringify(existing) !== JSON.stringify(schema))
    throw new Error(`two different schemas are named ${name} in the OpenAPI document`);
  components[name] = schema;
}

const relinkRefs = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

/** The cast is safe because zod produces JSON Schema, which is plain JSON. */
const toPlainJson = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema));
