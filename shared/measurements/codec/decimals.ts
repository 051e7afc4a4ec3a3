// Doubles as short decimals: a whole mantissa over a power of ten, where that gives back exactly the double.
import { type ByteReader, type ByteWriter, wideZigzagOf } from '../../platform/bytes.ts';

export const finestDecimals = 15;
/** Stands where the decimals would, for a number that no short decimal gives back. */
export const asFloat64 = finestDecimals + 1;
/** How many forms there are: any number of decimals, or a double. */
export const numberForms = asFloat64 + 1;
const float64Bytes = 8;

/** Spelled out because `**` may be a unit off in the last place. */
export const tenTo = Float64Array.from({ length: finestDecimals + 1 }, (_, decimals) => Number(`1e${decimals}`));

/** Below it a mantissa and its zig-zag are exact. */
const mantissaBound = 2 ** 52;

/** NaN when that many decimals do not give back the value; -0 has no mantissa. */
export function mantissaOf(value: number, decimals: number): number {
  const power = tenTo[decimals] ?? 1;
  const mantissa = Math.round(value * power) + 0;
  return Object.is(mantissa / power, value) && mantissa < mantissaBound && mantissa > -mantissaBound
    ? mantissa
    : Number.NaN;
}

/** The fewest decimals that give back the value, from `least` on. */
export function shortestDecimals(value: number, least = 0): number {
  for (let decimals = least; decimals <= finestDecimals; decimals++) {
    if (!Number.isNaN(mantissaOf(value, decimals))) return decimals;
  }
  return asFloat64;
}

/** At most eight, which all that can be written fits. */
export function wideVarintBytes(value: number): number {
  let bytes = 1;
  for (let bound = 128; value >= bound && bytes < 8; bound *= 128) bytes++;
  return bytes;
}

/** The shortest way to write one number by itself. */
export function numberForm(value: number): number {
  const decimals = shortestDecimals(value);
  if (decimals === asFloat64) return asFloat64;
  return wideVarintBytes(wideZigzagOf(mantissaOf(value, decimals))) < float64Bytes ? decimals : asFloat64;
}

export function writeNumber(writer: ByteWriter, form: number, value: number): void {
  if (form === asFloat64) writer.float64(value);
  else writer.wideZigzag(mantissaOf(value, form));
}

export function readNumber(reader: ByteReader, form: number): number {
  return form === asFloat64 ? reader.float64() : reader.wideZigzag() / (tenTo[form] ?? 1);
}
