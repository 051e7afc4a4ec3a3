// The seeds of the hundred scenarios that the deep tests run by default.
export const firstSeed = 20_250_330;
export const scenarioCount = 100;

export const listSeeds = (first = firstSeed, count = scenarioCount): number[] =>
  Array.from({ length: count }, (_none, at) => first + at);
