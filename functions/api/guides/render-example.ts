// Renders the worked examples as the page contains them before any script runs: all cases with
// their outcome, and the first case factor by factor.

import type { ScoreId } from '../../../shared/catalog/score-ids.ts';
import type { Confidence } from '../../../shared/catalog/score-states.ts';
import { scoreRow } from '../../../shared/catalog/score-table.ts';
import { isScored } from '../../../shared/scores/scoring.ts';
import { renderTree } from '../docs-kit/render-tree.ts';
import { computeExampleOutcome } from './scores/compute-example-outcome.ts';
import { type ExampleCase, scoreExamples } from './scores/score-examples.ts';
import { drawConfidence } from './scores/score-pictures.ts';
import { drawResult } from './scores/score-result.ts';
import { describeScoreState } from './scores/score-state-text.ts';
import { selectTone } from './scores/score-tones.ts';

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
${renderTree(drawResult(id, computeExampleOutcome(id, values))).html}</div></div>`;
}

function renderCaseRow(id: ScoreId, { title, values }: ExampleCase): string {
  const outcome = computeExampleOutcome(id, values);
  const cells = isScored(outcome)
    ? `<td class="${selectTone(scoreRow(id).better, outcome.value)}">${outcome.value}</td><td>${renderConfidence(outcome.confidence)}</td>`
    : `<td>none</td><td>${describeScoreState(outcome)}</td>`;
  return `<tr><th scope="row">${title}</th>${cells}</tr>`;
}

export const renderConfidence = (level: Confidence): string => renderTree(drawConfidence(level)).html;
