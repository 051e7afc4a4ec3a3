// Ten of the hundred scenarios of the deep tests that together cover every edge case, method and
// event.
export const selectedSeeds = [
  20_250_333, 20_250_356, 20_250_373, 20_250_380, 20_250_384, 20_250_387, 20_250_400, 20_250_402, 20_250_416,
  20_250_425,
];
