// Many numbers that belong together, in bytes, mostly as whole steps of one number of decimals:
//   head        bits 0-4: the decimals, or 16 for a column of doubles; bit 5: exceptions follow; bit 6: differences
//   exceptions  how many, then for each: places since the one before and form in one varint, and the number in that form
//   steps       of all others: zig-zag differences from the one before, or the least and how far each is above it
// A column of doubles has their first bytes, their second bytes and so on instead, since the first ones repeat. Nothing is written for no numbers.
import { type ByteReader, type ByteWriter, UnreadableDay, wideZigzagOf } from '../../platform/bytes.ts';
import {
  asFloat64,
  finestDecimals,
  mantissaOf,
  numberForm,
  numberForms,
  readNumber,
  shortestDecimals,
  tenTo,
  wideVarintBytes,
  writeNumber,
} from './decimals.ts';

const formBits = 0x1f;
const exceptionsFollow = 0x20;
const asDifferences = 0x40;
const float64Bytes = 8;
/** Half the range of mantissas, so that the difference of two fits as well. */
const largestStep = 2 ** 51 - 1;
/** What a double in a column of doubles takes once compressed, its repeating first bytes being nearly free. */
const bytesOfADouble = 7;

export function writeNumbers(writer: ByteWriter, numbers: Float64Array): void {
  if (numbers.length === 0) return;
  const form = columnForm(numbers);
  if (form === asFloat64) {
    writer.byte(form);
    writeDoubles(writer, numbers);
    return;
  }
  const steps = new Float64Array(numbers.length);
  const exceptions: number[] = [];
  let kept = 0;
  for (let at = 0; at < numbers.length; at++) {
    const step = mantissaOf(numbers[at] ?? 0, form);
    if (Math.abs(step) <= largestStep) steps[kept++] = step;
    else exceptions.push(at);
  }
  writeSteps(writer, form, steps.subarray(0, kept), numbers, exceptions);
}

function writeSteps(
  writer: ByteWriter,
  form: number,
  steps: Float64Array,
  numbers: Float64Array,
  exceptions: readonly number[],
): void {
  let least = steps[0] ?? 0;
  for (const step of steps) least = Math.min(least, step);
  let bitsOfDifferences = 0;
  let bitsAbove = bitLength(wideZigzagOf(least));
  let before = 0;
  for (const step of steps) {
    bitsOfDifferences += bitLength(wideZigzagOf(step - before));
    bitsAbove += bitLength(step - least);
    before = step;
  }
  const differences = bitsOfDifferences <= bitsAbove;
  writer.byte(form | (exceptions.length > 0 ? exceptionsFollow : 0) | (differences ? asDifferences : 0));
  if (exceptions.length > 0) writeExceptionList(writer, numbers, exceptions);
  if (differences) {
    before = 0;
    for (const step of steps) {
      writer.wideZigzag(step - before);
      before = step;
    }
  } else {
    writer.wideZigzag(least);
    for (const step of steps) writer.wideVarint(step - least);
  }
}

function writeExceptionList(writer: ByteWriter, numbers: Float64Array, exceptions: readonly number[]): void {
  writer.varint(exceptions.length);
  let next = 0;
  for (const at of exceptions) {
    const number = numbers[at] ?? 0;
    const form = numberForm(number);
    writer.wideVarint((at - next) * numberForms + form);
    writeNumber(writer, form, number);
    next = at + 1;
  }
}

/** At least one bit: a zero takes room too. */
function bitLength(whole: number): number {
  if (whole > 0xffff_ffff) return 32 + bitLength(Math.floor(whole / 2 ** 32));
  return whole < 2 ? 1 : 32 - Math.clz32(whole);
}

const held = new Uint32Array(numberForms);

