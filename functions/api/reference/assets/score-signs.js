// How both pages draw scores: a value in a tone by whether higher or lower is better, confidence in
// three steps, a factor as its share of the score, and the reason in words when there is no score.
import { element, svg } from './dom.js';

const levels = ['low', 'medium', 'high'];

/** Steps and a word, so that the sign does not rely on color or sight. */
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

/**
 * The bar is as long as the weight and filled by the contribution. The fills of all factors add up
 * to the score.
 */
export function factorBar(weight, contribution) {
  return svg(
    'svg',
    { class: 'bar', viewBox: '0 0 100 4', preserveAspectRatio: 'none', 'aria-hidden': 'true' },
    svg('rect', { class: 'bar-room', width: weight, height: 4 }),
    svg('rect', { class: 'bar-part', width: contribution, height: 4 }),
  );
}

/**
 * The class that colors a value by how good it is; a single hue where neither higher nor lower is
 * better.
 */
export function toneOf(steps, better, value) {
  if (better === 'none') return 'tone-none';
  const fromTheWorseEnd = better === 'lower' ? 100 - value : value;
  return `tone-${1 + steps.filter((step) => fromTheWorseEnd >= step).length}`;
}

/** The value's position on the scale, for readers who cannot tell the colors apart. */
export function toneScale(steps, better, value) {
  const ends = [0, ...steps, 100];
  const parts = ends.slice(0, -1).map((from, at) => {
    const width = ends[at + 1] - from;
    const tone = toneOf(steps, better, better === 'lower' ? 100 - from : from);
    return svg('rect', { class: tone, x: better === 'lower' ? 100 - from - width : from, y: 3, width, height: 3 });
  });
  const mark = svg('path', { class: 'scale-mark', d: `M${value} 3 l-2.5 -3 h5 Z` });
  return svg('svg', { class: 'scale', viewBox: '-3 0 106 6', 'aria-hidden': 'true' }, parts, mark);
}

/**
 * `energy_balance` compares energy eaten with energy spent; all other factors compare with the
 * usual value.
 */
export const comparedWith = (factor) => (factor === 'energy_balance' ? 'spent' : 'usual');

export function stateInWords(words, { status, days, needed, reason }) {
  if (status === 'calibrating') return words.calibrating.replace('{days}', days).replace('{needed}', needed);
  return words.reasons[reason] ?? '';
}

/** Until today's data arrives, today is not reported as missing. */
export const dayInWords = (words, today, day) =>
  day.date === today && day.reason === 'no_data' ? words.nothing_yet : stateInWords(words, day);
