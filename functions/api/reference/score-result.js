// Renders the result of an example: the score with its confidence or the reason why there is none,
// and each factor's contribution.
import { scoreRow } from '../../../shared/catalog/score-table.ts';
import { element } from './assets/dom.js';
import { comparedWith, confidenceSign, factorBar, toneOf, toneScale } from './assets/score-signs.js';
import { scoreExamples } from './score-examples.ts';
import { describeScoreState } from './score-state-text.ts';
import { toneSteps } from './score-tones.ts';

/** The page contains the first result before any script runs. A test checks that both match. */
export function exampleResult(id, outcome) {
  const { factors, better } = scoreRow(id);
  const { units } = scoreExamples[id];
  const isScored = 'value' in outcome;
  const tone = isScored ? toneOf(toneSteps, better, outcome.value) : 'tone-none';
  return element(
    'div',
    { class: `result ${tone}` },
    element(
      'p',
      { class: 'total' },
      element('output', { 'aria-live': 'off' }, isScored ? String(outcome.value) : 'none'),
      ' ',
      isScored ? confidenceSign(outcome.confidence, `${outcome.confidence} confidence`) : describeScoreState(outcome),
    ),
    isScored ? toneScale(toneSteps, better, outcome.value) : '',
    element(
      'table',
      { class: 'parts' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ['Factor', 'Points', 'Weight', 'Contribution'].map((name) => element('th', { scope: 'col' }, name)),
        ),
      ),
      element(
        'tbody',
        {},
        factors.map((factor) => factorRow(factor, outcome, units[factor.name])),
      ),
    ),
  );
}

/** A factor without data passes its weight on to the others. */
function factorRow({ name, weight: usualWeight }, { factors }, unit) {
  const factor = factors?.find((each) => each.name === name);
  const weight = tenths(factor?.weight ?? (factors ? 0 : usualWeight));
  const cells = [factor ? tenths(factor.points) : '–', weight, factor ? String(factor.contribution) : '–'];
  return element(
    'tr',
    { 'data-factor': name, class: factor ? undefined : 'unjudged' },
    element(
      'th',
      { scope: 'row' },
      name.replaceAll('_', ' '),
      element('span', { class: 'judged' }, factor ? judgedInWords(factor, unit) : ''),
      factorBar(weight, factor?.contribution ?? 0),
    ),
    cells.map((cell) => element('td', {}, cell)),
  );
}

function judgedInWords({ name, value, usual, z }, unit) {
  const usually = usual === undefined ? '' : `, ${comparedWith(name)} ${tenths(usual)}`;
  return `${tenths(value)} ${unit}${usually}${z === undefined ? '' : `, z\u00a0${hundredths(z)}`}`;
}

const tenths = (value) => String(Math.round(value * 10) / 10);
/** Omits the sign of a negative zero. */
const hundredths = (value) => (Math.round(value * 100) / 100 + 0).toFixed(2).replace('-', '−');
