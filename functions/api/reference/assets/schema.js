// Renders a JSON Schema as a tree that reads like a list of fields.
import { disclosure, element, inline, prose } from './dom.js';

export function resolve(api, node) {
  if (node?.$ref === undefined) return node ?? {};
  const { $ref, ...siblings } = node;
  const target = $ref
    .slice(2)
    .split('/')
    .reduce((at, step) => at?.[step.replaceAll('~1', '/').replaceAll('~0', '~')], api.document);
  return { ...resolve(api, target), name: $ref.split('/').at(-1), ...siblings };
}

/**
 * Normalizes the ways a schema can express the same thing: references, null as an alternative, and
 * `allOf`.
 */
export function view(api, schema) {
  const { anyOf, oneOf, allOf, ...own } = resolve(api, schema);
  if (allOf) return view(api, { ...merged(allOf.map((part) => view(api, part))), ...own });
  if (Array.isArray(own.type)) {
    const types = own.type.filter((type) => type !== 'null');
    const nullable = types.length < own.type.length;
    if (types.length === 1) return { ...own, type: types[0], nullable };
    return { ...own, type: undefined, nullable, variants: types.map((type) => ({ type })) };
  }
  const alternatives = anyOf ?? oneOf;
  if (!alternatives) return own;
  const variants = alternatives.map((part) => view(api, part)).filter((part) => part.type !== 'null');
  const nullable = own.nullable || variants.length < alternatives.length || variants.some((part) => part.nullable);
  return variants.length === 1 ? { ...variants[0], ...own, nullable } : { ...own, variants, nullable };
}

