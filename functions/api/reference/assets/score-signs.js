// How scores are drawn on both pages: confidence as three steps, a factor as its share of the whole, and in words why there is none.
import { element, svg } from './dom.js';

const levels = ['low', 'medium', 'high'];

/** Steps and a word, so that neither colour nor sight is needed. */
export function confidenceSign(level, text = level) {
  const reached = levels.indexOf(level);
  const pips = levels.map((_, at) =>
    svg('rect', {
      class: at <= reached ? 'pip pip-full' : 'pip',
      x: 1 + 8 * at,
      y: 7 - 3 * at,
      width: 5,
      height: 4 + 3 * at,
    }),
  );
  return element(
    'span',
    { class: 'confidence' },
    svg('svg', { viewBox: '0 0 24 12', 'aria-hidden': 'true' }, pips),
    text,
  );
}

/** As long as the weight, and filled as far as the points reach: all fills together are the score. */
export function factorBar(weight, contribution) {
  return svg(
    'svg',
    { class: 'bar', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', { class: 'bar-room', width: weight, height: 4 }),
    svg('rect', { class: 'bar-part', width: contribution, height: 4 }),
  );
}

/** Balance holds what was eaten against what was spent, all others against what is usual. */
export const comparedWith = (factor) => (factor === 'energy_balance' ? 'spent' : 'usual');

export function stateInWords(words, { status, days, needed, reason }) {
  if (status === 'calibrating') return words.calibrating.replace('{days}', days).replace('{needed}', needed);
  return words.reasons[reason] ?? '';
}
