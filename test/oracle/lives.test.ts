import { testLives } from './test-lives.ts';

/**
 * Of the hundred that the deep tests live, ten in which every scene, method and happening is met.
 */
testLives([
  20_250_349, 20_250_371, 20_250_375, 20_250_383, 20_250_384, 20_250_393, 20_250_394, 20_250_399, 20_250_413,
  20_250_428,
]);
