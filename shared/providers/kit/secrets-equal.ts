// Compares a presented secret with the expected one in constant time.
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A missing secret never matches: a deployment without one accepts nothing. */
export function secretsEqual(actual: string | undefined, expected: string | undefined): boolean {
  if (!actual || !expected) return false;
  return timingSafeEqual(digest(actual), digest(expected));
}
