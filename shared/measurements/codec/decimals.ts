// Encodes doubles as short decimals, an integer mantissa over a power of ten, where that reproduces
// the double exactly.
import { type ByteReader, type ByteWriter, encodeWideZigzag } from '../../platform/bytes.ts';

export const maxDecimals = 15;
/** Takes the place of the number of decimals for a number that no short decimal reproduces. */
export const float64Form = maxDecimals + 1;
/** The number of forms: one for each number of decimals, and the double. */
export const numberFormCount = float64Form + 1;
const float64Bytes = 8;

/** Parsed from text because `**` may be off by one unit in the last place. */
export const powersOfTen = Float64Array.from({ length: maxDecimals + 1 }, (_, decimals) => Number(`1e${decimals}`));

/** Mantissas below this bound, and their zigzag encodings, are exact. */
const mantissaBound = 2 ** 52;

/** Returns NaN when that number of decimals does not reproduce the value; -0 has no mantissa. */
export function computeMantissa(value: number, decimals: number): number {
  const power = powersOfTen[decimals] ?? 1;
  const mantissa = Math.round(value * power) + 0;
  return Object.is(mantissa / power, value) && mantissa < mantissaBound && mantissa > -mantissaBound
    ? mantissa
    : Number.NaN;
}

/** Returns the smallest number of decimals, from `minDecimals` up, that reproduces the value. */
export function findShortestDecimals(value: number, minDecimals = 0): number {
  for (let decimals = minDecimals; decimals <= maxDecimals; decimals++) {
    if (!Number.isNaN(computeMantissa(value, decimals))) return decimals;
  }
  return float64Form;
}

/** At most eight bytes, which fit every value that can be encoded. */
export function countWideVarintBytes(value: number): number {
  let bytes = 1;
  for (let bound = 128; value >= bound && bytes < 8; bound *= 128) bytes++;
  return bytes;
}

/** Returns the shortest form for a single number. */
export function chooseNumberForm(value: number): number {
  const decimals = findShortestDecimals(value);
  if (decimals === float64Form) return float64Form;
  return countWideVarintBytes(encodeWideZigzag(computeMantissa(value, decimals))) < float64Bytes
    ? decimals
    : float64Form;
}

export function writeNumber(writer: ByteWriter, form: number, value: number): void {
  if (form === float64Form) writer.float64(value);
  else writer.wideZigzag(computeMantissa(value, form));
}

export function readNumber(reader: ByteReader, form: number): number {
  return form === float64Form ? reader.float64() : reader.wideZigzag() / (powersOfTen[form] ?? 1);
}
