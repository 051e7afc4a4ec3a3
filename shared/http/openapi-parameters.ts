// What the OpenAPI document says about query parameters beyond what the library generates.
import * as z from 'zod';
import type { Endpoint } from './endpoint.ts';
import type { JsonSchema } from './openapi-example.ts';
import { type Components, toComponentSchema } from './openapi-schemas.ts';

interface Parameter {
  name: string;
  schema: JsonSchema;
  example?: unknown;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
}

/** The reference to a named set of values, by operation and parameter. */
export type ParameterReferences = ReadonlyMap<string, JsonSchema>;

const toReferenceKey = (operationId: string, name: string): string => `${operationId} ${name}`;

/** The query with the parameters that are documented in another way than they are parsed. */
export function describeQuery({ route: { request }, documentedQuery = {} }: Endpoint): z.ZodObject | undefined {
  const query = request?.query;
  return query instanceof z.ZodObject ? query.extend(documentedQuery) : undefined;
}

/** Adds the named sets of the parameters to the components. */
export function referParameters(endpoints: readonly Endpoint[], components: Components): ParameterReferences {
  return new Map(
    endpoints.flatMap((endpoint) =>
      Object.entries(describeQuery(endpoint)?.shape ?? {}).flatMap(([name, field]): [string, JsonSchema][] => {
        const values = unwrap(field);
        if (!(values instanceof z.ZodEnum) || z.globalRegistry.get(values)?.id === undefined) return [];
        const reference = toComponentSchema(values, 'input', components);
        return [[toReferenceKey(endpoint.route.operationId, name), reference]];
      }),
    ),
  );
}

const unwrap = (field: z.core.$ZodType): z.core.$ZodType =>
  field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable
    ? unwrap(field.unwrap())
    : field;

/**
 * Moves a parameter's description and example next to its schema, where readers expect them. A
 * parameter whose values are a named set refers to it, as bodies do.
 */
export function completeParameters(paths: object | undefined, references: ParameterReferences): void {
  for (const { operationId, parameters = [] } of listOperations(paths))
    for (const parameter of parameters) {
      const { description: _description, examples = [], ...schema } = parameter.schema;
      const reference = references.get(toReferenceKey(operationId, parameter.name));
      const { enum: _values, type: _type, ...others } = schema;
      parameter.schema = reference ? { ...others, ...reference } : schema;
      if (examples.length > 0) parameter.example = examples[0];
    }
}

/** The cast is safe because the library has just generated these operations from routes. */
const listOperations = (paths: object | undefined): Operation[] =>
  Object.values(paths ?? {}).flatMap((item) => Object.values(item as Record<string, Operation>));
