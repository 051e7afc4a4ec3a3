// How the pages draw scores: a value in a tone by whether higher or lower is better, confidence in
// three steps, and a factor as its share of the score. The server and the scripts use the same trees.
import { type Confidence, confidences } from '../../../../shared/catalog/score-states.ts';
import { type ElementTree, element } from '../../docs-kit/element-tree.ts';
import { type Better, selectTone, toneSteps } from './score-tones.ts';

/** Steps and a word, so that the icon does not rely on color or sight. */
export function drawConfidence(level: Confidence, text: string = level): ElementTree {
  const steps = confidences.map((_, index) =>
    element('rect', {
      class: index <= confidences.indexOf(level) ? 'confidence-step confidence-step-reached' : 'confidence-step',
      x: 1 + 8 * index,
      y: 7 - 3 * index,
      width: 5,
      height: 4 + 3 * index,
    }),
  );
  return element(
    'span',
    { class: 'confidence' },
    element('svg', { viewBox: '0 0 24 12', 'aria-hidden': 'true' }, ...steps),
    text,
  );
}

/**
 * The bar is as long as the weight and filled by the contribution. The fills of all factors add up
 * to the score.
 */
export const drawFactorBar = (weight: number | string, contribution: number): ElementTree =>
  element(
    'svg',
    { class: 'factor-bar', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    element('rect', { class: 'factor-bar-track', width: weight, height: 4 }),
    element('rect', { class: 'factor-bar-fill', width: contribution, height: 4 }),
  );

/**
 * The scale from 0 to 100 with the steps in the given direction, and a mark at the value if there
 * is one, for readers who cannot tell the colors apart.
 */
export function drawToneScale(better: Better, value?: number): ElementTree {
  const bounds = [0, ...toneSteps, 100];
  const parts = bounds.slice(0, -1).map((from, index) => {
    const to = bounds[index + 1] ?? 100;
    return element('rect', {
      class: selectTone(better, better === 'lower' ? 100 - from : from),
      x: better === 'lower' ? 100 - to : from,
      y: 3,
      width: to - from,
      height: 3,
    });
  });
  const marker =
    value === undefined ? [] : [element('path', { class: 'tone-scale-marker', d: `M${value} 3 l-2.5 -3 h5 Z` })];
  return element('svg', { class: 'tone-scale', viewBox: '-3 0 106 6', 'aria-hidden': 'true' }, ...parts, ...marker);
}

/**
 * `energy_balance` compares energy eaten with energy spent; all other factors compare with the
 * usual value.
 */
export const getComparisonLabel = (factor: string): string => (factor === 'energy_balance' ? 'spent' : 'usual');
