// Random bytes that are the same in every run.
import { createHash } from 'node:crypto';
import type { Random } from '../../shared/platform/ports.ts';

export function seededRandom(seed: string): Random {
  let draws = 0;
  return { bytes: (count) => createHash('shake128', { outputLength: count }).update(`${seed} ${draws++}`).digest() };
}
