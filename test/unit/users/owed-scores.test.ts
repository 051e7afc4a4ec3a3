import { expect, test } from 'vitest';
import { noOwedScores, OwedScores, scoresDueMs } from '../../../shared/users/owed-scores.ts';

const days = (dueMs: number) => ({ from: '2026-03-10', to: '2026-03-11', dueMs, atOnce: false });
const earlier = (dueMs: number) => ({ from: '2026-03-10', dueMs });

test('nobody is due without days that wait, whatever is still to be announced', () => {
  expect(scoresDueMs(noOwedScores)).toBeUndefined();
  const announced = { scores: ['strain_score'], from: '2026-03-10', to: '2026-03-10' };
  expect(scoresDueMs({ ...noOwedScores, announced })).toBeUndefined();
});

test('a person is due with the first of what waits, days or what rows hold of former formulas', () => {
  expect(scoresDueMs({ ...noOwedScores, days: [days(7), days(5), days(9)] })).toBe(5);
  expect(scoresDueMs({ ...noOwedScores, earlier: earlier(8) })).toBe(8);
  expect(scoresDueMs({ ...noOwedScores, days: [days(7)], earlier: earlier(8) })).toBe(7);
  expect(scoresDueMs({ ...noOwedScores, days: [days(9)], earlier: earlier(8) })).toBe(8);
  expect(scoresDueMs({ ...noOwedScores, days: [days(0)], earlier: earlier(8) })).toBe(0);
});

test('every field has to be there, so that nothing that waits is lost unseen', () => {
  expect(OwedScores.parse(noOwedScores)).toEqual(noOwedScores);
  for (const name of Object.keys(noOwedScores)) {
    const { [name]: _left, ...rest } = { ...noOwedScores } as Record<string, unknown>;
    expect(OwedScores.safeParse(rest).success).toBe(false);
  }
});
