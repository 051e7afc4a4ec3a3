// Ten of the hundred scenarios of the deep tests that together cover every edge case, method and
// event. select-seeds.ts writes this file.
export const selectedSeeds = [
  20_250_334, 20_250_342, 20_250_343, 20_250_374, 20_250_375, 20_250_380, 20_250_385, 20_250_391, 20_250_423,
  20_250_428,
];
