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
      override: allowAdditionalProperties,
    }),
  );
  const { $schema: _dialect, $defs = {}, ...root } = converted;
  for (const [name, definition] of Object.entries($defs)) addComponent(components, name, relinkRefs(definition));
  const name = root['id'];
  if (typeof name !== 'string') return relinkRefs(root);
  addComponent(components, name, relinkRefs(root));
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Responses get new fields without notice, so a client that validates them by this document must
 * not reject unknown fields. A schema that is strict in requests is also strict in responses.
 */
function allowAdditionalProperties({
  zodSchema: { _zod },
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (_zod.def.type === 'object' && _zod.def.catchall === undefined) delete jsonSchema.additionalProperties;
}

function addComponent(components: Components, name: string, { id: _id, ...schema }: JsonSchema): void {
  const existing = components[name];
  if (existing && JSON.stringify(existing) !== JSON.stringify(schema))
    throw new Error(`two different schemas are named ${name} in the OpenAPI document`);
  components[name] = schema;
}

const relinkRefs = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

/** The cast is safe because zod produces JSON Schema, which is plain JSON. */
const toPlainJson = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema));
