import { expect, test } from 'vitest';
import type { ScoreId } from '../../../../shared/catalog/score-ids.ts';
import { packScoreDay } from '../../../../shared/measurements/rows/score-rows.ts';
import type { ScoreChange } from '../../../../shared/pipeline/scoring/score-span.ts';
import { addUnannouncedChange } from '../../../../shared/pipeline/scoring/unannounced-scores.ts';

const change = (date: string, ...scores: ScoreId[]): ScoreChange => ({
  day: {
    date,
    current: packScoreDay({ scores: new Map(), without: new Map(), computedMs: 1 }, 1),
    previous: undefined,
  },
  changedScores: scores,
});

test('an announcement lists every score that changed, with the first and the last day, in any order of changes', () => {
  const changes = [
    change('2026-03-02', 'strain_score'),
    change('2026-03-09'),
    change('2026-03-05', 'sleep_score'),
    change('2026-03-01', 'strain_score'),
    change('2026-03-03', 'strain_score'),
  ];
  expect(changes.reduce(addUnannouncedChange, null)).toEqual({
    scores: ['sleep_score', 'strain_score'],
    from: '2026-03-01',
    to: '2026-03-05',
  });
});

test('changed notes alone are not announced', () =>
  expect(addUnannouncedChange(null, change('2026-03-09'))).toBeNull());