/** The decimals, or doubles, that should make the column shortest; an estimate from how far the numbers are apart. */
function columnForm(numbers: Float64Array): number {
  held.fill(0);
  let way = 0;
  let size = 0;
  let before = 0;
  for (const number of numbers) {
    const decimals = shortestDecimals(number);
    held[decimals] = (held[decimals] ?? 0) + 1;
    if (!(Math.abs(number) < 2 ** 31)) continue;
    way += Math.abs(number - before);
    size += Math.abs(number);
    before = number;
  }
  const bytesAt = (distance: number, decimals: number) =>
    Math.min(wideVarintBytes((2 * distance * (tenTo[decimals] ?? 1)) / numbers.length), float64Bytes);
  let best = asFloat64;
  let leastBytes = numbers.length * bytesOfADouble;
  let steps = 0;
  for (let decimals = 0; decimals <= finestDecimals; decimals++) {
    const count = held[decimals] ?? 0;
    if (count === 0) continue;
    steps += count;
    let bytes = steps * bytesAt(way, decimals) + (held[asFloat64] ?? 0) * (1 + float64Bytes);
    for (let finer = decimals + 1; finer <= finestDecimals; finer++)
      bytes += (held[finer] ?? 0) * (1 + bytesAt(size, finer));
    if (bytes < leastBytes) {
      best = decimals;
      leastBytes = bytes;
    }
  }
  return best;
}

const double = new DataView(new ArrayBuffer(float64Bytes));

function writeDoubles(writer: ByteWriter, numbers: Float64Array): void {
  const planes = new Uint8Array(numbers.length * float64Bytes);
  for (let at = 0; at < numbers.length; at++) {
    double.setFloat64(0, numbers[at] ?? 0);
    for (let byte = 0; byte < float64Bytes; byte++) planes[byte * numbers.length + at] = double.getUint8(byte);
  }
  writer.raw(planes);
}

function readDoubles(reader: ByteReader, numbers: Float64Array): void {
  const planes = reader.raw(numbers.length * float64Bytes);
  for (let at = 0; at < numbers.length; at++) {
    for (let byte = 0; byte < float64Bytes; byte++) double.setUint8(byte, planes[byte * numbers.length + at] ?? 0);
    numbers[at] = double.getFloat64(0);
  }
}

export function readNumbers(reader: ByteReader, count: number): Float64Array {
  // Every number takes a byte at least, so damage cannot ask for more room than there are bytes.
  if (count > reader.left) throw new UnreadableDay('a packed column states more numbers than it has bytes');
  const numbers = new Float64Array(count);
  if (count === 0) return numbers;
  const head = reader.byte();
  const form = head & formBits;
  if (form > asFloat64) throw new UnreadableDay('a packed column has numbers of an unknown form');
  if (form === asFloat64) {
    readDoubles(reader, numbers);
  } else {
    const excepted = head & exceptionsFollow ? readExceptionList(reader, numbers) : [];
    readSteps(reader, numbers, excepted, form, (head & asDifferences) !== 0);
  }
  if (!numbers.every(Number.isFinite)) throw new UnreadableDay('a packed column holds a value that is not a number');
  return numbers;
}

/** Returns their places, lowest first. */
function readExceptionList(reader: ByteReader, numbers: Float64Array): number[] {
  const places: number[] = [];
  let next = 0;
  for (let left = reader.varint(); left > 0; left--) {
    const code = reader.wideVarint();
    const form = code % numberForms;
    const at = next + (code - form) / numberForms;
    if (at >= numbers.length) throw new UnreadableDay('a packed column has an exception beyond its end');
    numbers[at] = readNumber(reader, form);
    places.push(at);
    next = at + 1;
  }
  return places;
}

function readSteps(
  reader: ByteReader,
  numbers: Float64Array,
  excepted: readonly number[],
  form: number,
  differences: boolean,
): void {
  const power = tenTo[form] ?? 1;
  let step = differences ? 0 : reader.wideZigzag();
  const least = step;
  let passed = 0;
  for (let at = 0; at < numbers.length; at++) {
    if (excepted[passed] === at) {
      passed++;
      continue;
    }
    step = differences ? step + reader.wideZigzag() : least + reader.wideVarint();
    numbers[at] = step / power;
  }
}
