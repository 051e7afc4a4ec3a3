// Deterministic random numbers, which depend only on the seeds.

export interface SeededRandom {
  /** At least 0 and less than 1. */
  next(): number;
  uniform(low: number, high: number): number;
  /** Within 2.5 standard deviations of the mean. */
  normal(mean: number, deviation: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

export function createSeededRandom(...seeds: readonly (string | number)[]): SeededRandom {
  let state = hashText(seeds.join('\n'));
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let bits = state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  };
  const normal = (mean: number, deviation: number): number => {
    const sum = next() + next() + next() + next();
    const standard = (sum - 2) * Math.sqrt(3);
    return mean + deviation * Math.min(2.5, Math.max(-2.5, standard));
  };
  return {
    next,
    uniform: (low, high) => low + (high - low) * next(),
    normal,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[Math.floor(next() * choices.length)] ?? choices[0],
  };
}

/** A 32-bit hash that depends on every character of the text. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
