// Renders the result of an example: the score with its confidence or the reason why there is none,
// and each factor's contribution.
import { scoreRow } from '../../../shared/catalog/score-table.ts';
import { createElement } from '../docs-kit/assets/dom.js';
import {
  getComparisonLabel,
  renderConfidence,
  renderFactorBar,
  renderToneScale,
  selectTone,
} from './assets/score-icons.js';
import { scoreExamples } from './score-examples.ts';
import { describeScoreState } from './score-state-text.ts';
import { toneSteps } from './score-tones.ts';

/** The page contains the first result before any script runs. A test checks that both match. */
export function renderResult(id, outcome) {
  const { factors, better } = scoreRow(id);
  const { units } = scoreExamples[id];
  const isScored = 'value' in outcome;
  const tone = isScored ? selectTone(toneSteps, better, outcome.value) : 'tone-none';
  return createElement(
    'div',
    { class: `result ${tone}` },
    createElement(
      'p',
      { class: 'total' },
      createElement('output', { 'aria-live': 'off' }, isScored ? String(outcome.value) : 'none'),
      ' ',
      isScored ? renderConfidence(outcome.confidence, `${outcome.confidence} confidence`) : describeScoreState(outcome),
    ),
    isScored ? renderToneScale(toneSteps, better, outcome.value) : '',
    createElement(
      'table',
      { class: 'factor-table' },
      createElement(
        'thead',
        {},
        createElement(
          'tr',
          {},
          ['Factor', 'Points', 'Weight', 'Contribution'].map((name) => createElement('th', { scope: 'col' }, name)),
        ),
      ),
      createElement(
        'tbody',
        {},
        factors.map((factor) => renderFactorRow(factor, outcome, units[factor.name])),
      ),
    ),
  );
}

/** A factor without data passes its weight on to the others. */
function renderFactorRow({ name, weight: usualWeight }, { factors }, unit) {
  const factor = factors?.find((candidate) => candidate.name === name);
  const weight = formatTenths(factor?.weight ?? (factors ? 0 : usualWeight));
  const cells = [factor ? formatTenths(factor.points) : '–', weight, factor ? String(factor.contribution) : '–'];
  return createElement(
    'tr',
    { 'data-factor': name, class: factor ? undefined : 'factor-missing' },
    createElement(
      'th',
      { scope: 'row' },
      name.replaceAll('_', ' '),
      createElement('span', { class: 'factor-detail' }, factor ? describeFactor(factor, unit) : ''),
      renderFactorBar(weight, factor?.contribution ?? 0),
    ),
    cells.map((cell) => createElement('td', {}, cell)),
  );
}

function describeFactor({ name, value, usual, z }, unit) {
  const comparison = usual === undefined ? '' : `, ${getComparisonLabel(name)} ${formatTenths(usual)}`;
  return `${formatTenths(value)} ${unit}${comparison}${z === undefined ? '' : `, z\u00a0${formatHundredths(z)}`}`;
}

const formatTenths = (value) => String(Math.round(value * 10) / 10);
/** Omits the sign of a negative zero. */
const formatHundredths = (value) => (Math.round(value * 100) / 100 + 0).toFixed(2).replace('-', '−');
