// Values of the product to and from DynamoDB's attribute values, without loss.
import type { Item, Value } from '../ports.ts';

export type Attribute =
  | { S: string }
  | { N: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { B: string }
  | { L: Attribute[] }
  | { M: AttributeMap };
export type AttributeMap = { [name: string]: Attribute };

export function marshal(value: Value): Attribute {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      if (!Number.isFinite(value))
        throw new TypeError(`The table cannot hold the number ${value}; store a finite one.`);
      return { N: String(value) };
    case 'boolean':
      return { BOOL: value };
    case 'object':
      if (value === null) return { NULL: true };
      if (value instanceof Uint8Array) return { B: base64(value) };
      if (Array.isArray(value)) return { L: value.map(marshal) };
      return { M: marshalItem(value) };
    default:
      throw new TypeError(`The table cannot hold a value of type ${typeof value}.`);
  }
}

/** Properties that are undefined are left out. */
export function marshalItem(item: Item): AttributeMap {
  const prototype = Object.getPrototypeOf(item);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('The table holds plain objects only; turn dates, maps and class instances into values first.');
  }
  const attributes: AttributeMap = {};
  for (const name of Object.keys(item)) {
    const value = item[name];
    if (value !== undefined) own(attributes, name, marshal(value));
  }
  return attributes;
}

export function unmarshal(attribute: Attribute): Value {
  if ('S' in attribute) return attribute.S;
  if ('N' in attribute) return Number(attribute.N);
  if ('B' in attribute) return bytes(attribute.B);
  if ('M' in attribute) return unmarshalItem(attribute.M);
  if ('L' in attribute) return attribute.L.map(unmarshal);
  if ('BOOL' in attribute) return attribute.BOOL;
  if ('NULL' in attribute) return null;
  throw new TypeError(`The table returned an attribute of type ${Object.keys(attribute)}, which Daybook never writes.`);
}

export function unmarshalItem(attributes: AttributeMap): Item {
  const item: Item = {};
  for (const name in attributes) {
    const attribute = attributes[name];
    if (attribute !== undefined) own(item, name, unmarshal(attribute));
  }
  return item;
}

function own<T>(target: { [name: string]: T }, name: string, value: T): void {
  // Plain assignment to this one name would change the prototype and lose the value.
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function base64(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
}

function bytes(text: string): Uint8Array {
  const buffer = Buffer.from(text, 'base64');
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
}
