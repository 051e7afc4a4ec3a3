// Every figure that the scores page states, taken from the formulas themselves.

import { betterDirections, formulaName, scoreTable } from '../../../shared/catalog/score-table.ts';
import * as pace from '../../../shared/pipeline/scoring/throttle-scores.ts';
import { minAdultAge, minOlderAdultAge, minSleepScoreAge } from '../../../shared/scores/age-limits.ts';
import * as baseline from '../../../shared/scores/baseline.ts';
import { confidenceThresholds } from '../../../shared/scores/confidence.ts';
import { steepness } from '../../../shared/scores/curves.ts';
import { reachDays } from '../../../shared/scores/day-scores.ts';
import { directionBounds } from '../../../shared/scores/direction.ts';
import { fatigueDays, fatigueTimeConstant } from '../../../shared/scores/energy-reserve-score.ts';
import { heartRateVariability, respiratoryRate, restingHeartRate } from '../../../shared/scores/heart-deviations.ts';
import * as food from '../../../shared/scores/nutrition-score.ts';
import { heartWeight, maxUsefulVariability, recoveryCentre } from '../../../shared/scores/recovery-score.ts';
import * as night from '../../../shared/scores/sleep-score.ts';
import { minUsualLoad, minWorn } from '../../../shared/scores/strain-score.ts';
import { stressCentre } from '../../../shared/scores/stress-score.ts';
import { renderTree } from '../docs-kit/render-tree.ts';
import { describePoints, formatFigure, renderDurationRows } from './score-points-text.ts';
import { drawToneScale } from './scores/score-pictures.ts';
import { renderScoreStates } from './scores/score-state-text.ts';
import { toneSteps } from './scores/score-tones.ts';

const minutes = { unit: ' min' };
const percent = { unit: '%' };
const perKilogram = { unit: ' g/kg' };

const curveTexts = {
  duration_rows: renderDurationRows(),
  efficiency: describePoints(night.efficiencyAnchors, { ...percent, published: [85] }),
  latency: describePoints(night.latencyAnchors, { ...minutes, published: [30] }),
  latency_older: describePoints(night.olderLatencyAnchors, { ...minutes, published: [30] }),
  restorative: describePoints(night.restorativeAnchors, { ...percent, times: 100 }),
  restorative_older: describePoints(night.olderRestorativeAnchors, { ...percent, times: 100 }),
  balance: describePoints(food.balanceAnchors),
  protein: describePoints(food.proteinAnchors, { ...perKilogram, published: [0.66, 0.83] }),
  protein_older: describePoints(food.olderProteinAnchors, { ...perKilogram, published: [1] }),
  fiber: describePoints(food.fiberAnchors, { unit: ' × the target' }),
  saturated_fat: describePoints(food.saturatedFatAnchors, { ...percent, published: [10] }),
  sugar: describePoints(food.sugarAnchors, percent),
  sodium: describePoints(food.sodiumAnchors, { unit: ' mg', published: [2000] }),
};

const formatSigned = (value: number): string => (value < 0 ? `+ ${formatFigure(-value)}` : `− ${formatFigure(value)}`);

