// Looks at JSON before it is parsed: what is nested too deeply, or has too many values, costs more to parse than it took to send.
import { Failure } from '../system/failure.ts';

export interface JsonLimits {
  /**
   * Fields of the body itself: a validator that knows none of them names each. Any number unless
   * told.
   */
  fields?: number;
  /** Brackets within brackets. */
  depth: number;
  /** Objects, lists and their members. */
  values: number;
  /** Members of the lists of the body, and of whatever else stands at their depth. */
  members: number;
  /** The number that is told, where `members` leaves room for what else there is. */
  toldMembers?: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** A bracket and a brace differ in this bit only. */
const braceBit = 0x20;
const opening = 0x7b;
const closing = 0x7d;
/** The lists of the body stand in it. */
const depthOfMembers = 2;

/** One pass over the bytes, which are UTF-8: none of these signs is part of another one there. */
export function mustBeWithin(limits: JsonLimits, bytes: Uint8Array): void {
  let depth = 0;
  let values = 0;
  let members = 0;
  let fields = 0;
  const { fields: maxFields = Number.POSITIVE_INFINITY } = limits;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === comma) {
      values++;
      if (depth === depthOfMembers) members++;
      else if (depth === 1 && ++fields >= maxFields) throw tooLarge('has too many fields', maxFields);
    } else if ((byte | braceBit) === opening) {
      depth++;
      values++;
      if (depth > limits.depth)
        throw new Failure('invalid_body', `The body is nested more than ${limits.depth} levels deep.`);
    } else if ((byte | braceBit) === closing) depth--;
    if (values > limits.values) throw tooLarge('has too many values', limits.values);
    if (members > limits.members) throw tooLarge('has too many records', limits.toldMembers ?? limits.members);
  }
}

function endOfText(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}

const tooLarge = (what: string, most: number): Failure =>
  new Failure('payload_too_large', `The body ${what}. Send at most ${most.toLocaleString('en')} at a time.`);
