// Whether what was shown is what we know, in a time that says nothing of how much of it was right.
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Nothing is never the right secret: a deployment that was given none lets nobody in. */
export function secretsEqual(actual: string | undefined, expected: string | undefined): boolean {
  if (!actual || !expected) return false;
  return timingSafeEqual(digest(actual), digest(expected));
}
