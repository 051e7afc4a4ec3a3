// Reads and writes the bytes of packed days: varints, doubles, short texts, and the checksum at the
// end of every record.

/** Stored bytes that cannot be decoded as the format they claim to have. */
export class UnreadableData extends Error {}

/**
 * Fletcher sums modulo 256, two additions per byte. They always detect one changed byte, almost
 * always random damage, and not deliberate changes.
 */
function checksum(bytes: Uint8Array, end: number): number {
  let sum = 0xa5;
  let sumOfSums = 0x5a;
  for (let at = 0; at < end; at++) {
    sum = (sum + (bytes[at] ?? 0)) | 0;
    sumOfSums = (sumOfSums + sum) | 0;
  }
  return ((sumOfSums & 0xff) << 8) | (sum & 0xff);
}
const checksumBytes = 2;

/** The number of bits per mark, see `ByteReader.marks`. */
export const markBits = 2;

export class ByteWriter {
  #bytes = new Uint8Array(1_024);
  #length = 0;

  #ensureCapacity(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  start(layout: number): this {
    this.clear();
    this.byte(layout);
    return this;
  }

  clear(): this {
    this.#length = 0;
    return this;
  }

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#ensureCapacity(1);
    this.#bytes[this.#length++] = value;
  }

  /** An unsigned 32-bit integer, seven bits per byte. */
  varint(value: number): void {
    this.#ensureCapacity(5);
    let remainder = value >>> 0;
    while (remainder > 0x7f) {
      this.#bytes[this.#length++] = (remainder & 0x7f) | 0x80;
      remainder >>>= 7;
    }
    this.#bytes[this.#length++] = remainder;
  }

  /** A signed 32-bit integer. Numbers near zero are short, positive or negative. */
  zigzag(value: number): void {
    this.varint((value << 1) ^ (value >> 31));
  }

  /** An integer from 0 to 2^53 - 1, seven bits per byte. */
  wideVarint(value: number): void {
    let remainder = value;
    for (; remainder > 0xffff_ffff; remainder = Math.floor(remainder / 128)) this.byte((remainder % 128) | 0x80);
    this.varint(remainder);
  }

  /** An integer between -2^52 and 2^52. */
  wideZigzag(value: number): void {
    this.wideVarint(encodeWideZigzag(value));
  }

  raw(bytes: Uint8Array): void {
    this.#ensureCapacity(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  float64(value: number): void {
    this.#ensureCapacity(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value);
    this.#length += 8;
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.varint(encoded.length);
    this.raw(encoded);
  }

  /** Packs small numbers with `width` bits each: 0, 1, 2, 4 or 8. */
  bits(values: ArrayLike<number>, count: number, width: number): void {
    if (width === 0) return;
    const perByte = 8 / width;
    for (let from = 0; from < count; from += perByte) {
      let packed = 0;
      const until = Math.min(from + perByte, count);
      for (let at = from; at < until; at++) packed |= (values[at] ?? 0) << ((at - from) * width);
      this.byte(packed);
    }
  }

  /** The bytes written so far, valid until the next write. */
  peekWritten(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  finish(): Uint8Array {
    const sums = checksum(this.#bytes, this.#length);
    this.byte(sums >>> 8);
    this.byte(sums & 0xff);
    return this.#bytes.slice(0, this.#length);
  }
}

function throwTruncated(): never {
  throw new UnreadableData('a packed day ends in the middle of a value');
}

export class ByteReader {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  #end = 0;

  /** Verifies the checksum of the record and returns its first byte, which names the layout. */
  start(bytes: Uint8Array): number {
    const end = bytes.length - checksumBytes;
    if (end < 1) throw new UnreadableData('a packed day is truncated: read the item again or restore it from a backup');
    const stored = ((bytes[end] ?? 0) << 8) | (bytes[end + 1] ?? 0);
    if (checksum(bytes, end) !== stored) {
      throw new UnreadableData('a packed day fails its checksum: restore the item from a backup or rebuild the day');
    }
    this.#bytes = bytes;
    this.#end = end;
    this.#at = 0;
    return this.byte();
  }

  /** Reads part of a record whose checksum has already been verified. */
  startUnchecked(bytes: Uint8Array): this {
    this.#bytes = bytes;
    this.#end = bytes.length;
    this.#at = 0;
    return this;
  }

  /** The number of bytes left. Check a stored count against it before allocating memory. */
  get remaining(): number {
    return this.#end - this.#at;
  }

  byte(): number {
    if (this.#at >= this.#end) throwTruncated();
    return this.#bytes[this.#at++] ?? 0;
  }

  varint(): number {
    let byte = this.byte();
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 7; shift < 35; shift += 7) {
      byte = this.byte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new UnreadableData('a packed day contains a number longer than 32 bits');
  }

  zigzag(): number {
    const value = this.varint();
    return (value >>> 1) ^ -(value & 1);
  }

  wideVarint(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    for (let unit = 128; unit <= 2 ** 49; unit *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * unit;
      if (byte < 0x80 && value <= Number.MAX_SAFE_INTEGER) return value;
    }
    throw new UnreadableData('a packed day contains a number longer than 53 bits');
  }

  wideZigzag(): number {
    const value = this.wideVarint();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  raw(length: number): Uint8Array {
    const from = this.#advance(length);
    return this.#bytes.subarray(from, from + length);
  }

  /** Everything that is left before the checksum. */
  readRemaining(): Uint8Array {
    return this.raw(this.remaining);
  }

  /**
   * Reads the positions of the set bits in this many bytes, lowest first, and returns their count.
   */
  bitmap(into: Uint8Array, bytes: number): number {
    const from = this.#advance(bytes);
    const all = this.#bytes;
    let count = 0;
    for (let at = 0; at < bytes; at++) {
      for (let bits = all[from + at] ?? 0; bits !== 0; bits &= bits - 1) {
        into[count++] = (at << 3) + 31 - Math.clz32(bits & -bits);
      }
    }
    return count;
  }

  /**
   * Reads zig-zag varints into `values[indexes[i]]`, each plus its origin and divided by its power.
   * Reading days spends nearly all its time here, hence one flat loop over local variables.
   */
  fixedPoints(
    values: Float64Array,
    indexes: Uint8Array,
    count: number,
    origins: Float64Array,
    powers: Float64Array,
  ): void {
    const bytes = this.#bytes;
    let at = this.#at;
    for (let position = 0; position < count; position++) {
      // Reads one or two bytes without a branch, because the length is unpredictable. A read past
      // the end is rejected below.
      const low = bytes[at] ?? 0;
      const high = bytes[at + 1] ?? 0;
      const longer = low >>> 7;
      let value = (low & 0x7f) | ((high & 0x7f & -longer) << 7);
      at += 1 + longer;
      if ((longer & (high >>> 7)) !== 0) {
        let shift = 14;
        let byte = high;
        while (byte > 0x7f) {
          if (shift > 28) throw new UnreadableData('a packed day contains a number longer than 32 bits');
          byte = bytes[at++] ?? 0;
          value |= (byte & 0x7f) << shift;
          shift += 7;
        }
      }
      const index = indexes[position] ?? 0;
      values[index] = (((value >>> 1) ^ -(value & 1)) + (origins[index] ?? 0)) / (powers[index] ?? 1);
    }
    if (at > this.#end) throwTruncated();
    this.#at = at;
  }

  #advance(count: number): number {
    const from = this.#at;
    if (from + count > this.#end) throwTruncated();
    this.#at = from + count;
    return from;
  }

  float64(): number {
    const from = this.#advance(8);
    return new DataView(this.#bytes.buffer, this.#bytes.byteOffset).getFloat64(from);
  }

  text(): string {
    const length = this.varint();
    const from = this.#advance(length);
    return new TextDecoder().decode(this.#bytes.subarray(from, from + length));
  }

  bits(into: Uint8Array, count: number, width: number): void {
    const from = this.#advance((count * width + 7) >>> 3);
    const bytes = this.#bytes;
    const mask = (1 << width) - 1;
    for (let at = 0, bit = 0; at < count; at++, bit += width) {
      into[at] = ((bytes[from + (bit >>> 3)] ?? 0) >>> (bit & 7)) & mask;
    }
  }

  /** Reads two bits each into `into[indexes[i]]`. */
  marks(into: Uint8Array, indexes: Uint8Array, count: number): void {
    const from = this.#advance((count * markBits + 7) >>> 3);
    const bytes = this.#bytes;
    for (let at = 0, bit = 0; at < count; at++, bit += markBits) {
      into[indexes[at] ?? 0] = ((bytes[from + (bit >>> 3)] ?? 0) >>> (bit & 7)) & 3;
    }
  }

  finish(): void {
    if (this.#at !== this.#end) throw new UnreadableData('a packed day is longer than its content');
  }
}

/** Numbers near zero stay small, positive or negative. */
export function encodeWideZigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

/** The narrowest width that `bits` supports for numbers below `count`. */
export function chooseBitWidth(count: number): number {
  if (count <= 1) return 0;
  if (count <= 2) return 1;
  if (count <= 4) return 2;
  return count <= 16 ? 4 : 8;
}
