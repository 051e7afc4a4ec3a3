// Binary format of a column of related numbers, mostly as integer steps of one fixed number of
// decimals.
// - Head: bits 0-4 hold the number of decimals, or 16 for a column of doubles; bit 5: exceptions
// follow; bit 6: differences.
// - Exceptions: their count, then for each the positions since the previous one and its form in one
// varint, and the number in that form.
// - Steps of all other numbers: zigzag differences from the previous step, or the minimum and the
// distance of each step from it.
//
// A column of doubles instead stores all first bytes, then all second bytes and so on, because the
// first bytes repeat. An empty column has no bytes.
import { type ByteReader, type ByteWriter, encodeWideZigzag, UnreadableData } from '../../platform/bytes.ts';
import {
  chooseNumberForm,
  computeMantissa,
  countWideVarintBytes,
  findShortestDecimals,
  float64Form,
  maxDecimals,
  numberFormCount,
  powersOfTen,
  readNumber,
  writeNumber,
} from './decimals.ts';

const formMask = 0x1f;
const exceptionsFollow = 0x20;
const differencesFlag = 0x40;
const float64Bytes = 8;
/** Half the range of mantissas, so that the difference of two steps also fits. */
const maxStep = 2 ** 51 - 1;
/**
 * The compressed size of a double in a column of doubles: its repeating first bytes cost almost
 * nothing.
 */
const estimatedDoubleBytes = 7;

export function writeNumbers(writer: ByteWriter, numbers: Float64Array): void {
  if (numbers.length === 0) return;
  const form = chooseColumnForm(numbers);
  if (form === float64Form) {
    writer.byte(form);
    writeDoubles(writer, numbers);
    return;
  }
  const steps = new Float64Array(numbers.length);
  const exceptions: number[] = [];
  let stepCount = 0;
  for (let at = 0; at < numbers.length; at++) {
    const step = computeMantissa(numbers[at] ?? 0, form);
    if (Math.abs(step) <= maxStep) steps[stepCount++] = step;
    else exceptions.push(at);
  }
  writeSteps(writer, form, steps.subarray(0, stepCount), numbers, exceptions);
}

function writeSteps(
  writer: ByteWriter,
  form: number,
  steps: Float64Array,
  numbers: Float64Array,
  exceptions: readonly number[],
): void {
  let minStep = steps[0] ?? 0;
  for (const step of steps) minStep = Math.min(minStep, step);
  let differencesBits = 0;
  let offsetsBits = bitLength(encodeWideZigzag(minStep));
  let previous = 0;
  for (const step of steps) {
    differencesBits += bitLength(encodeWideZigzag(step - previous));
    offsetsBits += bitLength(step - minStep);
    previous = step;
  }
  const usesDifferences = differencesBits <= offsetsBits;
  writer.byte(form | (exceptions.length > 0 ? exceptionsFollow : 0) | (usesDifferences ? differencesFlag : 0));
  if (exceptions.length > 0) writeExceptionList(writer, numbers, exceptions);
  if (usesDifferences) {
    previous = 0;
    for (const step of steps) {
      writer.wideZigzag(step - previous);
      previous = step;
    }
  } else {
    writer.wideZigzag(minStep);
    for (const step of steps) writer.wideVarint(step - minStep);
  }
}

function writeExceptionList(writer: ByteWriter, numbers: Float64Array, exceptions: readonly number[]): void {
  writer.varint(exceptions.length);
  let next = 0;
  for (const at of exceptions) {
    const number = numbers[at] ?? 0;
    const form = chooseNumberForm(number);
    writer.wideVarint((at - next) * numberFormCount + form);
    writeNumber(writer, form, number);
    next = at + 1;
  }
}

/** At least one bit, because a zero takes space too. */
function bitLength(integer: number): number {
  if (integer > 0xffff_ffff) return 32 + bitLength(Math.floor(integer / 2 ** 32));
  return integer < 2 ? 1 : 32 - Math.clz32(integer);
}

const countsByForm = new Uint32Array(numberFormCount);

/**
 * Returns the form that should make the column shortest, estimated from the distances between the
 * numbers.
 */
function chooseColumnForm(numbers: Float64Array): number {
  countsByForm.fill(0);
  let totalDistance = 0;
  let totalMagnitude = 0;
  let previous = 0;
  for (const number of numbers) {
    const decimals = findShortestDecimals(number);
    countsByForm[decimals] = (countsByForm[decimals] ?? 0) + 1;
    if (!(Math.abs(number) < 2 ** 31)) continue;
    totalDistance += Math.abs(number - previous);
    totalMagnitude += Math.abs(number);
    previous = number;
  }
  const estimateBytes = (distance: number, decimals: number) =>
    Math.min(countWideVarintBytes((2 * distance * (powersOfTen[decimals] ?? 1)) / numbers.length), float64Bytes);
  let best = float64Form;
  let minBytes = numbers.length * estimatedDoubleBytes;
  let steps = 0;
  for (let decimals = 0; decimals <= maxDecimals; decimals++) {
    const count = countsByForm[decimals] ?? 0;
    if (count === 0) continue;
    steps += count;
    let bytes = steps * estimateBytes(totalDistance, decimals) + (countsByForm[float64Form] ?? 0) * (1 + float64Bytes);
    for (let finer = decimals + 1; finer <= maxDecimals; finer++)
      bytes += (countsByForm[finer] ?? 0) * (1 + estimateBytes(totalMagnitude, finer));
    if (bytes < minBytes) {
      best = decimals;
      minBytes = bytes;
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
  // Every number takes at least one byte, so damaged data cannot request more memory than it has
  // bytes.
  if (count > reader.remaining) throw new UnreadableData('a packed column states more numbers than it has bytes');
  const numbers = new Float64Array(count);
  if (count === 0) return numbers;
  const head = reader.byte();
  const form = head & formMask;
  if (form > float64Form) throw new UnreadableData('a packed column has numbers in an unknown form');
  if (form === float64Form) {
    readDoubles(reader, numbers);
  } else {
    const exceptionPositions = head & exceptionsFollow ? readExceptionList(reader, numbers) : [];
    readSteps(reader, numbers, exceptionPositions, form, (head & differencesFlag) !== 0);
  }
  if (!numbers.every(Number.isFinite)) throw new UnreadableData('a packed column holds a value that is not a number');
  return numbers;
}

/** Returns the positions of the exceptions in ascending order. */
function readExceptionList(reader: ByteReader, numbers: Float64Array): number[] {
  const positions: number[] = [];
  let next = 0;
  for (let left = reader.varint(); left > 0; left--) {
    const code = reader.wideVarint();
    const form = code % numberFormCount;
    const at = next + (code - form) / numberFormCount;
    if (at >= numbers.length) throw new UnreadableData('a packed column has an exception beyond its end');
    numbers[at] = readNumber(reader, form);
    positions.push(at);
    next = at + 1;
  }
  return positions;
}

function readSteps(
  reader: ByteReader,
  numbers: Float64Array,
  exceptionPositions: readonly number[],
  form: number,
  usesDifferences: boolean,
): void {
  const power = powersOfTen[form] ?? 1;
  let step = usesDifferences ? 0 : reader.wideZigzag();
  const minStep = step;
  let exceptionIndex = 0;
  for (let at = 0; at < numbers.length; at++) {
    if (exceptionPositions[exceptionIndex] === at) {
      exceptionIndex++;
      continue;
    }
    step = usesDifferences ? step + reader.wideZigzag() : minStep + reader.wideVarint();
    numbers[at] = step / power;
  }
}
