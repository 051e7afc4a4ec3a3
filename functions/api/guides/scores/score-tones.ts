// How good a value is, in five steps that set its color. There are no steps where neither direction
// is better.
import type { ScoreRow } from '../../../../shared/catalog/score-table.ts';

export type Better = ScoreRow['better'];

/**
 * Where the second to fifth steps start, counted from the worse end. For stress, 40 and 70 are the
 * boundaries of raised and usual.
 */
export const toneSteps: readonly number[] = [20, 40, 70, 85];

export function selectTone(better: Better, value: number): string {
  if (better === 'none') return 'tone-none';
  const goodness = better === 'lower' ? 100 - value : value;
  return `tone-${1 + toneSteps.filter((step) => goodness >= step).length}`;
}
