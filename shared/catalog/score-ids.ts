// The ids of every score. None of them is a daily metric.
import * as z from 'zod';

export const scoreIds = [
  'sleep_score',
  'recovery_score',
  'strain_score',
  'nutrition_score',
  'stress_score',
  'energy_reserve_score',
] as const;
export const ScoreId = z.enum(scoreIds).meta({
  id: 'ScoreId',
  description: 'A score. Only Form 1 reads `energy_reserve_score`; both forms explain it. New ids may be added.',
  examples: ['recovery_score'],
});
export type ScoreId = z.infer<typeof ScoreId>;

const scoreIdSet: ReadonlySet<string> = new Set(scoreIds);
export const isScoreId = (text: string): text is ScoreId => scoreIdSet.has(text);
