// Renders a JSON Schema as a tree that reads like a list of fields.
import { createDisclosure, createElement, renderInline, renderParagraphs } from '../../docs-kit/assets/dom.js';

export function resolveReference(api, node) {
  if (node?.$ref === undefined) return node ?? {};
  const { $ref, ...siblings } = node;
  const target = $ref
    .slice(2)
    .split('/')
    .reduce((parent, key) => parent?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], api.document);
  return { ...resolveReference(api, target), name: $ref.split('/').at(-1), ...siblings };
}

/**
 * Normalizes the ways a schema can express the same thing: references, null as an alternative, and
 * `allOf`.
 */
export function normalizeSchema(api, schema) {
  const { anyOf, oneOf, allOf, ...own } = resolveReference(api, schema);
  if (allOf) return normalizeSchema(api, { ...mergeSchemas(allOf.map((part) => normalizeSchema(api, part))), ...own });
  if (Array.isArray(own.type)) {
    const types = own.type.filter((type) => type !== 'null');
    const nullable = types.length < own.type.length;
    if (types.length === 1) return { ...own, type: types[0], nullable };
    return { ...own, type: undefined, nullable, variants: types.map((type) => ({ type })) };
  }
  const alternatives = anyOf ?? oneOf;
  if (!alternatives) return own;
  const variants = alternatives.map((part) => normalizeSchema(api, part)).filter((part) => part.type !== 'null');
  const nullable = own.nullable || variants.length < alternatives.length || variants.some((part) => part.nullable);
  return variants.length === 1 ? { ...variants[0], ...own, nullable } : { ...own, variants, nullable };
}

function mergeSchemas(parts) {
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

/** At depth, a named type is shown by name only, so that a recursive type terminates. */
export function describeType(api, schema, depth = 0) {
  const shape = normalizeSchema(api, schema);
  const name = depth > 1 && shape.name ? shape.name : describeBaseType(api, shape, depth + 1);
  return shape.nullable ? `${name} or null` : name;
}

function describeBaseType(api, shape, depth) {
  if (shape.variants) return [...new Set(shape.variants.map((part) => describeType(api, part, depth)))].join(' or ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.prefixItems) return `[${shape.prefixItems.map((item) => describeType(api, item, depth)).join(', ')}]`;
  if (shape.type === 'array') return `array of ${describeType(api, shape.items ?? {}, depth)}`;
  if (shape.type === 'object' || shape.properties) {
    if (shape.name) return shape.name;
    return isMap(shape) ? `map of ${describeType(api, shape.additionalProperties, depth)}` : 'object';
  }
  if (shape.format) return shape.format;
  return shape.type ?? (shape.enum ? 'string' : 'any');
}

const isMap = (shape) => !shape.properties && typeof shape.additionalProperties === 'object';

export function listLimits(api, schema) {
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

function formatRange(min, max, unit) {
  const low = Math.abs(min) >= Number.MAX_SAFE_INTEGER ? undefined : min;
  const high = Math.abs(max) >= Number.MAX_SAFE_INTEGER ? undefined : max;
  if (low === undefined && high === undefined) return undefined;
  const noun = unit === '' ? '' : ` ${(high ?? low) === 1 ? unit.slice(0, -1) : unit}`;
  if (low === high) return `exactly ${low}${noun}`;
  if (high === undefined) return `at least ${low}${noun}`;
  return low === undefined || (low === 0 && unit !== '') ? `at most ${high}${noun}` : `${low} to ${high}${noun}`;
}

const maxInitialValues = 10;

export function renderAllowedValues(api, schema) {
  const shape = normalizeSchema(api, schema);
  const values = shape.enum ?? (shape.type === 'array' ? normalizeSchema(api, shape.items ?? {}).enum : undefined);
  if (!values) return [];
  const valueNodes = values.map((value) =>
    createElement('code', {}, typeof value === 'string' ? value : JSON.stringify(value)),
  );
  const prefix = values.length === 1 ? 'Always ' : shape.enum ? 'One of ' : 'Each is one of ';
  const renderList = (items) => createElement('span', { class: 'values' }, items);
  if (values.length <= maxInitialValues + 2)
    return [createElement('p', { class: 'allowed-values' }, prefix, renderList(valueNodes))];
  return [
    createElement('p', { class: 'allowed-values' }, prefix, renderList(valueNodes.slice(0, maxInitialValues))),
    createDisclosure(
      `${values.length - maxInitialValues} more values`,
      () => renderList(valueNodes.slice(maxInitialValues)),
      {
        className: 'more-values',
      },
    ),
  ];
}

/** The fields to show below a schema. For an array, these are the fields of its items. */
function listFields(api, shape, ancestors = []) {
  if (shape.name && ancestors.includes(shape.name)) return [];
  const listNestedFields = (part) => listFields(api, normalizeSchema(api, part), [...ancestors, shape.name]);
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
  if (isMap(shape) && listNestedFields(shape.additionalProperties).length > 0)
    fields.push({ name: '{any key}', schema: shape.additionalProperties, required: true });
  return fields;
}

/** A request marks required fields; a response marks the few fields that may be missing. */
export function renderSchemaTree(api, schema, direction) {
  const shape = normalizeSchema(api, schema);
  const fields = listFields(api, shape);
  const heading = createElement(
    'p',
    { class: 'schema-name' },
    createElement('span', { class: 'type' }, describeType(api, schema)),
  );
  if (shape.description) heading.append(' ', ...renderInline(shape.description));
  if (fields.length === 0) return [heading, ...renderAllowedValues(api, schema)];
  return [heading, renderFieldList(api, fields, direction, fields.length <= 3)];
}

function renderFieldList(api, fields, direction, shouldOpenNested) {
  return createElement(
    'ul',
    { class: 'fields' },
    fields.map((field) => renderField(api, field, direction, shouldOpenNested)),
  );
}

function renderField(api, { name, schema, required }, direction, shouldOpenNested) {
  const shape = normalizeSchema(api, schema);
  const nested = listFields(api, shape);
  const requirement =
    direction === 'request' ? (required ? 'required' : undefined) : required ? undefined : 'may be missing';
  const item = createElement(
    'li',
    {},
    createElement(
      'p',
      { class: 'field-line' },
      createElement('code', { class: 'field-name' }, name),
      ' ',
      createElement('span', { class: 'type' }, describeType(api, schema)),
      requirement ? createElement('span', { class: 'requirement' }, ` ${requirement}`) : '',
    ),
    renderParagraphs(shape.description),
    renderLimits(api, schema),
    renderAllowedValues(api, schema),
  );
  if (nested.length > 0) {
    const label = `${nested.length} ${nested.length === 1 ? 'field' : 'fields'} of ${name}`;
    item.append(
      createDisclosure(label, () => renderFieldList(api, nested, direction, false), {
        isOpen: shouldOpenNested,
        className: 'nested',
      }),
    );
  }
  return item;
}

export function renderLimits(api, schema) {
  const limitTexts = listLimits(api, schema);
  return limitTexts.length === 0 ? [] : [createElement('p', { class: 'limits' }, renderInline(limitTexts.join(', ')))];
}
