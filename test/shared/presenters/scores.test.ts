// One read, shown by both forms.
import { describe, expect, test } from 'vitest';
import { type ScoreId, scoreIds } from '../../../shared/model/score-ids.ts';
import { CurrentScores, form2ScoreIds, type Score, ScoreColumns } from '../../../shared/model/scores.ts';
import { form1ScoreHistory, form1Scores } from '../../../shared/presenters/form-1/scores.ts';
import { form2ScoreHistory, form2Scores } from '../../../shared/presenters/form-2/scores.ts';
import type { ScoresRead } from '../../../shared/reads/scores.ts';

const score = (value: number): Score => ({
  value,
  factors: [{ name: 'sleep', contribution: value, direction: 'neutral' }],
});
const computedMs = Date.parse('2026-03-14T07:26:53.589Z');
const day = (date: string, scores: Partial<Record<ScoreId, number>>) => ({
  date,
  computedMs,
  scores: new Map(scoreIds.flatMap((id) => (scores[id] === undefined ? [] : [[id, score(scores[id])] as const]))),
});
const days = [
  day('2026-03-12', { sleep_score: 0, energy_reserve_score: 62 }),
  day('2026-03-14', { sleep_score: 77, recovery_score: 64 }),
];
const found = (scores: readonly ScoreId[]): ScoresRead => ({
  range: { from: '2026-03-12', to: '2026-03-14' },
  scores,
  days,
});

describe('scores in columns', () => {
  const shown = (include_factors: boolean) =>
    ScoreColumns.parse(form2Scores.present(found(['sleep_score', 'stress_score']), { include_factors }));

  test('are null where there is none, and zero is zero', () => {
    expect(shown(false)).toEqual({
      from_date: '2026-03-12',
      to_date: '2026-03-14',
      dates: ['2026-03-12', '2026-03-13', '2026-03-14'],
      series: { sleep_score: [0, null, 77], stress_score: [null, null, null] },
      latest: { sleep_score: { date: '2026-03-14', value: 77, previous_value: null }, stress_score: null },
    });
  });

  test('tell what each is made of when asked', () => {
    expect(shown(true).factors).toEqual({
      sleep_score: [score(0).factors, null, score(77).factors],
      stress_score: [null, null, null],
    });
  });
});

test('current scores are the newest of each that has any, with when it was computed', () => {
  const computed_at = '2026-03-14T07:26:53.589Z';
  expect(CurrentScores.parse(form1Scores.present(found(scoreIds), undefined)).data).toEqual([
    { type: 'sleep_score', ...score(77), computed_at },
    { type: 'recovery_score', ...score(64), computed_at },
    { type: 'energy_reserve_score', ...score(62), computed_at },
  ]);
});

test('rows come by day, then in the order asked for', () => {
  const query = { start_date: '2026-03-12', end_date: '2026-03-14' };
  expect(form2ScoreHistory.present(found(['recovery_score', 'sleep_score']), query).data).toEqual([
    { date: '2026-03-12', type: 'sleep_score', value: 0 },
    { date: '2026-03-14', type: 'recovery_score', value: 64 },
    { date: '2026-03-14', type: 'sleep_score', value: 77 },
  ]);
});

describe('each form says which scores it shows', () => {
  const range = { start_date: '2026-03-12', end_date: '2026-03-14' };

  test('when none are named', () => {
    expect(form1Scores.asked(undefined).scores).toEqual(scoreIds);
    expect(form1ScoreHistory.asked(range).scores).toEqual(scoreIds);
    expect(form2Scores.asked({ include_factors: false }).scores).toEqual(form2ScoreIds);
    expect(form2ScoreHistory.asked(range).scores).toEqual(form2ScoreIds);
  });

  test('when one is named that only Form 1 has', () => {
    const types = 'energy_reserve_score';
    expect(form1ScoreHistory.asked({ ...range, types }).scores).toEqual([types]);
    expect(() => form2ScoreHistory.asked({ ...range, types })).toThrow(types);
    expect(() => form2Scores.asked({ types, include_factors: false })).toThrow(types);
  });
});
