// Resolves an expression's placeholders: `#name` is the attribute `name`, `:name` is the value
// `values.name`.
import type { Item } from '../ports.ts';
import { type AttributeMap, marshal } from './marshal.ts';

export interface Placeholders {
  ExpressionAttributeNames: Record<string, string> | undefined;
  ExpressionAttributeValues: AttributeMap | undefined;
}

/**
 * Values that no expression uses are left out, because DynamoDB rejects a request with unused
 * values.
 */
export function buildPlaceholders(expressions: readonly (string | undefined)[], values: Item = {}): Placeholders {
  const names: Record<string, string> = {};
  const usedValues: AttributeMap = {};
  for (const expression of expressions) {
    for (const [placeholder, prefix, name = ''] of expression?.matchAll(/([#:])(\w+)/g) ?? []) {
      if (prefix === '#') names[placeholder] = name;
      else usedValues[placeholder] = marshal(getNamedValue(values, name, expression));
    }
  }
  return { ExpressionAttributeNames: unlessEmpty(names), ExpressionAttributeValues: unlessEmpty(usedValues) };
}

/** A projection of whole attributes. */
export function buildProjection(names: readonly string[] | undefined): string | undefined {
  return names?.map(placeholderFor).join(', ');
}

function placeholderFor(name: string): string {
  if (!/^\w+$/.test(name))
    throw new Error(`\`${name}\` cannot be projected: use letters, digits and _ in attribute names.`);
  return `#${name}`;
}

function getNamedValue(values: Item, name: string, expression: string | undefined) {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined)
    throw new Error(`The expression \`${expression}\` uses :${name}, but values.${name} is missing.`);
  return value;
}

function unlessEmpty<T extends object>(map: T): T | undefined {
  return Object.keys(map).length === 0 ? undefined : map;
}
