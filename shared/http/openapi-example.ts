// Composes an example from a JSON schema: leaves have their own examples, objects and arrays are
// composed from them.

export interface JsonSchema {
  $defs?: Record<string, JsonSchema>;
  $ref?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  examples?: unknown[];
  enum?: unknown[];
  const?: unknown;
  [keyword: string]: unknown;
}

export function composeExample(schema: JsonSchema, components: Record<string, JsonSchema>): unknown {
  if (schema.examples && schema.examples.length > 0) return schema.examples[0];
  if (schema.$ref !== undefined) {
    const component = components[schema.$ref.split('/').at(-1) ?? ''];
    if (!component) throw new Error(`${schema.$ref} is not in the OpenAPI document`);
    return composeExample(component, components);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema['type'] === 'null') return null;
  const [choice] = (schema.anyOf ?? []).toSorted((a, b) => Number(a['type'] === 'null') - Number(b['type'] === 'null'));
  if (choice) return composeExample(choice, components);
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, composeExample(property, components)]),
    );
  if (typeof schema.items === 'object') return [composeExample(schema.items, components)];
  throw new Error(`a schema has no example: ${JSON.stringify(schema).slice(0, 200)}`);
}
