import { firstSeed, seedsFrom, testLives } from './test-lives.ts';

testLives(seedsFrom(firstSeed, 10));
