// Exact fractions over BigInt, read from the decimal text of a JSON number and rounded once, half away from zero.

export interface Rational {
  /** Carries the sign. */
  readonly top: bigint;
  /** Always positive, and without a common factor with `top`. */
  readonly bottom: bigint;
}

export function ratio(top: bigint | number, bottom: bigint | number = 1n): Rational {
  const [over, under] = [BigInt(top), BigInt(bottom)];
  if (under === 0n) throw new Error(`${over} over nothing`);
  const shared = greatestCommon(over < 0n ? -over : over, under < 0n ? -under : under);
  const sign = under < 0n ? -1n : 1n;
  return { top: (sign * over) / shared, bottom: (sign * under) / shared };
}

export const zero = ratio(0);

/** `-12.5`, `0.02`, `1e-7` */
export function fromText(text: string): Rational {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!parts) throw new Error(`${text} is no number`);
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = parts;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const power = Number(exponent) - fraction.length;
  return power >= 0 ? ratio(digits * 10n ** BigInt(power)) : ratio(digits, 10n ** BigInt(-power));
}

/** The decimal that JSON shows for it, not the binary fraction behind it. */
export const fromNumber = (value: number): Rational => fromText(JSON.stringify(value));

export const add = (a: Rational, b: Rational): Rational =>
  a.bottom === b.bottom
    ? ratio(a.top + b.top, a.bottom)
    : ratio(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
export const negate = (a: Rational): Rational => ({ top: -a.top, bottom: a.bottom });
export const subtract = (a: Rational, b: Rational): Rational => add(a, negate(b));
export const multiply = (a: Rational, b: Rational): Rational => ratio(a.top * b.top, a.bottom * b.bottom);
export const divide = (a: Rational, b: Rational): Rational => ratio(a.top * b.bottom, a.bottom * b.top);
export const magnitude = (a: Rational): Rational => (a.top < 0n ? negate(a) : a);

/** Below zero when `a` is less than `b`. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.top * b.bottom - b.top * a.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
export const isZero = (a: Rational): boolean => a.top === 0n;
export const isPositive = (a: Rational): boolean => a.top > 0n;
export const larger = (a: Rational, b: Rational): Rational => (compare(a, b) >= 0 ? a : b);
export const smaller = (a: Rational, b: Rational): Rational => (compare(a, b) <= 0 ? a : b);

export function sum(values: Iterable<Rational>): Rational {
  let all = zero;
  for (const value of values) all = add(all, value);
  return all;
}

export const mean = (values: readonly Rational[]): Rational => divide(sum(values), ratio(values.length));

/** The decimal text, half away from zero. */
export function decimalText(value: Rational, decimals: number): string {
  const scaled = magnitude(value).top * 10n ** BigInt(decimals);
  const units = (2n * scaled + value.bottom) / (2n * value.bottom);
  const digits = units.toString().padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  const sign = value.top < 0n && units !== 0n ? '-' : '';
  return sign + (decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`);
}

export const rounded = (value: Rational, decimals: number): number => Number(decimalText(value, decimals));

/** The nearest floating-point number, or the one beside it. */
export function approximately(value: Rational): number {
  if (isZero(value)) return 0;
  const size = value.top.toString().length - value.bottom.toString().length;
  return Number(decimalText(value, Math.max(0, 25 - size)));
}

/** How many decimals it is written with; null when they have no end. */
export function decimalPlaces({ bottom }: Rational): number | null {
  let [rest, twos, fives] = [bottom, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  return rest === 1n ? Math.max(twos, fives) : null;
}

function greatestCommon(a: bigint, b: bigint): bigint {
  let [more, less] = [a, b];
  while (less !== 0n) [more, less] = [less, more % less];
  return more;
}
