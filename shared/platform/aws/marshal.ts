// Converts values to and from DynamoDB's attribute values, without loss.
import type { Item, Value } from '../ports.ts';

export type Attribute =
  | { S: string }
  | { N: string }
  | { BOOL: boolean }
  | { NULL: true }
  | { B: Uint8Array }
  | { L: Attribute[] }
  | { M: AttributeMap };
export type AttributeMap = { [name: string]: Attribute };

/**
 * Attributes as the SDK returns them and as Lambda's stream events contain them, where bytes are
 * base64.
 */
export interface StoredAttribute {
  S?: string | undefined;
  N?: string | undefined;
  BOOL?: boolean | undefined;
  NULL?: boolean | undefined;
  B?: Uint8Array | string | undefined;
  L?: StoredAttribute[] | undefined;
  M?: StoredAttributes | undefined;
}
export type StoredAttributes = { [name: string]: StoredAttribute };

export function marshal(value: Value): Attribute {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      if (!Number.isFinite(value))
        throw new TypeError(`The table cannot store the number ${value}. Use a finite number.`);
      return { N: String(value) };
    case 'boolean':
      return { BOOL: value };
    case 'object':
      if (value === null) return { NULL: true };
      if (value instanceof Uint8Array) return { B: value };
      if (Array.isArray(value)) return { L: value.map(marshal) };
      return { M: marshalItem(value) };
    default:
      throw new TypeError(`The table cannot store a value of type ${typeof value}.`);
  }
}

/** Properties that are undefined are left out. */
export function marshalItem(item: Item): AttributeMap {
  const prototype = Object.getPrototypeOf(item);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError('The table stores plain objects only. Convert dates, maps and class instances first.');
  }
  const attributes: AttributeMap = {};
  for (const name of Object.keys(item)) {
    const value = item[name];
    if (value !== undefined) setOwnProperty(attributes, name, marshal(value));
  }
  return attributes;
}

export function unmarshal(attribute: StoredAttribute): Value {
  if (attribute.S !== undefined) return attribute.S;
  if (attribute.N !== undefined) return Number(attribute.N);
  if (attribute.B !== undefined) return typeof attribute.B === 'string' ? decodeBase64(attribute.B) : attribute.B;
  if (attribute.M !== undefined) return unmarshalItem(attribute.M);
  if (attribute.L !== undefined) return attribute.L.map(unmarshal);
  if (attribute.BOOL !== undefined) return attribute.BOOL;
  if (attribute.NULL !== undefined) return null;
  throw new TypeError(`The table returned an attribute of type ${Object.keys(attribute)}, which Daybook never writes.`);
}

export function unmarshalItem(attributes: StoredAttributes): Item {
  const item: Item = {};
  for (const name in attributes) {
    const attribute = attributes[name];
    if (attribute !== undefined) setOwnProperty(item, name, unmarshal(attribute));
  }
  return item;
}

/** Returns a plain Uint8Array, not a Buffer. */
export function decodeBase64(text: string): Uint8Array {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function setOwnProperty<T>(target: { [name: string]: T }, name: string, value: T): void {
  // Plain assignment to this one name would change the prototype and lose the value.
  if (name !== '__proto__') target[name] = value;
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}
