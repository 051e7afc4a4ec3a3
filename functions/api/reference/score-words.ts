// Every figure that the page on scores states, from the formulas themselves.

import { betterWays, formulaName, scoreTable } from '../../../shared/catalog/score-table.ts';
import * as pace from '../../../shared/pipeline/scoring/pace.ts';
import { adultFrom, olderFrom, sleepFrom } from '../../../shared/scores/ages.ts';
import * as baseline from '../../../shared/scores/baseline.ts';
import { confidenceNeeds } from '../../../shared/scores/confidence.ts';
import { steepness } from '../../../shared/scores/curves.ts';
import { reachDays } from '../../../shared/scores/day-scores.ts';
import { directionBounds } from '../../../shared/scores/direction.ts';
import { fatigueDays, fatigueTimeConstant } from '../../../shared/scores/energy-reserve-score.ts';
import { respiratoryRate, restingHeartRate, variability } from '../../../shared/scores/heart.ts';
import * as food from '../../../shared/scores/nutrition-score.ts';
import { heartWeight, mostUsefulVariability, recoveryCentre } from '../../../shared/scores/recovery-score.ts';
import * as night from '../../../shared/scores/sleep-score.ts';
import { leastUsualLoad, leastWorn } from '../../../shared/scores/strain-score.ts';
import { stressCentre } from '../../../shared/scores/stress-score.ts';
import { durationRows, figure, pointsInWords } from './score-points-words.ts';
import { statesForApps } from './score-state-words.ts';
import { toneScaleHtml, toneSteps } from './score-tones.ts';

const minutes = { unit: ' min' };
const percent = { unit: ' %' };
const perKilogram = { unit: ' g/kg' };

const curves = {
  duration_rows: durationRows(),
  efficiency: pointsInWords(night.efficiencyAnchors, { ...percent, published: [85] }),
  latency: pointsInWords(night.latencyAnchors, { ...minutes, published: [30] }),
  latency_older: pointsInWords(night.olderLatencyAnchors, { ...minutes, published: [30] }),
  restorative: pointsInWords(night.restorativeAnchors, { ...percent, times: 100 }),
  restorative_older: pointsInWords(night.olderRestorativeAnchors, { ...percent, times: 100 }),
  balance: pointsInWords(food.balanceAnchors),
  protein: pointsInWords(food.proteinAnchors, { ...perKilogram, published: [0.66, 0.83] }),
  protein_older: pointsInWords(food.olderProteinAnchors, { ...perKilogram, published: [1] }),
  fiber: pointsInWords(food.fiberAnchors, { unit: ' × the target' }),
  saturated_fat: pointsInWords(food.saturatedFatAnchors, { ...percent, published: [10] }),
  sugar: pointsInWords(food.sugarAnchors, percent),
  sodium: pointsInWords(food.sodiumAnchors, { unit: ' mg', published: [2000] }),
};

const signed = (value: number): string => (value < 0 ? `+ ${figure(-value)}` : `− ${figure(value)}`);

const general = {
  baseline_days: figure(baseline.baselineDays),
  baseline_least: figure(baseline.leastBaselineDays),
  recent_days: figure(baseline.recentDays),
  recent_least: figure(baseline.leastRecentDays),
  outliers: `${figure(baseline.mostMedianDeviations)} × ${figure(baseline.deviationsPerMedianDistance)}`,
  prior_days: figure(baseline.priorDays),
  prior_days_less_one: figure(baseline.priorDays - 1),
  reach_days: figure(reachDays),
  quick_changes: figure(pace.quickChanges),
  quick_gap_minutes: figure(pace.quickGapMs / 60_000),
  slow_gap_hours: figure(pace.slowGapMs / 3_600_000),
  sandbox_gap_minutes: figure(pace.sandboxGapMs / 60_000),
  hrv_prior: figure(variability.spread.prior),
  hrv_floor: figure(variability.spread.least),
  rate_prior: figure(restingHeartRate.spread.prior),
  rate_floor: figure(restingHeartRate.spread.least),
  breathing_prior: figure(respiratoryRate.spread.prior),
  breathing_floor: figure(respiratoryRate.spread.least),
  high_weight: figure(confidenceNeeds.high.weight),
  high_days: figure(confidenceNeeds.high.days),
  medium_weight: figure(confidenceNeeds.medium.weight),
  medium_days: figure(confidenceNeeds.medium.days),
  adult_from: figure(adultFrom),
  older_from: figure(olderFrom),
  sleep_from: figure(sleepFrom),
  limits_positive: figure(directionBounds.sleep_score.positiveFrom),
  limits_negative: figure(Math.ceil(directionBounds.sleep_score.negativeTo)),
  load_positive: figure(directionBounds.strain_score.positiveFrom),
  load_negative: figure(Math.ceil(directionBounds.strain_score.negativeTo)),
  stress_positive: figure(directionBounds.stress_score.positiveFrom),
  stress_negative: figure(directionBounds.stress_score.negativeTo),
};

const ofOne = {
  night_least: figure(night.leastNightMinutes),
  recovery_curve: `100 ÷ (1 + e<sup>−${figure(steepness)} (z ${signed(recoveryCentre)})</sup>)`,
  hrv_most: figure(mostUsefulVariability),
  heart_weight: figure(heartWeight),
  stress_hrv_curve: `100 ÷ (1 + e<sup>−${figure(steepness)} (−z ${signed(stressCentre)})</sup>)`,
  stress_rate_curve: `100 ÷ (1 + e<sup>−${figure(steepness)} (z ${signed(stressCentre)})</sup>)`,
  worn_steps: figure(leastWorn.steps),
  worn_energy: figure(leastWorn.active_calories),
  energy_floor: figure(leastUsualLoad.active_calories),
  exercise_floor: figure(leastUsualLoad.exercise),
  steps_floor: figure(leastUsualLoad.steps),
  log_share: figure(100 * food.leastLogged.share),
  log_energy: figure(food.leastLogged.kcal),
  balance_days: figure(food.balanceOver.days),
  balance_least: figure(food.balanceOver.least),
  fiber_least: figure(food.fiberNeed.least),
  fiber_most: figure(food.fiberNeed.most),
  fiber_per: figure(food.fiberNeed.perThousandKcal),
  weight_index: figure(food.mostReferenceBodyMassIndex),
  fatigue_days: figure(fatigueDays),
  fatigue_constant: figure(fatigueTimeConstant),
};

const inAnApp = {
  tone_steps: [0, ...toneSteps]
    .map(figure)
    .join(', ')
    .replace(/, ([^,]+)$/, ' and $1'),
  tone_ramps: `<span class="ramps">${betterWays.map((better) => `<span><code>${better}</code>${toneScaleHtml(better)}</span>`).join('')}</span>`,
  state_rows: statesForApps(),
};

/** The rows of a score's table begin with its factor and what that weighs. */
const rows = Object.fromEntries(
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

export const scoreWords: Readonly<Record<string, string>> = {
  ...curves,
  ...general,
  ...ofOne,
  ...inAnApp,
  ...rows,
  ...headings,
};
