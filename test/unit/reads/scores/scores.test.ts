// One read of scores, presented in both forms.
import { describe, expect, test } from 'vitest';
import { type ScoreId, scoreIds } from '../../../../shared/catalog/score-ids.ts';
import { type MissingReason, type NoScore, noData } from '../../../../shared/catalog/score-states.ts';
import { form2ScoreIds } from '../../../../shared/catalog/score-table.ts';
import { form1ScoreHistory, form1Scores } from '../../../../shared/reads/scores/form-1.ts';
import { form2ScoreHistory, form2Scores } from '../../../../shared/reads/scores/form-2.ts';
import { CurrentScores, ScoreColumns, ScoreHistory } from '../../../../shared/reads/scores/form-2-schema.ts';
import type { ScoreResult, ScoresResult } from '../../../../shared/reads/scores/read-scores.ts';
import type { ExplainableFactor } from '../../../../shared/reads/scores/score-explanations.ts';
import { presentFactor, presentState } from '../../../../shared/reads/scores/score-fields.ts';

const dates = ['2026-03-12', '2026-03-13', '2026-03-14'];
const computedMs = Date.parse('2026-03-14T07:26:53.589Z');
const factorOf = (value: number): ExplainableFactor => ({ name: 'sleep', contribution: value, direction: 'neutral' });
const score = (value: number, more: Partial<ScoreResult> = {}): ScoreResult => ({
  value,
  factors: [factorOf(value)],
  confidence: 'medium',
  version: 2,
  isProvisional: false,
  computedMs,
  ...more,
});
const calibrating: NoScore = { status: 'calibrating', days: 3, needed: 5 };
const table: Partial<Record<ScoreId, (ScoreResult | NoScore)[]>> = {
  sleep_score: [score(0), { status: 'missing', reason: 'no_main_sleep' }, score(77)],
  recovery_score: [calibrating, noData, score(64, { confidence: 'high' })],
  strain_score: [noData, score(40), score(51, { isProvisional: true })],
  nutrition_score: [noData, noData, { status: 'not_applicable', reason: 'under_18' }],
  energy_reserve_score: [score(62), noData, noData],
};
const makeResult = (scores: readonly ScoreId[]): ScoresResult => ({
  range: { from: '2026-03-12', to: '2026-03-14' },
  zone: null,
  dates,
  columns: scores.map((id) => ({ id, entries: table[id] ?? dates.map(() => noData) })),
});
const about = (formula: string, more: object = {}) => ({
  status: 'ready',
  confidence: 'medium',
  formula,
  better: 'higher',
  ...more,
});

describe('scores in columns', () => {
  const shown = (scores: readonly ScoreId[], more: { include_factors?: boolean; include_status?: boolean } = {}) =>
    ScoreColumns.parse(
      form2Scores.render(makeResult(scores), { include_factors: false, include_status: false, ...more }),
    );

  test('are null where there is no score, and zero is zero', () => {
    expect(shown(['sleep_score', 'stress_score'])).toEqual({
      from_date: '2026-03-12',
      to_date: '2026-03-14',
      dates,
      series: { sleep_score: [0, null, 77], stress_score: [null, null, null] },
      latest: {
        sleep_score: { date: '2026-03-14', value: 77, previous_value: null, ...about('sleep@2') },
        stress_score: null,
      },
      status: {
        sleep_score: { status: 'ready' },
        stress_score: {
          status: 'missing',
          reason: 'no_data',
          inputs: ['sleep_heart_rate_variability', 'heart_rate_variability_rmssd', 'heart_rate_variability'],
        },
      },
    });
  });

  test('state which direction is better, and that a day is not over', () => {
    const { latest, status } = shown(['strain_score', 'nutrition_score']);
    expect(latest.strain_score).toEqual({
      date: '2026-03-14',
      value: 51,
      previous_value: 40,
      ...about('strain@2', { status: 'provisional', better: 'none' }),
    });
    expect(status).toEqual({
      strain_score: { status: 'provisional' },
      nutrition_score: { status: 'not_applicable', reason: 'under_18' },
    });
  });

  test('include the factors of each score on request', () => {
    expect(shown(['sleep_score'], { include_factors: true }).factors).toEqual({
      sleep_score: [[factorOf(0)], null, [factorOf(77)]],
    });
  });

  test('include the reason for each day without a score on request', () => {
    expect(shown(['sleep_score', 'recovery_score'], { include_status: true }).statuses).toEqual({
      sleep_score: [
        { status: 'ready' },
        { status: 'missing', reason: 'no_main_sleep', inputs: ['asleep'] },
        { status: 'ready' },
      ],
      recovery_score: [calibrating, expect.objectContaining({ reason: 'no_data' }), { status: 'ready' }],
    });
  });
});

test('current scores are the newest of each score that has any, with the time it was computed and the status of today', () => {
  const computed_at = '2026-03-14T07:26:53.589Z';
  const { data, status } = CurrentScores.parse(form1Scores.render(makeResult(scoreIds), undefined));
  const day = { date: '2026-03-14', computed_at };
  expect(data).toEqual([
    { type: 'sleep_score', ...day, value: 77, ...about('sleep@2'), factors: [factorOf(77)] },
    {
      type: 'recovery_score',
      ...day,
      value: 64,
      ...about('recovery@2', { confidence: 'high' }),
      factors: [factorOf(64)],
    },
    {
      type: 'strain_score',
      ...day,
      value: 51,
      ...about('strain@2', { status: 'provisional', better: 'none' }),
      factors: [factorOf(51)],
    },
    {
      type: 'energy_reserve_score',
      ...day,
      date: '2026-03-12',
      value: 62,
      ...about('energy_reserve@2'),
      factors: [factorOf(62)],
    },
  ]);
  expect(Object.entries(status).map(([id, state]) => [id, state?.status])).toEqual([
    ['sleep_score', 'ready'],
    ['recovery_score', 'ready'],
    ['strain_score', 'provisional'],
    ['nutrition_score', 'not_applicable'],
    ['stress_score', 'missing'],
    ['energy_reserve_score', 'missing'],
  ]);
});