const generalTexts = {
  baseline_days: formatFigure(baseline.baselineDays),
  baseline_min: formatFigure(baseline.minBaselineDays),
  recent_days: formatFigure(baseline.recentDays),
  recent_min: formatFigure(baseline.minRecentDays),
  outliers: `${formatFigure(baseline.maxMedianDeviations)} × ${formatFigure(baseline.deviationsPerMedianDistance)}`,
  prior_days: formatFigure(baseline.priorDays),
  prior_days_less_one: formatFigure(baseline.priorDays - 1),
  reach_days: formatFigure(reachDays),
  quick_changes: formatFigure(pace.quickChanges),
  quick_gap_minutes: formatFigure(pace.quickIntervalMs / 60_000),
  later_sleeps: formatFigure(pace.maxLaterSleeps),
  slow_gap_hours: formatFigure(pace.slowIntervalMs / 3_600_000),
  hrv_prior: formatFigure(heartRateVariability.spread.prior),
  hrv_floor: formatFigure(heartRateVariability.spread.min),
  rate_prior: formatFigure(restingHeartRate.spread.prior),
  rate_floor: formatFigure(restingHeartRate.spread.min),
  breathing_prior: formatFigure(respiratoryRate.spread.prior),
  breathing_floor: formatFigure(respiratoryRate.spread.min),
  high_weight: formatFigure(confidenceThresholds.high.weight),
  high_days: formatFigure(confidenceThresholds.high.days),
  medium_weight: formatFigure(confidenceThresholds.medium.weight),
  medium_days: formatFigure(confidenceThresholds.medium.days),
  adult_from: formatFigure(minAdultAge),
  older_from: formatFigure(minOlderAdultAge),
  sleep_from: formatFigure(minSleepScoreAge),
  limits_positive: formatFigure(directionBounds.sleep_score.minPositive),
  limits_negative: formatFigure(Math.ceil(directionBounds.sleep_score.maxNegative)),
  load_positive: formatFigure(directionBounds.strain_score.minPositive),
  load_negative: formatFigure(Math.ceil(directionBounds.strain_score.maxNegative)),
  stress_positive: formatFigure(directionBounds.stress_score.minPositive),
  stress_negative: formatFigure(directionBounds.stress_score.maxNegative),
};

const scoreSpecificTexts = {
  night_min: formatFigure(night.maxNapMinutes),
  recovery_curve: `100 ÷ (1 + e<sup>−${formatFigure(steepness)} (z ${formatSigned(recoveryCentre)})</sup>)`,
  hrv_max: formatFigure(maxUsefulVariability),
  heart_weight: formatFigure(heartWeight),
  stress_hrv_curve: `100 ÷ (1 + e<sup>−${formatFigure(steepness)} (−z ${formatSigned(stressCentre)})</sup>)`,
  stress_rate_curve: `100 ÷ (1 + e<sup>−${formatFigure(steepness)} (z ${formatSigned(stressCentre)})</sup>)`,
  worn_steps: formatFigure(minWorn.steps),
  worn_energy: formatFigure(minWorn.active_calories),
  energy_floor: formatFigure(minUsualLoad.active_calories),
  exercise_floor: formatFigure(minUsualLoad.exercise),
  steps_floor: formatFigure(minUsualLoad.steps),
  log_share: formatFigure(100 * food.minLogged.share),
  log_energy: formatFigure(food.minLogged.kcal),
  balance_days: formatFigure(food.balanceWindow.days),
  balance_min: formatFigure(food.balanceWindow.minDays),
  fiber_min: formatFigure(food.fiberNeed.min),
  fiber_max: formatFigure(food.fiberNeed.max),
  fiber_per: formatFigure(food.fiberNeed.perThousandKcal),
  weight_index: formatFigure(food.maxReferenceBodyMassIndex),
  fatigue_days: formatFigure(fatigueDays),
  fatigue_constant: formatFigure(fatigueTimeConstant),
};

const appTexts = {
  tone_steps: [0, ...toneSteps]
    .map(formatFigure)
    .join(', ')
    .replace(/, ([^,]+)$/, ' and $1'),
  tone_ramps: `<span class="tone-scales">${betterDirections.map((better) => `<span><code>${better}</code>${renderTree(drawToneScale(better)).html}</span>`).join('')}</span>`,
  state_rows: renderScoreStates(),
};

/** The first two cells of each factor's row: its name and its weight. */
const factorRows = Object.fromEntries(
  scoreTable.flatMap(({ id, factors }) =>
    factors.map(({ name, weight }) => [`${id}_${name}`, `<td><code>${name}</code></td><td>${weight}</td>`]),
  ),
);

const headings = Object.fromEntries(
  scoreTable.map(({ id, displayName, version }) => [
    `${id}_heading`,
    `<h2>${displayName} · <code>${id}</code> <span class="formula">${formulaName(id, version)}</span></h2>`,
  ]),
);

export const scoreTexts: Readonly<Record<string, string>> = {
  ...curveTexts,
  ...generalTexts,
  ...scoreSpecificTexts,
  ...appTexts,
  ...factorRows,
  ...headings,
};
