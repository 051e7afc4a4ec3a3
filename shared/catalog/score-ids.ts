// The ids of every score. None of them is a daily metric.

export const scoreIds = [
  'sleep_score',
  'recovery_score',
  'strain_score',
  'nutrition_score',
  'stress_score',
  'energy_reserve_score',
] as const;
export type ScoreId = (typeof scoreIds)[number];

const scoreIdSet: ReadonlySet<string> = new Set(scoreIds);
export const isScoreId = (text: string): text is ScoreId => scoreIdSet.has(text);
