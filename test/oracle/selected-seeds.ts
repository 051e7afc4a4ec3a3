// Ten of the hundred scenarios of the deep tests that together cover every edge case, method and
// event. select-seeds.ts writes this file.
export const selectedSeeds = [
  20_250_361, 20_250_363, 20_250_367, 20_250_374, 20_250_375, 20_250_380, 20_250_381, 20_250_396, 20_250_427,
  20_250_429,
];
