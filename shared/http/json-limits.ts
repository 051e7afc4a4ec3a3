// Checks JSON before it is parsed: JSON that is nested too deeply, or has too many values, costs
// more to parse than to send.
import { Failure } from '../system/failure.ts';

export interface JsonLimits {
  /**
   * Fields of the body itself, because a validator that knows none of them would report each.
   * Unlimited by default.
   */
  fields?: number;
  /** Nesting depth of brackets and braces. */
  depth: number;
  /** Objects, arrays and their members. */
  values: number;
  /** Members of the arrays in the body, and of anything else at the same depth. */
  members: number;
  /** The limit to report, if `members` includes slack for other content. */
  reportedMembers?: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
/** A bracket and a brace differ only in this bit. */
const braceBit = 0x20;
const openingBrace = 0x7b;
const closingBrace = 0x7d;
/** The depth of arrays that are direct fields of the body. */
const memberDepth = 2;

/** Scans the UTF-8 bytes once; none of these characters can be part of a multi-byte character. */
export function assertJsonLimits(limits: JsonLimits, bytes: Uint8Array): void {
  let depth = 0;
  let values = 0;
  let members = 0;
  let fields = 0;
  const { fields: maxFields = Number.POSITIVE_INFINITY } = limits;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === quote) index = findStringEnd(bytes, index);
    else if (byte === comma) {
      values++;
      if (depth === memberDepth) members++;
      else if (depth === 1 && ++fields >= maxFields) throw tooLarge('has too many fields', maxFields);
    } else if ((byte | braceBit) === openingBrace) {
      depth++;
      values++;
      if (depth > limits.depth)
        throw new Failure('invalid_body', `The body is nested more than ${limits.depth} levels deep.`);
    } else if ((byte | braceBit) === closingBrace) depth--;
    if (values > limits.values) throw tooLarge('has too many values', limits.values);
    if (members > limits.members) throw tooLarge('has too many records', limits.reportedMembers ?? limits.members);
  }
}

function findStringEnd(bytes: Uint8Array, start: number): number {
  for (let index = start + 1; index < bytes.length; index++) {
    if (bytes[index] === backslash) index++;
    else if (bytes[index] === quote) return index;
  }
  return bytes.length;
}

const tooLarge = (what: string, max: number): Failure =>
  new Failure('payload_too_large', `The body ${what}. Send at most ${max.toLocaleString('en')} at a time.`);
