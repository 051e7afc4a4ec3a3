// Puts a JSON Schema into words: its type, its limits and its fields.
import type { DescribedApi, DocumentedSchema } from './openapi-document.ts';

/** A schema without references and alternatives for null. */
export interface SchemaShape extends Omit<DocumentedSchema, '$ref' | 'anyOf' | 'oneOf' | 'allOf' | 'type'> {
  /** Of the component that it was read from. */
  name?: string;
  type?: string;
  nullable?: boolean;
  variants?: readonly DocumentedSchema[];
}

interface NamedSchema extends DocumentedSchema {
  name?: string;
  nullable?: boolean;
  variants?: readonly DocumentedSchema[];
}

function resolveSchema(api: DescribedApi, schema: NamedSchema): NamedSchema {
  const { $ref, ...siblings } = schema;
  if ($ref === undefined) return schema;
  const name = $ref.slice($ref.lastIndexOf('/') + 1);
  return { ...resolveSchema(api, api.document.components?.schemas?.[name] ?? {}), name, ...siblings };
}

/**
 * Normalizes the ways a schema can express the same thing: references, null as an alternative, and
 * `allOf`.
 */
export function normalizeSchema(api: DescribedApi, schema: NamedSchema): SchemaShape {
  const { $ref: _, anyOf, oneOf, allOf, type, ...own } = resolveSchema(api, schema);
  if (allOf) {
    const merged = mergeSchemas(allOf.map((part) => normalizeSchema(api, part)));
    return { ...merged, ...(type === undefined ? {} : normalizeSchema(api, { type })), ...own };
  }
  if (typeof type === 'object') {
    const types = type.filter((each) => each !== 'null');
    const nullable = types.length < type.length;
    const [only] = types;
    if (types.length === 1 && only !== undefined) return { ...own, type: only, nullable };
    return { ...own, nullable, variants: types.map((each) => ({ type: each })) };
  }
  const shape: SchemaShape = type === undefined ? own : { ...own, type };
  const alternatives = anyOf ?? oneOf;
  if (!alternatives) return shape;
  const variants = alternatives.map((part) => normalizeSchema(api, part)).filter((part) => part.type !== 'null');
  const nullable =
    own.nullable === true || variants.length < alternatives.length || variants.some((part) => part.nullable);
  const [only] = variants;
  return variants.length === 1 ? { ...only, ...shape, nullable } : { ...shape, variants, nullable };
}

const mergeSchemas = (parts: readonly SchemaShape[]): SchemaShape => ({
  ...Object.assign({}, ...parts),
  properties: Object.assign({}, ...parts.map((part) => part.properties)),
  required: parts.flatMap((part) => part.required ?? []),
});

/** At depth, a named type is shown by name only, so that a recursive type terminates. */
export function describeType(api: DescribedApi, schema: DocumentedSchema, depth = 0): string {
  const shape = normalizeSchema(api, schema);
  const name = depth > 1 && shape.name ? shape.name : describeBaseType(api, shape, depth + 1);
  return shape.nullable ? `${name} or null` : name;
}

function describeBaseType(api: DescribedApi, shape: SchemaShape, depth: number): string {
  if (shape.variants) return [...new Set(shape.variants.map((part) => describeType(api, part, depth)))].join(' or ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.prefixItems) return `[${shape.prefixItems.map((item) => describeType(api, item, depth)).join(', ')}]`;
  if (shape.type === 'array') return `array of ${describeType(api, shape.items ?? {}, depth)}`;
  if (shape.type === 'object' || shape.properties) {
    if (shape.name) return shape.name;
    const values = findMapValues(shape);
    return values ? `map of ${describeType(api, values, depth)}` : 'object';
  }
  if (shape.format) return shape.format;
  return shape.type ?? (shape.enum ? 'string' : 'any');
}

/** The schema of a map's values; undefined for a type with properties of its own. */
const findMapValues = ({ properties, additionalProperties }: SchemaShape): DocumentedSchema | undefined =>
  !properties && typeof additionalProperties === 'object' ? additionalProperties : undefined;

export function listLimits(api: DescribedApi, schema: DocumentedSchema): string[] {
  const shape = normalizeSchema(api, schema);
  const limitTexts = [
    formatRange(shape.minimum, shape.maximum, ''),
    shape.exclusiveMinimum === undefined ? undefined : `more than ${shape.exclusiveMinimum}`,
    shape.exclusiveMaximum === undefined ? undefined : `less than ${shape.exclusiveMaximum}`,
    formatRange(shape.minLength, shape.maxLength, 'characters'),
    shape.prefixItems ? undefined : formatRange(shape.minItems, shape.maxItems, 'items'),
    shape.uniqueItems ? 'no duplicates' : undefined,
    shape.multipleOf === undefined ? undefined : `a multiple of ${shape.multipleOf}`,
    shape.pattern && !shape.format && shape.pattern.length <= 72 ? `matches \`${shape.pattern}\`` : undefined,
    shape.default === undefined ? undefined : `default \`${JSON.stringify(shape.default)}\``,
  ];
  return limitTexts.filter((limit) => limit !== undefined);
}

/** A bound that no number of this kind can exceed is none. */
const dropExtreme = (bound: number | undefined): number | undefined =>
  bound !== undefined && Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;

function formatRange(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const [low, high] = [dropExtreme(min), dropExtreme(max)];
  if (low === undefined && high === undefined) return undefined;
  const noun = unit === '' ? '' : ` ${(high ?? low) === 1 ? unit.slice(0, -1) : unit}`;
  if (low === high) return `exactly ${low}${noun}`;
  if (high === undefined) return `at least ${low}${noun}`;
  return low === undefined || (low === 0 && unit !== '') ? `at most ${high}${noun}` : `${low} to ${high}${noun}`;
}

export interface SchemaField {
  name: string;
  schema: DocumentedSchema;
  required: boolean;
}

/** The fields to show below a schema. For an array, these are the fields of its items. */
export function listShownFields(
  api: DescribedApi,
  shape: SchemaShape,
  ancestors: readonly (string | undefined)[] = [],
): SchemaField[] {
  if (shape.name && ancestors.includes(shape.name)) return [];
  const listNestedFields = (part: DocumentedSchema): SchemaField[] =>
    listShownFields(api, normalizeSchema(api, part), [...ancestors, shape.name]);
  if (shape.variants)
    return shape.variants.some((part) => listNestedFields(part).length > 0)
      ? shape.variants.map((part, index) => ({ name: `Option ${index + 1}`, schema: part, required: true }))
      : [];
  if (shape.type === 'array' && shape.items) return listNestedFields(shape.items);
  const fields = Object.entries(shape.properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    required: shape.required?.includes(name) ?? false,
  }));
  const values = findMapValues(shape);
  if (values && listNestedFields(values).length > 0) fields.push({ name: '{any key}', schema: values, required: true });
  return fields;
}
