import { halfOfLives, testLives } from './test-lives.ts';

testLives(halfOfLives(0));
