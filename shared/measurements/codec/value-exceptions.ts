// The values of a block that lie between two steps of their metric's fixed point. Their places in the block hold the nearest step, and each
// is told as what is left from there, or in full beside a zero:
//   how many, then for each: places since the one before and form in one varint; decimals: the rest as a mantissa of that many decimals;
//   ulps: the rest in units of the step's last binary place; else the value as a float64
import { type ByteReader, type ByteWriter, UnreadableDay, wideZigzagOf } from '../../platform/bytes.ts';
import { finestDecimals, mantissaOf, shortestDecimals, tenTo, wideVarintBytes } from './decimals.ts';

const inUlps = finestDecimals + 1;
const inFull = inUlps + 1;
const forms = inFull + 1;
const float64Bytes = 8;
const exactBound = 2 ** 52;

const view = new DataView(new ArrayBuffer(8));
const mantissaBits = 52;

/** The distance from a double to the next one away from zero; NaN for those next to zero, which nothing is told from. */
function ulpOf(value: number): number {
  view.setFloat64(0, value);
  const exponent = (view.getUint16(0) >>> 4) & 0x7ff;
  if (exponent <= mantissaBits) return Number.NaN;
  view.setUint32(0, (exponent - mantissaBits) << 20);
  view.setUint32(4, 0);
  return view.getFloat64(0);
}

const isExact = (whole: number): boolean => Number.isInteger(whole) && Math.abs(whole) < exactBound;

/** What `decimals` add to the nearest step of a fixed point of `scale` decimals. */
const stepMantissa = (step: number, scale: number, decimals: number): number =>
  Math.round(step * (tenTo[scale] ?? 1)) * (tenTo[decimals - scale] ?? 1);

export interface ValueException {
  place: number;
  form: number;
  rest: number;
}

/** In the shortest form; `step` is what the fixed point gives at this place, NaN when it gives nothing near. */
export function valueException(place: number, value: number, step: number, scale: number): ValueException {
  let form = inFull;
  let rest = value;
  let bytes = float64Bytes;
  const decimals = shortestDecimals(value, scale + 1);
  if (decimals <= finestDecimals) {
    const left = mantissaOf(value, decimals) - stepMantissa(step, scale, decimals);
    if (isExact(left) && wideVarintBytes(wideZigzagOf(left)) < bytes) {
      form = decimals;
      rest = left;
      bytes = wideVarintBytes(wideZigzagOf(left));
    }
  }
  const ulp = ulpOf(step);
  const ulps = (value - step) / ulp;
  if (isExact(ulps) && Object.is(step + ulps * ulp, value) && wideVarintBytes(wideZigzagOf(ulps)) < bytes)
    return { place, form: inUlps, rest: ulps };
  return { place, form, rest };
}

/** Whether it is told from the step at its place. */
export const needsStep = ({ form }: ValueException): boolean => form !== inFull;

/** By place. */
export function writeExceptions(writer: ByteWriter, exceptions: readonly ValueException[]): void {
  writer.varint(exceptions.length);
  let next = 0;
  for (const { place, form, rest } of exceptions) {
    writer.varint((place - next) * forms + form);
    if (form === inFull) writer.float64(rest);
    else writer.wideZigzag(rest);
    next = place + 1;
  }
}

/** Into `values[indexes[place]]`, which hold the steps. */
export function readExceptions(
  reader: ByteReader,
  values: Float64Array,
  indexes: Uint8Array,
  count: number,
  scales: Uint8Array,
): void {
  let place = 0;
  for (let left = reader.varint(); left > 0; left--) {
    const code = reader.varint();
    const form = code % forms;
    place += (code - form) / forms;
    if (place >= count) throw new UnreadableDay('a packed day holds a long value for a metric that is not present');
    const index = indexes[place] ?? 0;
    const value = readException(reader, form, values[index] ?? 0, scales[index] ?? 0);
    if (!Number.isFinite(value)) throw new UnreadableDay('a packed day holds a value that is not a number');
    values[index] = value;
    place++;
  }
}

function readException(reader: ByteReader, form: number, step: number, scale: number): number {
  if (form === inFull) return reader.float64();
  const rest = reader.wideZigzag();
  if (form === inUlps) return step + rest * ulpOf(step);
  if (form <= scale) throw new UnreadableDay('a packed day has a long value with too few decimals');
  return (stepMantissa(step, scale, form) + rest) / (tenTo[form] ?? 1);
}
