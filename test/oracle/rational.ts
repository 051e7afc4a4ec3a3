// Exact fractions on BigInt, parsed from the decimal text of a JSON number and rounded once, half
// away from zero.

export interface Rational {
  /** Carries the sign. */
  readonly numerator: bigint;
  /** Always positive, and coprime to `numerator`. */
  readonly denominator: bigint;
}

export function ratio(top: bigint | number, bottom: bigint | number = 1n): Rational {
  const [over, under] = [BigInt(top), BigInt(bottom)];
  if (under === 0n) throw new Error(`${over} over nothing`);
  const shared = greatestCommonDivisor(over < 0n ? -over : over, under < 0n ? -under : under);
  const sign = under < 0n ? -1n : 1n;
  return { numerator: (sign * over) / shared, denominator: (sign * under) / shared };
}

export const zero = ratio(0);

/** `-12.5`, `0.02`, `1e-7` */
export function fromText(text: string): Rational {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (!parts) throw new Error(`${text} is not a number`);
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] = parts;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const power = Number(exponent) - fraction.length;
  return power >= 0 ? ratio(digits * 10n ** BigInt(power)) : ratio(digits, 10n ** BigInt(-power));
}

/** The decimal that JSON shows for the number, not the underlying binary fraction. */
export const fromNumber = (value: number): Rational => fromText(JSON.stringify(value));

export const add = (a: Rational, b: Rational): Rational =>
  a.denominator === b.denominator
    ? ratio(a.numerator + b.numerator, a.denominator)
    : ratio(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
export const negate = (a: Rational): Rational => ({ numerator: -a.numerator, denominator: a.denominator });
export const subtract = (a: Rational, b: Rational): Rational => add(a, negate(b));
export const multiply = (a: Rational, b: Rational): Rational =>
  ratio(a.numerator * b.numerator, a.denominator * b.denominator);
export const divide = (a: Rational, b: Rational): Rational =>
  ratio(a.numerator * b.denominator, a.denominator * b.numerator);
export const absolute = (a: Rational): Rational => (a.numerator < 0n ? negate(a) : a);

/** Negative if `a` is less than `b`. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
export const isZero = (a: Rational): boolean => a.numerator === 0n;
export const isPositive = (a: Rational): boolean => a.numerator > 0n;
export const maxOf = (a: Rational, b: Rational): Rational => (compare(a, b) >= 0 ? a : b);
export const minOf = (a: Rational, b: Rational): Rational => (compare(a, b) <= 0 ? a : b);

export function sum(values: Iterable<Rational>): Rational {
  let all = zero;
  for (const value of values) all = add(all, value);
  return all;
}

export const mean = (values: readonly Rational[]): Rational => divide(sum(values), ratio(values.length));

/** The decimal text, rounded half away from zero. */
export function decimalText(value: Rational, decimals: number): string {
  const scaled = absolute(value).numerator * 10n ** BigInt(decimals);
  const units = (2n * scaled + value.denominator) / (2n * value.denominator);
  const digits = units.toString().padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  const sign = value.numerator < 0n && units !== 0n ? '-' : '';
  return sign + (decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`);
}

export const round = (value: Rational, decimals: number): number => Number(decimalText(value, decimals));

/** The nearest floating-point number, or one adjacent to it. */
export function toNumber(value: Rational): number {
  if (isZero(value)) return 0;
  const size = value.numerator.toString().length - value.denominator.toString().length;
  return Number(decimalText(value, Math.max(0, 25 - size)));
}

/** The number of decimals, or null if they repeat. */
export function decimalPlaces({ denominator: bottom }: Rational): number | null {
  let [rest, powersOfTwo, powersOfFive] = [bottom, 0, 0];
  for (; rest % 2n === 0n; rest /= 2n) powersOfTwo += 1;
  for (; rest % 5n === 0n; rest /= 5n) powersOfFive += 1;
  return rest === 1n ? Math.max(powersOfTwo, powersOfFive) : null;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [more, less] = [a, b];
  while (less !== 0n) [more, less] = [less, more % less];
  return more;
}
