// How good a value is, in five steps that set its color. There are no steps where neither direction
// is better.
import type { ScoreRow } from '../../../shared/catalog/score-table.ts';

type Better = ScoreRow['better'];

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

/**
 * The scale from 0 to 100 with the steps in the given direction, and a mark at the value if there
 * is one.
 */
export function renderToneScale(better: Better, value?: number): string {
  const bounds = [0, ...toneSteps, 100];
  const parts = bounds.slice(0, -1).map((from, index) => {
    const to = bounds[index + 1] ?? 100;
    const x = better === 'lower' ? 100 - to : from;
    return `<rect class="${selectTone(better, better === 'lower' ? 100 - from : from)}" x="${x}" y="3" width="${to - from}" height="3" />`;
  });
  const marker = value === undefined ? '' : `<path class="tone-scale-marker" d="M${value} 3 l-2.5 -3 h5 Z" />`;
  return `<svg class="tone-scale" viewBox="-3 0 106 6" aria-hidden="true">${parts.join('')}${marker}</svg>`;
}
