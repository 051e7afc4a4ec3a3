// Compares a response with the expected value: equal where the rules are exact, within a tolerance
// where they allow one.
import {
  absolute,
  add,
  compare,
  decimalPlaces,
  decimalText,
  fromNumber,
  isZero,
  multiply,
  type Rational,
  ratio,
  round,
  subtract,
} from './rational.ts';

export interface Mismatch {
  where: string;
  got: unknown;
  expected: unknown;
}

/** For a number that was rounded on output. The tolerance is in the number's own unit. */
export function fits(got: number, value: Rational, tolerance: Rational, precision: number): boolean {
  if (isZero(tolerance)) return got === round(value, precision);
  const halfUnit = ratio(1, 2n * 10n ** BigInt(precision));
  return compare(absolute(subtract(fromNumber(got), value)), add(tolerance, halfUnit)) <= 0;
}

const ninthDigit = ratio(5, 1_000_000_000);

/** For a number that was not rounded, which must be accurate to nine significant digits. */
export function fitsUnrounded(got: number, value: Rational, tolerance: Rational): boolean {
  const allowed = add(tolerance, multiply(ninthDigit, absolute(value)));
  return compare(absolute(subtract(fromNumber(got), value)), allowed) <= 0;
}

/** A share may be inaccurate beyond this many digits of the device's total. */
const exactDigits = 8;

/**
 * Like `fitsUnrounded`, for values reported as decimals: a decimal with few digits must be returned
 * exactly.
 */
export function fitsWritten(got: number, value: Rational, tolerance: Rational, deviceTotal: Rational): boolean {
  if (!fitsUnrounded(got, value, tolerance)) return false;
  const decimals = isZero(tolerance) ? decimalPlaces(value) : null;
  if (
    decimals === null ||
    compare(absolute(deviceTotal), ratio(10n ** BigInt(exactDigits), 10n ** BigInt(decimals))) >= 0
  )
    return true;
  return got === round(value, decimals);
}

export function formatExpected(value: Rational | null, tolerance: Rational, precision: number): string {
  if (value === null) return isZero(tolerance) ? 'null' : `null or up to ${decimalText(tolerance, precision + 3)}`;
  const exactly = `${decimalText(value, precision)} (exactly ${decimalText(value, precision + 6)})`;
  return isZero(tolerance) ? exactly : `${exactly} ± ${decimalText(tolerance, precision + 3)}`;
}

/** Compares field by field, so that the message names the first difference. */
export function differences(where: string, got: Record<string, unknown>, expected: object): Mismatch[] {
  return Object.entries(expected).flatMap(([field, value]) =>
    JSON.stringify(got[field]) === JSON.stringify(value)
      ? []
      : [{ where: `${where}.${field}`, got: got[field], expected: value }],
  );
}
