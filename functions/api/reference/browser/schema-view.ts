// Shows a JSON Schema as a tree that reads like a list of fields.
import { renderInline, renderParagraphs } from '../../docs-kit/browser/description.ts';
import { createDisclosure, createElement } from '../../docs-kit/browser/dom.ts';
import type { DescribedApi, DocumentedSchema } from './openapi-document.ts';
import { describeType, listLimits, listShownFields, normalizeSchema, type SchemaField } from './schema-text.ts';

type Direction = 'request' | 'response';

const maxInitialValues = 10;

export function renderAllowedValues(api: DescribedApi, schema: DocumentedSchema): HTMLElement[] {
  const shape = normalizeSchema(api, schema);
  const values = shape.enum ?? (shape.type === 'array' ? normalizeSchema(api, shape.items ?? {}).enum : undefined);
  if (!values) return [];
  const valueNodes = values.map((value) =>
    createElement('code', {}, typeof value === 'string' ? value : JSON.stringify(value)),
  );
  const prefix = values.length === 1 ? 'Always ' : shape.enum ? 'One of ' : 'Each is one of ';
  const renderList = (items: readonly HTMLElement[]): HTMLElement => createElement('span', { class: 'values' }, items);
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

/** A request marks required fields; a response marks the few fields that may be missing. */
export function renderSchemaTree(api: DescribedApi, schema: DocumentedSchema, direction: Direction): HTMLElement[] {
  const shape = normalizeSchema(api, schema);
  const fields = listShownFields(api, shape);
  const heading = createElement(
    'p',
    { class: 'schema-name' },
    createElement('span', { class: 'type' }, describeType(api, schema)),
    shape.description === undefined ? '' : [' ', renderInline(shape.description)],
  );
  if (fields.length === 0) return [heading, ...renderAllowedValues(api, schema)];
  return [heading, renderFieldList(api, fields, direction, fields.length <= 3)];
}

function renderFieldList(
  api: DescribedApi,
  fields: readonly SchemaField[],
  direction: Direction,
  shouldOpenNested: boolean,
): HTMLElement {
  return createElement(
    'ul',
    { class: 'fields' },
    fields.map((field) => renderField(api, field, direction, shouldOpenNested)),
  );
}

function renderField(
  api: DescribedApi,
  { name, schema, required }: SchemaField,
  direction: Direction,
  shouldOpenNested: boolean,
): HTMLElement {
  const shape = normalizeSchema(api, schema);
  const nested = listShownFields(api, shape);
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

export function renderLimits(api: DescribedApi, schema: DocumentedSchema): HTMLElement[] {
  const limitTexts = listLimits(api, schema);
  return limitTexts.length === 0 ? [] : [createElement('p', { class: 'limits' }, renderInline(limitTexts.join(', ')))];
}
