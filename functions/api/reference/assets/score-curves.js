// The arithmetic of the examples: points from measurements, and a score from points. The figures
// come from the formulas themselves.

/** Linear interpolation between anchors, constant before the first anchor and after the last. */
export function along(anchors, x) {
  let [beforeAt, beforePoints] = anchors[0];
  if (x <= beforeAt) return beforePoints;
  for (const [at, points] of anchors) {
    if (x <= at)
      return at === beforeAt ? points : beforePoints + ((points - beforePoints) * (x - beforeAt)) / (at - beforeAt);
    [beforeAt, beforePoints] = [at, points];
  }
  return beforePoints;
}

export const logistic = ({ steepness }, z, centre) => 100 / (1 + Math.exp(-steepness * (z - centre)));

export const loadPoints = (ratio) => (100 * ratio ** 2) / (1 + ratio ** 2);

/** How far a value is from the mean of `days` days with a standard deviation of `deviation`. */
export function standardScore({ baseline: { priorDays } }, value, { mean, deviation, days }, { prior, min }) {
  const variance = (priorDays * prior ** 2 + (days - 1) * deviation ** 2) / (days + priorDays - 1);
  return (value - mean) / (Math.max(min, Math.sqrt(variance)) * Math.sqrt(1 + 1 / days));
}

/**
 * `evidence` has points for every factor that has data. The weights of the other factors are
 * distributed in proportion.
 */
export function weightedScore(figures, id, evidence, weights = {}) {
  const { factors, bounds } = figures.scores[id];
  const present = factors
    .filter(({ name }) => evidence[name])
    .map(({ name, weight }) => ({
      ...evidence[name],
      name,
      usualWeight: weight,
      weight: weights[name] ?? weight,
      points: Math.min(100, Math.max(0, evidence[name].points)),
    }));
  const whole = present.reduce((sum, { weight }) => sum + weight, 0);
  const shares = present.map(({ weight, points }) => (weight * points) / whole);
  const value = Math.round(shares.reduce((sum, share) => sum + share, 0));
  const contributions = inWholeNumbers(shares, value);
  return {
    value,
    confidence: confidenceIn(figures, present),
    factors: present.map(({ usualWeight: _, weight, ...factor }, at) => ({
      ...factor,
      weight: (100 * weight) / whole,
      contribution: contributions[at],
      direction: directionOf(bounds, factor.points),
    })),
  };
}

function inWholeNumbers(shares, total) {
  const floors = shares.map(Math.floor);
  const missing = total - floors.reduce((sum, floor) => sum + floor, 0);
  const byRemainder = shares
    .map((share, at) => ({ at, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.at - b.at);
  const raised = new Set(byRemainder.slice(0, missing).map(({ at }) => at));
  return floors.map((floor, at) => floor + (raised.has(at) ? 1 : 0));
}

const directionOf = ({ minPositive, maxNegative }, points) =>
  points >= minPositive ? 'positive' : points <= maxNegative ? 'negative' : 'neutral';

function confidenceIn({ confidence: { high, medium } }, present) {
  const reaches = ({ weight, days: needed }) =>
    present
      .filter(({ days }) => days === undefined || days >= needed)
      .reduce((sum, { usualWeight }) => sum + usualWeight, 0) >= weight;
  return reaches(high) ? 'high' : reaches(medium) ? 'medium' : 'low';
}
