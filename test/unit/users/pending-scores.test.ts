import { expect, test } from 'vitest';
import { findScoresDueMs, noPendingScores, PendingScores } from '../../../shared/users/pending-scores.ts';

const days = (dueMs: number) => ({ from: '2026-03-10', to: '2026-03-11', dueMs, atOnce: false });
const earlier = (dueMs: number) => ({ from: '2026-03-10', dueMs });

test('without days that wait, nothing is due, even if scores are still to be published', () => {
  expect(findScoresDueMs(noPendingScores)).toBeUndefined();
  const unannounced = { scores: ['strain_score'], from: '2026-03-10', to: '2026-03-10' };
  expect(findScoresDueMs({ ...noPendingScores, unannounced })).toBeUndefined();
});

test('a user is due with the first waiting item, either days or rows of previous formulas', () => {
  expect(findScoresDueMs({ ...noPendingScores, days: [days(7), days(5), days(9)] })).toBe(5);
  expect(findScoresDueMs({ ...noPendingScores, previousFormulas: earlier(8) })).toBe(8);
  expect(findScoresDueMs({ ...noPendingScores, days: [days(7)], previousFormulas: earlier(8) })).toBe(7);
  expect(findScoresDueMs({ ...noPendingScores, days: [days(9)], previousFormulas: earlier(8) })).toBe(8);
  expect(findScoresDueMs({ ...noPendingScores, days: [days(0)], previousFormulas: earlier(8) })).toBe(0);
});

test('every field is required, so that no waiting item is lost unnoticed', () => {
  expect(PendingScores.parse(noPendingScores)).toEqual(noPendingScores);
  for (const name of Object.keys(noPendingScores)) {
    const { [name]: _left, ...rest } = { ...noPendingScores } as Record<string, unknown>;
    expect(PendingScores.safeParse(rest).success).toBe(false);
  }
});
