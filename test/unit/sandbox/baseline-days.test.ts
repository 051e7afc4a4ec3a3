import { expect, test } from 'vitest';
import { minUnseededDays } from '../../../shared/catalog/sandbox.ts';
import { reachDays } from '../../../shared/scores/day-scores.ts';

test('a sandbox user needs no seeded baseline when its days reach as far back as scores do', () => {
  expect(minUnseededDays).toBe(reachDays);
});
