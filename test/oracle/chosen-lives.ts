// Of the hundred lives that the deep tests live, ten in which every scene, method and happening is met.
export const chosenLives = [
  20_250_334, 20_250_355, 20_250_357, 20_250_372, 20_250_381, 20_250_384, 20_250_388, 20_250_394, 20_250_417,
  20_250_427,
];
