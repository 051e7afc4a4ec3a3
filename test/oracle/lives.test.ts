import { chosenLives } from './chosen-lives.ts';
import { testLives } from './test-lives.ts';

testLives(chosenLives);
