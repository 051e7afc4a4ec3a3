// Ten of the hundred scenarios of the deep tests that together cover every edge case, method and
// event. select-seeds.ts writes this file.
export const selectedSeeds = [
  20_250_332, 20_250_341, 20_250_343, 20_250_351, 20_250_363, 20_250_364, 20_250_375, 20_250_385, 20_250_414,
  20_250_427,
];
