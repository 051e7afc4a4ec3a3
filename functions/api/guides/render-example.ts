// Renders the worked examples as the page contains them before any script runs: all cases with
// their outcome, and the first case factor by factor.

import type { ScoreId } from '../../../shared/catalog/score-ids.ts';
import { type Confidence, confidences } from '../../../shared/catalog/score-states.ts';
import { scoreRow } from '../../../shared/catalog/score-table.ts';
import { isScored, type JudgedFactor, type ScoreOutcome } from '../../../shared/scores/scoring.ts';
import { computeExampleOutcome } from './compute-example-outcome.ts';
import { type ExampleCase, scoreExamples } from './score-examples.ts';
import { describeScoreState } from './score-state-text.ts';
import { renderToneScale, selectTone } from './score-tones.ts';

export function renderExample(id: ScoreId): string {
  const { cases } = scoreExamples[id];
  const [{ title, values }] = cases;
  return `<div class="example" data-score="${id}">
<h3 id="${id}-cases">Worked cases</h3>
<div class="table-scroll"><table class="cases"><thead><tr><th scope="col">Case</th><th scope="col">${scoreRow(id).displayName}</th><th scope="col">Confidence</th></tr></thead>
<tbody>${cases.map((each) => renderCaseRow(id, each)).join('\n')}</tbody></table></div>
<div class="example-editor" role="group" aria-labelledby="${id}-example-title">
<h4 id="${id}-example-title">${title}</h4>
<div class="sliders"></div>
${renderResult(id, computeExampleOutcome(id, values))}</div></div>`;
}

function renderCaseRow(id: ScoreId, { title, values }: ExampleCase): string {
  const outcome = computeExampleOutcome(id, values);
  const cells = isScored(outcome)
    ? `<td class="${selectTone(scoreRow(id).better, outcome.value)}">${outcome.value}</td><td>${renderConfidence(outcome.confidence)}</td>`
    : `<td>none</td><td>${describeScoreState(outcome)}</td>`;
  return `<tr><th scope="row">${title}</th>${cells}</tr>`;
}

const columns = ['Factor', 'Points', 'Weight', 'Contribution'];

export function renderResult(id: ScoreId, outcome: ScoreOutcome): string {
  const { better, factors } = scoreRow(id);
  const [tone, value, detail, scale] = isScored(outcome)
    ? [
        selectTone(better, outcome.value),
        outcome.value,
        renderConfidence(outcome.confidence, `${outcome.confidence} confidence`),
        renderToneScale(better, outcome.value),
      ]
    : ['tone-none', 'none', describeScoreState(outcome), ''];
  const rows = factors.map(({ name, weight }) => {
    const factor = isScored(outcome) ? outcome.factors.find((each) => each.name === name) : undefined;
    return renderFactorRow(
      name,
      factor?.weight ?? (isScored(outcome) ? 0 : weight),
      factor,
      scoreExamples[id].units[name],
    );
  });
  return [
    `<div class="result ${tone}"><p class="total"><output aria-live="off">${value}</output> ${detail}</p>${scale}`,
    `<table class="factor-table"><thead><tr>${columns.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>`,
    `<tbody>${rows.join('')}</tbody></table></div>`,
  ].join('');
}

function renderFactorRow(name: string, weight: number, factor: JudgedFactor | undefined, unit = ''): string {
  const cells = [
    factor ? formatTenths(factor.points) : '–',
    formatTenths(weight),
    factor ? String(factor.contribution) : '–',
  ];
  return `<tr data-factor="${name}"${factor ? '' : ' class="factor-missing"'}><th scope="row">${name.replaceAll('_', ' ')}<span class="factor-detail">${factor ? describeFactor(factor, unit) : ''}</span>${renderFactorBar(weight, factor?.contribution ?? 0)}</th>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

const describeFactor = ({ name, value, usual, z }: JudgedFactor, unit: string): string =>
  [
    `${formatTenths(value)} ${unit}`,
    ...(usual === undefined ? [] : [`${name === 'energy_balance' ? 'spent' : 'usual'} ${formatTenths(usual)}`]),
    ...(z === undefined ? [] : [`z\u00a0${formatHundredths(z)}`]),
  ].join(', ');

const formatTenths = (value: number): string => String(Math.round(value * 10) / 10);
/** Omits the sign of a negative zero. */
const formatHundredths = (value: number): string => (Math.round(value * 100) / 100 + 0).toFixed(2).replace('-', '−');

/**
 * The bar is as long as the weight and filled by the contribution. The fills of all factors add up
 * to the score.
 */
const renderFactorBar = (weight: number, contribution: number): string =>
  `<svg class="factor-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true"><rect class="factor-bar-track" width="${formatTenths(weight)}" height="4" /><rect class="factor-bar-fill" width="${contribution}" height="4" /></svg>`;

export const renderConfidence = (level: Confidence, text: string = level): string => {
  const steps = confidences.map(
    (_, index) =>
      `<rect class="${index <= confidences.indexOf(level) ? 'confidence-step confidence-step-reached' : 'confidence-step'}" x="${1 + 8 * index}" y="${7 - 3 * index}" width="5" height="${4 + 3 * index}" />`,
  );
  return `<span class="confidence"><svg viewBox="0 0 24 12" aria-hidden="true">${steps.join('')}</svg>${text}</span>`;
};
