// Sums, means and rounding of decimal values stored as doubles, without visible floating-point
// noise.

/**
 * Removes the error of computations with doubles: 14 significant digits survive any sum of values
 * with 15.
 */
export const removeFloatNoise = (value: number): number => Number(value.toPrecision(14));

/**
 * Rounds a sum whose parts were rounded to 12 digits of their total: 10 of its digits are reliable.
 */
export const removeSumNoise = (value: number): number => Number(value.toPrecision(10));

/**
 * Sums one or more values, in any order. It accumulates the rounding error of each addition
 * separately.
 */
export function sumOf(values: Iterable<number>): number {
  let sum = 0;
  let compensation = 0;
  for (const value of values) {
    const next = sum + value;
    compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return removeFloatNoise(sum + compensation);
}

/** Requires at least one value. */
export function meanOf(values: readonly number[]): number {
  return removeFloatNoise(sumOf(values) / values.length);
}

/**
 * The largest error, as a share of the total, of a sum of some hundred values that were each
 * rounded to 12 digits of that total.
 */
const noiseOfTotal = 1e-10;
const digitsOfTotal = 12;
const digitsOfValue = 10;
const maxDecimals = 15;

/**
 * Restores a part of a total as its source wrote it: the shortest decimal within the noise, if the
 * next candidate is a hundred times farther away. Otherwise, as for a share by time with endless
 * digits, it returns the reliable digits.
 */
export function restoreDecimal(part: number, total: number): number {
  const noise = Math.abs(total) * noiseOfTotal;
  for (let decimals = 0; 10 ** -decimals >= 100 * noise && decimals <= maxDecimals; decimals++) {
    const rounded = roundTo(decimals, part);
    if (Math.abs(rounded - part) <= noise) return rounded;
  }
  const decimalsFor = (value: number, digits: number): number =>
    value === 0 ? maxDecimals : digits - Math.ceil(Math.log10(Math.abs(value)));
  // Even a tiny part of a large total keeps 10 significant digits of its own.
  const decimals = Math.max(decimalsFor(total, digitsOfTotal), decimalsFor(part, digitsOfValue));
  return roundTo(Math.min(Math.max(decimals, 0), maxDecimals), part);
}

/** Below this, a product with a power of ten has an error far smaller than `nearHalf`. */
const exactBelow = 1e9;
const nearHalf = 1e-6;

/**
 * Rounds the decimal value half away from zero: 1.005 becomes 1.01 although its double is slightly
 * smaller, and 1.00499 becomes 1.
 */
export function roundTo(decimals: number, value: number): number {
  const size = Math.abs(value);
  if (!(size < 1e15)) return value;
  const power = 10 ** decimals;
  const scaled = size * power;
  const whole = Math.floor(scaled);
  const rest = scaled - whole;
  const isExact = scaled < exactBelow && Math.abs(rest - 0.5) > nearHalf;
  const rounded = isExact ? (whole + (rest > 0.5 ? 1 : 0)) / power : roundAsText(decimals, size);
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

/** Rounds by the digits of the value's decimal notation. */
function roundAsText(decimals: number, size: number): number {
  const [whole = '0', fraction = ''] = toPlainDigits(size).split('.');
  if (fraction.length <= decimals) return size;
  const keptDigits = BigInt(whole + fraction.slice(0, decimals));
  const up = fraction.charAt(decimals) >= '5' ? 1n : 0n;
  return Number(`${keptDigits + up}e-${decimals}`);
}

/** Small numbers are written with an exponent; this writes out the zeros. */
function toPlainDigits(size: number): string {
  const text = String(size);
  const [digits = '', exponent] = text.split('e-');
  if (exponent === undefined) return text;
  return `0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`;
}
