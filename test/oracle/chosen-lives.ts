// Of the hundred lives that the deep tests live, ten in which every scene, method and happening is met.
export const chosenLives = [
  20_250_333, 20_250_345, 20_250_361, 20_250_366, 20_250_368, 20_250_381, 20_250_387, 20_250_402, 20_250_422,
  20_250_426,
];