describe('score rows', () => {
  const range = { start_date: '2026-03-12', end_date: '2026-03-14' };
  const shown = (include_missing: boolean) =>
    ScoreHistory.parse(
      form2ScoreHistory.render(makeResult(['recovery_score', 'sleep_score']), { ...range, include_missing }),
    ).data;

  test('are sorted by day, then in the requested order', () => {
    expect(shown(false)).toEqual([
      { date: '2026-03-12', type: 'sleep_score', value: 0, ...about('sleep@2') },
      { date: '2026-03-14', type: 'recovery_score', value: 64, ...about('recovery@2', { confidence: 'high' }) },
      { date: '2026-03-14', type: 'sleep_score', value: 77, ...about('sleep@2') },
    ]);
  });

  test('of days without a score state the reason on request', () => {
    const rows = shown(true);
    expect(rows).toHaveLength(6);
    expect(rows.filter(({ value }) => value === null)[0]).toEqual({
      date: '2026-03-12',
      type: 'recovery_score',
      value: null,
      ...about('', { ...calibrating, confidence: null, formula: null }),
    });
  });
});

test('a factor that can be explained states what it was made from, rounded like its metric', () => {
  const factorExplanation = {
    input: 'resting_heart_rate',
    value: 61,
    usual: 58.0333,
    z: 1.47436,
    points: 16.03,
    weight: 72.222,
  } as const;
  const device = undefined;
  const explained = score(16, {
    factors: [
      {
        name: 'resting_heart_rate',
        contribution: 16,
        direction: 'negative',
        explanation: { ...factorExplanation, device },
      },
      {
        name: 'sleep',
        contribution: 0,
        direction: 'negative',
        explanation: { input: 'sleep_score', value: 12.34, points: 12, weight: 27.778, device },
      },
    ],
  });
  const read = {
    ...makeResult([]),
    columns: [{ id: 'recovery_score' as const, entries: [noData, noData, explained] }],
  };
  const { factors } = ScoreColumns.parse(form2Scores.render(read, { include_factors: true, include_status: false }));
  expect(factors?.recovery_score?.at(-1)).toEqual([
    {
      name: 'resting_heart_rate',
      contribution: 16,
      direction: 'negative',
      input: 'resting_heart_rate',
      value: 61,
      usual: 58,
      z: 1.47,
      points: 16,
      weight: 72.2,
      source: null,
    },
    {
      name: 'sleep',
      contribution: 0,
      direction: 'negative',
      input: 'sleep_score',
      value: 12.3,
      usual: null,
      z: null,
      points: 12,
      weight: 27.8,
      source: null,
    },
  ]);
});

test('a factor of counts is shown in whole numbers', () => {
  const factorExplanation = {
    input: 'steps',
    value: 8000.4,
    usual: 7999.6,
    points: 50,
    weight: 100,
    device: undefined,
  } as const;
  expect(presentFactor({ ...factorOf(50), explanation: factorExplanation })).toMatchObject({
    value: 8000,
    usual: 8000,
  });
});

test.each<[ScoreId, MissingReason, string[]]>([
  ['sleep_score', 'no_main_sleep', ['asleep']],
  ['nutrition_score', 'log_incomplete', ['dietary_energy']],
  ['nutrition_score', 'too_few_nutrients', ['fiber', 'protein', 'weight']],
  ['strain_score', 'not_worn', ['active_calories', 'exercise', 'steps']],
  ['energy_reserve_score', 'not_worn', ['active_calories', 'exercise', 'steps']],
  ['energy_reserve_score', 'no_strain', ['active_calories', 'exercise', 'steps']],
])('%s that is missing for %s names the inputs it needs', (id, reason, inputs) => {
  expect(presentState(id, { status: 'missing', reason })).toEqual({ status: 'missing', reason, inputs });
});

describe('the scores that a form shows', () => {
  const range = { start_date: '2026-03-12', end_date: '2026-03-14', include_missing: false };
  const options = { include_factors: false, include_status: false };

  test('are all scores of the form when none are named', () => {
    expect(form1Scores.parse(undefined).scores).toEqual(scoreIds);
    expect(form1ScoreHistory.parse(range).scores).toEqual(scoreIds);
    expect(form2Scores.parse(options).scores).toEqual(form2ScoreIds);
    expect(form2ScoreHistory.parse(range).scores).toEqual(form2ScoreIds);
  });

  test('include one that only Form 1 has in Form 1 only', () => {
    const types = 'energy_reserve_score';
    expect(form1ScoreHistory.parse({ ...range, types }).scores).toEqual([types]);
    expect(() => form2ScoreHistory.parse({ ...range, types })).toThrow(types);
    expect(() => form2Scores.parse({ types, ...options })).toThrow(types);
  });

  test('are read with their explanations only where the form shows them', () => {
    expect(form2Scores.parse(options).explanations).toBe('none');
    expect(form2Scores.parse({ ...options, include_factors: true }).explanations).toBe('all');
    expect(form1Scores.parse(undefined).explanations).toBe('newest');
    expect(form1ScoreHistory.parse(range).explanations).toBe('none');
  });
});
