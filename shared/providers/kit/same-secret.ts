// Whether what was shown is what we know, in a time that says nothing of how much of it was right.
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Nothing is never the right secret: a deployment that was given none lets nobody in. */
export function sameSecret(shown: string | undefined, known: string | undefined): boolean {
  if (!shown || !known) return false;
  return timingSafeEqual(digest(shown), digest(known));
}
