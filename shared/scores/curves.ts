// The curves that convert a measure into points from 0 to 100.

export type Anchors = readonly (readonly [at: number, points: number])[];

/** Interpolates linearly between anchors; constant before the first and after the last. */
export function interpolate(anchors: Anchors, x: number): number {
  let [beforeAt, beforePoints] = anchors[0] ?? [0, 0];
  if (x <= beforeAt) return beforePoints;
  for (const [at, points] of anchors) {
    if (x <= at)
      return at === beforeAt ? points : beforePoints + ((points - beforePoints) * (x - beforeAt)) / (at - beforeAt);
    [beforeAt, beforePoints] = [at, points];
  }
  return beforePoints;
}

/** The steepness at which a logistic curve approximates the normal distribution. */
export const steepness = 1.7;

/** Returns 50 at the centre and rises with the standard score. */
export const logistic = (standardScore: number, centre: number): number =>
  100 / (1 + Math.exp(-steepness * (standardScore - centre)));

/** Returns 0 at rest, 50 for the usual load, 80 for twice the usual load, and never quite 100. */
export const loadPoints = (ratio: number): number => (100 * ratio ** 2) / (1 + ratio ** 2);
