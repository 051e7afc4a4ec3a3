import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Attribute,
  marshal,
  marshalItem,
  type StoredAttribute,
  type StoredAttributes,
  unmarshal,
  unmarshalItem,
} from '../../../shared/platform/aws/marshal.ts';
import type { Item, Value } from '../../../shared/platform/ports.ts';

/** Negative zero is left out, because DynamoDB's numbers have only one zero. */
const { value } = fc.letrec<{ value: Value; item: Item }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 40 }),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('item'),
  ),
  item: fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), {
    maxKeys: 4,
    noNullPrototype: true,
  }),
}));

/** Converts an attribute to the form in which Lambda delivers a stream record. */
function inStreamEvent(attribute: Attribute): StoredAttribute {
  const text = JSON.stringify(attribute, (_name, value) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  return JSON.parse(text);
}

describe('attribute values', () => {
  test('every value comes back as it was stored, from the table and from its stream', () => {
    fc.assert(
      fc.property(value, (stored) => {
        expect(unmarshal(marshal(stored))).toStrictEqual(stored);
        expect(unmarshal(inStreamEvent(marshal(stored)))).toStrictEqual(stored);
      }),
      { numRuns: 1_000 },
    );
  });

  test('bytes come back without Buffer behavior', () => {
    expect(unmarshal({ B: 'AQI=' })).toStrictEqual(new Uint8Array([1, 2]));
  });

  test('a property named like the prototype stays a property', () => {
    const item: Item = JSON.parse('{"__proto__":"kept"}');
    expect(JSON.stringify(marshalItem(item))).toBe('{"__proto__":{"S":"kept"}}');
    expect(JSON.stringify(unmarshalItem(marshalItem(item)))).toBe('{"__proto__":"kept"}');
  });

  test('undefined properties are left out', () => {
    const partial: Item = JSON.parse('{"kept":1}');
    Object.assign(partial, { dropped: undefined });
    expect(marshalItem(partial)).toEqual({ kept: { N: '1' } });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%d is rejected', (number) => {
    expect(() => marshal({ deep: [number] })).toThrow(/cannot store the number/);
  });

  test('objects that would lose their content are rejected', () => {
    const item: Item = {};
    Object.assign(item, { at: new Date(0) });
    expect(() => marshalItem(item)).toThrow(/plain objects only/);
  });

  test('an attribute type that is never written is rejected, not guessed', () => {
    const foreign: StoredAttributes = JSON.parse('{"tags":{"SS":["a"]}}');
    expect(() => unmarshalItem(foreign)).toThrow(/type SS/);
  });
});
