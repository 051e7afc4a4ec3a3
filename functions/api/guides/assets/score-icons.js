// How both pages draw scores: a value in a tone by whether higher or lower is better, confidence in
// three steps, a factor as its share of the score, and the reason in words when there is no score.
import { createElement, createSvgElement } from '../../docs-kit/assets/dom.js';

const levels = ['low', 'medium', 'high'];

/** Steps and a word, so that the icon does not rely on color or sight. */
export function renderConfidence(level, text = level) {
  const levelIndex = levels.indexOf(level);
  const steps = levels.map((_, index) =>
    createSvgElement('rect', {
      class: index <= levelIndex ? 'confidence-step confidence-step-reached' : 'confidence-step',
      x: 1 + 8 * index,
      y: 7 - 3 * index,
      width: 5,
      height: 4 + 3 * index,
    }),
  );
  return createElement(
    'span',
    { class: 'confidence' },
    createSvgElement('svg', { viewBox: '0 0 24 12', 'aria-hidden': 'true' }, steps),
    text,
  );
}

/**
 * The bar is as long as the weight and filled by the contribution. The fills of all factors add up
 * to the score.
 */
export function renderFactorBar(weight, contribution) {
  return createSvgElement(
    'svg',
    { class: 'factor-bar', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    createSvgElement('rect', { class: 'factor-bar-track', width: weight, height: 4 }),
    createSvgElement('rect', { class: 'factor-bar-fill', width: contribution, height: 4 }),
  );
}

/**
 * The class that colors a value by how good it is; a single hue where neither higher nor lower is
 * better.
 */
export function selectTone(steps, better, value) {
  if (better === 'none') return 'tone-none';
  const goodness = better === 'lower' ? 100 - value : value;
  return `tone-${1 + steps.filter((step) => goodness >= step).length}`;
}

/** The value's position on the scale, for readers who cannot tell the colors apart. */
export function renderToneScale(steps, better, value) {
  const bounds = [0, ...steps, 100];
  const parts = bounds.slice(0, -1).map((from, index) => {
    const width = bounds[index + 1] - from;
    const tone = selectTone(steps, better, better === 'lower' ? 100 - from : from);
    return createSvgElement('rect', {
      class: tone,
      x: better === 'lower' ? 100 - from - width : from,
      y: 3,
      width,
      height: 3,
    });
  });
  const marker = createSvgElement('path', { class: 'tone-scale-marker', d: `M${value} 3 l-2.5 -3 h5 Z` });
  return createSvgElement('svg', { class: 'tone-scale', viewBox: '-3 0 106 6', 'aria-hidden': 'true' }, parts, marker);
}

/**
 * `energy_balance` compares energy eaten with energy spent; all other factors compare with the
 * usual value.
 */
export const getComparisonLabel = (factor) => (factor === 'energy_balance' ? 'spent' : 'usual');

export function describeState(texts, { status, days, needed, reason }) {
  if (status === 'calibrating') return texts.calibrating.replace('{days}', days).replace('{needed}', needed);
  return texts.reasons[reason] ?? '';
}

/** Until today's data arrives, today is not reported as missing. */
export const describeDay = (texts, today, day) =>
  day.date === today && day.reason === 'no_data' ? texts.nothing_yet : describeState(texts, day);
