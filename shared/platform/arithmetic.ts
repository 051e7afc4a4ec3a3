// Sums, means and rounding of decimal values that are held in doubles: what binary fractions cannot say exactly never shows.

/** A computed value without what its doubles got wrong: fourteen significant digits survive any sum of values that have fifteen. */
export const removeFloatNoise = (value: number): number => Number(value.toPrecision(14));

/** Rounds a sum whose parts were rounded to twelve digits of their total: ten digits of it are reliable. */
export const removeSumNoise = (value: number): number => Number(value.toPrecision(10));

/** Of at least one value; the order does not matter. What each addition loses is added up beside the sum. */
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

/** Of at least one value. */
export function meanOf(values: readonly number[]): number {
  return removeFloatNoise(sumOf(values) / values.length);
}

/**
 * Sums of some hundred values that were each rounded to twelve digits of their total are off by no
 * more of it.
 */
const noiseOfTotal = 1e-10;
const digitsOfTotal = 12;
const digitsOfValue = 10;
const maxDecimals = 15;

/**
 * A part of a total as it was written by those who wrote its parts: the decimal of fewest digits
 * that noise alone keeps it from, where one is that near and the next one is a hundred times
 * farther; else (a share by time has digits without end) the digits that are surely its own.
 */
export function restoreDecimal(part: number, total: number): number {
  const noise = Math.abs(total) * noiseOfTotal;
  for (let decimals = 0; 10 ** -decimals >= 100 * noise && decimals <= maxDecimals; decimals++) {
    const rounded = roundTo(decimals, part);
    if (Math.abs(rounded - part) <= noise) return rounded;
  }
  const decimalsFor = (value: number, digits: number): number =>
    value === 0 ? maxDecimals : digits - Math.ceil(Math.log10(Math.abs(value)));
  // Even a tiny part of a large total keeps ten significant digits of its own.
  const decimals = Math.max(decimalsFor(total, digitsOfTotal), decimalsFor(part, digitsOfValue));
  return roundTo(Math.min(Math.max(decimals, 0), maxDecimals), part);
}

/** Below it a product with a power of ten is off by far less than `nearHalf`. */
const exactBelow = 1e9;
const nearHalf = 1e-6;

/** Half away from zero, on the decimal value: 1.005 becomes 1.01 although its double lies a hair below, and 1.00499 becomes 1. */
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

/** By the digits that the value is written with. */
function roundAsText(decimals: number, size: number): number {
  const [whole = '0', fraction = ''] = toPlainDigits(size).split('.');
  if (fraction.length <= decimals) return size;
  const keptDigits = BigInt(whole + fraction.slice(0, decimals));
  const up = fraction.charAt(decimals) >= '5' ? 1n : 0n;
  return Number(`${keptDigits + up}e-${decimals}`);
}

/** Small numbers are written with an exponent, which only hides zeros. */
function toPlainDigits(size: number): string {
  const text = String(size);
  const [digits = '', exponent] = text.split('e-');
  if (exponent === undefined) return text;
  return `0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`;
}
