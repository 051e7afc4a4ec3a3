// Builds the SET clause of an update from an object, so that a type can require its fields.
import type { Item } from './ports.ts';

/** Sets each field to the value of the same name, which must be among the update's `values`. */
export const buildSetClause = (fields: Item): string =>
  `SET ${Object.keys(fields)
    .map((name) => `#${name} = :${name}`)
    .join(', ')}`;