function merged(parts) {
  return {
    ...Object.assign({}, ...parts),
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

/** At depth, a named type is shown by name only, so that a recursive type terminates. */
export function typeName(api, schema, depth = 0) {
  const shape = view(api, schema);
  const name = depth > 1 && shape.name ? shape.name : plainType(api, shape, depth + 1);
  return shape.nullable ? `${name} or null` : name;
}

function plainType(api, shape, depth) {
  if (shape.variants) return [...new Set(shape.variants.map((part) => typeName(api, part, depth)))].join(' or ');
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.prefixItems) return `[${shape.prefixItems.map((item) => typeName(api, item, depth)).join(', ')}]`;
  if (shape.type === 'array') return `array of ${typeName(api, shape.items ?? {}, depth)}`;
  if (shape.type === 'object' || shape.properties) {
    if (shape.name) return shape.name;
    return isMap(shape) ? `map of ${typeName(api, shape.additionalProperties, depth)}` : 'object';
  }
  if (shape.format) return shape.format;
  return shape.type ?? (shape.enum ? 'string' : 'any');
}

const isMap = (shape) => !shape.properties && typeof shape.additionalProperties === 'object';

export function limits(api, schema) {
  const shape = view(api, schema);
  const said = [
    between(shape.minimum, shape.maximum, ''),
    shape.exclusiveMinimum === undefined ? undefined : `more than ${shape.exclusiveMinimum}`,
    shape.exclusiveMaximum === undefined ? undefined : `less than ${shape.exclusiveMaximum}`,
    between(shape.minLength, shape.maxLength, 'characters'),
    shape.prefixItems ? undefined : between(shape.minItems, shape.maxItems, 'items'),
    shape.uniqueItems ? 'no duplicates' : undefined,
    shape.multipleOf === undefined ? undefined : `a multiple of ${shape.multipleOf}`,
    shape.pattern && !shape.format && shape.pattern.length <= 72 ? `matches \`${shape.pattern}\`` : undefined,
    shape.default === undefined ? undefined : `default \`${JSON.stringify(shape.default)}\``,
  ];
  return said.filter((limit) => limit !== undefined);
}

function between(least, most, unit) {
  const low = Math.abs(least) >= Number.MAX_SAFE_INTEGER ? undefined : least;
  const high = Math.abs(most) >= Number.MAX_SAFE_INTEGER ? undefined : most;
  if (low === undefined && high === undefined) return undefined;
  const noun = unit === '' ? '' : ` ${(high ?? low) === 1 ? unit.slice(0, -1) : unit}`;
  if (low === high) return `exactly ${low}${noun}`;
  if (high === undefined) return `at least ${low}${noun}`;
  return low === undefined || (low === 0 && unit !== '') ? `at most ${high}${noun}` : `${low} to ${high}${noun}`;
}

const valuesShownAtOnce = 10;

export function allowedValues(api, schema) {
  const shape = view(api, schema);
  const values = shape.enum ?? (shape.type === 'array' ? view(api, shape.items ?? {}).enum : undefined);
  if (!values) return [];
  const chips = values.map((value) => element('code', {}, typeof value === 'string' ? value : JSON.stringify(value)));
  const lead = values.length === 1 ? 'Always ' : shape.enum ? 'One of ' : 'Each is one of ';
  const list = (items) => element('span', { class: 'values' }, items);
  if (values.length <= valuesShownAtOnce + 2) return [element('p', { class: 'one-of' }, lead, list(chips))];
  return [
    element('p', { class: 'one-of' }, lead, list(chips.slice(0, valuesShownAtOnce))),
    disclosure(`${values.length - valuesShownAtOnce} more values`, () => list(chips.slice(valuesShownAtOnce)), {
      className: 'more-values',
    }),
  ];
}

/** The fields to show below a schema. For an array, these are the fields of its items. */
function fieldsOf(api, shape, above = []) {
  if (shape.name && above.includes(shape.name)) return [];
  const within = (part) => fieldsOf(api, view(api, part), [...above, shape.name]);
  if (shape.variants)
    return shape.variants.some((part) => within(part).length > 0)
      ? shape.variants.map((part, index) => ({ name: `Option ${index + 1}`, schema: part, required: true }))
      : [];
  if (shape.type === 'array' && shape.items) return within(shape.items);
  const named = Object.entries(shape.properties ?? {}).map(([name, schema]) => ({
    name,
    schema,
    required: shape.required?.includes(name) ?? false,
  }));
  if (isMap(shape) && within(shape.additionalProperties).length > 0)
    named.push({ name: '{any key}', schema: shape.additionalProperties, required: true });
  return named;
}

/** A request marks required fields; a response marks the few fields that may be missing. */
export function schemaTree(api, schema, direction) {
  const shape = view(api, schema);
  const fields = fieldsOf(api, shape);
  const heading = element('p', { class: 'schema-name' }, element('span', { class: 'type' }, typeName(api, schema)));
  if (shape.description) heading.append(' ', ...inline(shape.description));
  if (fields.length === 0) return [heading, ...allowedValues(api, schema)];
  return [heading, fieldList(api, fields, direction, fields.length <= 3)];
}

function fieldList(api, fields, direction, openNested) {
  return element(
    'ul',
    { class: 'fields' },
    fields.map((field) => fieldItem(api, field, direction, openNested)),
  );
}

function fieldItem(api, { name, schema, required }, direction, openNested) {
  const shape = view(api, schema);
  const nested = fieldsOf(api, shape);
  const note = direction === 'request' ? (required ? 'required' : undefined) : required ? undefined : 'may be missing';
  const item = element(
    'li',
    {},
    element(
      'p',
      { class: 'field-line' },
      element('code', { class: 'field-name' }, name),
      ' ',
      element('span', { class: 'type' }, typeName(api, schema)),
      note ? element('span', { class: 'requirement' }, ` ${note}`) : '',
    ),
    prose(shape.description),
    limitLine(api, schema),
    allowedValues(api, schema),
  );
  if (nested.length > 0) {
    const label = `${nested.length} ${nested.length === 1 ? 'field' : 'fields'} of ${name}`;
    item.append(
      disclosure(label, () => fieldList(api, nested, direction, false), { open: openNested, className: 'nested' }),
    );
  }
  return item;
}

export function limitLine(api, schema) {
  const said = limits(api, schema);
  return said.length === 0 ? [] : [element('p', { class: 'limits' }, inline(said.join(', ')))];
}
