// JSON schemas of bodies, from zod: a named schema goes to the components once.
import * as z from 'zod';
import type { JsonSchema } from './openapi-example.ts';

export type Components = Record<string, JsonSchema>;

/** A request and a response never share a name with different shapes. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', components: Components): JsonSchema {
  const made = plain(
    z.toJSONSchema(schema, {
      io,
      target: 'draft-2020-12',
      unrepresentable: 'any',
      reused: 'inline',
      override: leaveOpen,
    }),
  );
  const { $schema: _dialect, $defs = {}, ...root } = made;
  for (const [name, definition] of Object.entries($defs)) addComponent(components, name, relinked(definition));
  const name = root['id'];
  if (typeof name !== 'string') return relinked(root);
  addComponent(components, name, relinked(root));
  return { $ref: `#/components/schemas/${name}` };
}

/** Answers get new fields without notice, so who checks them by this document must not refuse one. What is strict when sent is so when told. */
function leaveOpen({
  zodSchema: { _zod },
  jsonSchema,
}: {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}): void {
  if (_zod.def.type === 'object' && _zod.def.catchall === undefined) delete jsonSchema.additionalProperties;
}

function addComponent(components: Components, name: string, { id: _id, ...schema }: JsonSchema): void {
  const known = components[name];
  if (known && JSON.stringify(known) !== JSON.stringify(schema))
    throw new Error(`two different schemas are named ${name} in the OpenAPI document`);
  components[name] = schema;
}

const relinked = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

/** Holds because zod writes JSON Schema, which is plain JSON. */
const plain = (schema: object): JsonSchema => JSON.parse(JSON.stringify(schema));
