// Binary format of the values of a block that lie between two steps of their metric's fixed point.
// The block holds the nearest step, and the exception holds the remainder; or the block holds a
// zero, and the exception holds the full value.
// - The number of exceptions, then for each the positions since the previous one and its form in
// one varint.
// - Form with decimals: the remainder as a mantissa with that number of decimals.
// - Form ulps: the remainder in units of the step's last binary place.
// - Otherwise: the value as a float64.
import { type ByteReader, type ByteWriter, encodeWideZigzag, UnreadableData } from '../../platform/bytes.ts';
import { computeMantissa, countWideVarintBytes, findShortestDecimals, maxDecimals, powersOfTen } from './decimals.ts';

const ulpsForm = maxDecimals + 1;
const fullForm = ulpsForm + 1;
const formCount = fullForm + 1;
const float64Bytes = 8;
const exactBound = 2 ** 52;

const view = new DataView(new ArrayBuffer(8));
const mantissaBits = 52;

/**
 * Returns the distance from a double to the next one away from zero; NaN for doubles close to zero,
 * which are never a reference.
 */
function computeUlp(value: number): number {
  view.setFloat64(0, value);
  const exponent = (view.getUint16(0) >>> 4) & 0x7ff;
  if (exponent <= mantissaBits) return Number.NaN;
  view.setUint32(0, (exponent - mantissaBits) << 20);
  view.setUint32(4, 0);
  return view.getFloat64(0);
}

const isExact = (integer: number): boolean => Number.isInteger(integer) && Math.abs(integer) < exactBound;

/**
 * Returns the mantissa, with `decimals` decimals, of a step of a fixed point with `scale` decimals.
 */
const stepMantissa = (step: number, scale: number, decimals: number): number =>
  Math.round(step * (powersOfTen[scale] ?? 1)) * (powersOfTen[decimals - scale] ?? 1);

export interface ValueException {
  position: number;
  form: number;
  remainder: number;
}

/**
 * Chooses the shortest form. `step` is the fixed-point value at this position; NaN when the fixed
 * point has no value near it.
 */
export function createValueException(position: number, value: number, step: number, scale: number): ValueException {
  let form = fullForm;
  let remainder = value;
  let bytes = float64Bytes;
  const decimals = findShortestDecimals(value, scale + 1);
  if (decimals <= maxDecimals) {
    const left = computeMantissa(value, decimals) - stepMantissa(step, scale, decimals);
    if (isExact(left) && countWideVarintBytes(encodeWideZigzag(left)) < bytes) {
      form = decimals;
      remainder = left;
      bytes = countWideVarintBytes(encodeWideZigzag(left));
    }
  }
  const ulp = computeUlp(step);
  const ulps = (value - step) / ulp;
  if (isExact(ulps) && Object.is(step + ulps * ulp, value) && countWideVarintBytes(encodeWideZigzag(ulps)) < bytes)
    return { position, form: ulpsForm, remainder: ulps };
  return { position, form, remainder };
}

/** Whether the exception is relative to the step at its position. */
export const needsStep = ({ form }: ValueException): boolean => form !== fullForm;

/** The exceptions must be sorted by position. */
export function writeExceptions(writer: ByteWriter, exceptions: readonly ValueException[]): void {
  writer.varint(exceptions.length);
  let next = 0;
  for (const { position, form, remainder } of exceptions) {
    writer.varint((position - next) * formCount + form);
    if (form === fullForm) writer.float64(remainder);
    else writer.wideZigzag(remainder);
    next = position + 1;
  }
}

/** Updates `values[indexes[position]]`, which hold the steps. */
export function readExceptions(
  reader: ByteReader,
  values: Float64Array,
  indexes: Uint8Array,
  count: number,
  scales: Uint8Array,
): void {
  let position = 0;
  for (let left = reader.varint(); left > 0; left--) {
    const code = reader.varint();
    const form = code % formCount;
    position += (code - form) / formCount;
    if (position >= count) throw new UnreadableData('a packed day has an exception for a metric that is not present');
    const index = indexes[position] ?? 0;
    const value = readException(reader, form, values[index] ?? 0, scales[index] ?? 0);
    if (!Number.isFinite(value)) throw new UnreadableData('a packed day holds a value that is not a number');
    values[index] = value;
    position++;
  }
}

function readException(reader: ByteReader, form: number, step: number, scale: number): number {
  if (form === fullForm) return reader.float64();
  const remainder = reader.wideZigzag();
  if (form === ulpsForm) return step + remainder * computeUlp(step);
  if (form <= scale) throw new UnreadableData('a packed day has an exception with too few decimals');
  return (stepMantissa(step, scale, form) + remainder) / (powersOfTen[form] ?? 1);
}
