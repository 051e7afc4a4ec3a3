// Doubles as short decimals: a whole mantissa over a power of ten, where that gives back exactly the double.
import { type ByteReader, type ByteWriter, encodeWideZigzag } from '../../platform/bytes.ts';

export const maxDecimals = 15;
/** Stands where the decimals would, for a number that no short decimal gives back. */
export const float64Form = maxDecimals + 1;
/** How many forms there are: any number of decimals, or a double. */
export const numberFormCount = float64Form + 1;
const float64Bytes = 8;

/** Spelled out because `**` may be a unit off in the last place. */
export const powersOfTen = Float64Array.from({ length: maxDecimals + 1 }, (_, decimals) => Number(`1e${decimals}`));

/** Below it a mantissa and its zig-zag are exact. */
const mantissaBound = 2 ** 52;

/** NaN when that many decimals do not give back the value; -0 has no mantissa. */
export function computeMantissa(value: number, decimals: number): number {
  const power = powersOfTen[decimals] ?? 1;
  const mantissa = Math.round(value * power) + 0;
  return Object.is(mantissa / power, value) && mantissa < mantissaBound && mantissa > -mantissaBound
    ? mantissa
    : Number.NaN;
}

/** The fewest decimals that give back the value, from `minDecimals` on. */
export function findShortestDecimals(value: number, minDecimals = 0): number {
  for (let decimals = minDecimals; decimals <= maxDecimals; decimals++) {
    if (!Number.isNaN(computeMantissa(value, decimals))) return decimals;
  }
  return float64Form;
}

/** At most eight, which all that can be written fits. */
export function countWideVarintBytes(value: number): number {
  let bytes = 1;
  for (let bound = 128; value >= bound && bytes < 8; bound *= 128) bytes++;
  return bytes;
}

/** The shortest way to write one number by itself. */
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
