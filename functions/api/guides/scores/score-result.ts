// The result of an example: the score with its confidence or the reason why there is none, and each
// factor's contribution. The page contains the first result; its script draws the others.
import type { ScoreId } from '../../../../shared/catalog/score-ids.ts';
import { scoreRow } from '../../../../shared/catalog/score-table.ts';
import { isScored, type JudgedFactor, type ScoreOutcome } from '../../../../shared/scores/scoring.ts';
import { type ElementTree, element } from '../../docs-kit/element-tree.ts';
import { scoreExamples } from './score-examples.ts';
import { drawConfidence, drawFactorBar, drawToneScale, getComparisonLabel } from './score-pictures.ts';
import { describeScoreState } from './score-state-text.ts';
import { selectTone } from './score-tones.ts';

const columns = ['Factor', 'Points', 'Weight', 'Contribution'];

export function drawResult(id: ScoreId, outcome: ScoreOutcome): ElementTree {
  const { better, factors } = scoreRow(id);
  const [tone, value, detail, scale] = isScored(outcome)
    ? [
        selectTone(better, outcome.value),
        String(outcome.value),
        drawConfidence(outcome.confidence, `${outcome.confidence} confidence`),
        [drawToneScale(better, outcome.value)],
      ]
    : ['tone-none', 'none', describeScoreState(outcome), []];
  const rows = factors.map(({ name, weight }) => {
    const factor = isScored(outcome) ? outcome.factors.find((each) => each.name === name) : undefined;
    const shownWeight = factor?.weight ?? (isScored(outcome) ? 0 : weight);
    return drawFactorRow(name, shownWeight, factor, scoreExamples[id].units[name]);
  });
  const headings = columns.map((name) => element('th', { scope: 'col' }, name));
  return element(
    'div',
    { class: `result ${tone}` },
    element('p', { class: 'total' }, element('output', { 'aria-live': 'off' }, value), ' ', detail),
    ...scale,
    element(
      'table',
      { class: 'factor-table' },
      element('thead', {}, element('tr', {}, ...headings)),
      element('tbody', {}, ...rows),
    ),
  );
}

/** A factor without data passes its weight on to the others. */
function drawFactorRow(name: string, weight: number, factor: JudgedFactor | undefined, unit = ''): ElementTree {
  const cells = [
    factor ? formatTenths(factor.points) : '–',
    formatTenths(weight),
    factor ? String(factor.contribution) : '–',
  ];
  return element(
    'tr',
    { 'data-factor': name, ...(factor ? {} : { class: 'factor-missing' }) },
    element(
      'th',
      { scope: 'row' },
      name.replaceAll('_', ' '),
      element('span', { class: 'factor-detail' }, factor ? describeFactor(factor, unit) : ''),
      drawFactorBar(formatTenths(weight), factor?.contribution ?? 0),
    ),
    ...cells.map((cell) => element('td', {}, cell)),
  );
}

const describeFactor = ({ name, value, usual, z }: JudgedFactor, unit: string): string =>
  [
    `${formatTenths(value)} ${unit}`,
    ...(usual === undefined ? [] : [`${getComparisonLabel(name)} ${formatTenths(usual)}`]),
    ...(z === undefined ? [] : [`z\u00a0${formatHundredths(z)}`]),
  ].join(', ');

const formatTenths = (value: number): string => String(Math.round(value * 10) / 10);
/** Omits the sign of a negative zero. */
const formatHundredths = (value: number): string => (Math.round(value * 100) / 100 + 0).toFixed(2).replace('-', '−');
