// The figures of the formulas, which the examples on the page compute with.

import { scoreTable } from '../../../shared/catalog/score-table.ts';
import { minAdultAge, minOlderAdultAge, minSleepScoreAge } from '../../../shared/scores/age-limits.ts';
import { minBaselineDays, priorDays } from '../../../shared/scores/baseline.ts';
import { confidenceThresholds } from '../../../shared/scores/confidence.ts';
import { steepness } from '../../../shared/scores/curves.ts';
import { directionBounds } from '../../../shared/scores/direction.ts';
import { fatigueDays, fatigueTimeConstant } from '../../../shared/scores/energy-reserve-score.ts';
import { heartRateVariability, respiratoryRate, restingHeartRate } from '../../../shared/scores/heart-deviations.ts';
import {
  balanceAnchors,
  balanceWindow,
  fiberAnchors,
  fiberNeed,
  maxReferenceBodyMassIndex,
  minLogged,
  olderProteinAnchors,
  proteinAnchors,
  saturatedFatAnchors,
  sodiumAnchors,
  sugarAnchors,
} from '../../../shared/scores/nutrition-score.ts';
import { heartWeight, maxUsefulVariability, recoveryCentre } from '../../../shared/scores/recovery-score.ts';
import {
  buildDurationAnchors,
  efficiencyAnchors,
  findSleepNeed,
  latencyAnchors,
  minNightMinutes,
  olderLatencyAnchors,
  olderRestorativeAnchors,
  restorativeAnchors,
  sleepNeeds,
} from '../../../shared/scores/sleep-score.ts';
import { minUsualLoad, minWorn } from '../../../shared/scores/strain-score.ts';
import { stressCentre } from '../../../shared/scores/stress-score.ts';
import { scoreExamples, usualNight } from './score-examples.ts';
import { toneSteps } from './score-tones.ts';

const toNeedFigures = (need: ReturnType<typeof findSleepNeed>) => ({
  fromAge: need.fromAge,
  recommendedHours: need.recommended[0],
  duration: buildDurationAnchors(need),
});

export const scoreFigures = {
  scores: Object.fromEntries(
    scoreTable.map(({ id, displayName, better, factors }) => [
      id,
      {
        name: displayName,
        better,
        factors: factors.map(({ name, weight }) => ({ name, weight })),
        bounds: directionBounds[id],
        ...scoreExamples[id],
      },
    ]),
  ),
  ages: { adultFrom: minAdultAge, sleepFrom: minSleepScoreAge, olderFrom: minOlderAdultAge },
  confidence: confidenceThresholds,
  baseline: { least: minBaselineDays, priorDays },
  steepness,
  toneSteps,
  sleep: {
    leastNightMinutes: minNightMinutes,
    needs: sleepNeeds.map(toNeedFigures),
    needOfUnknownAge: toNeedFigures(findSleepNeed(null)),
    efficiency: efficiencyAnchors,
    restorative: restorativeAnchors,
    olderRestorative: olderRestorativeAnchors,
    latency: latencyAnchors,
    olderLatency: olderLatencyAnchors,
  },
  heart: {
    usual: usualNight,
    spreads: {
      variability: heartRateVariability.spread,
      rate: restingHeartRate.spread,
      breathing: respiratoryRate.spread,
    },
    recoveryCentre,
    mostUsefulVariability: maxUsefulVariability,
    heartWeight,
    stressCentre,
  },
  strain: { leastWorn: minWorn, leastUsualLoad: minUsualLoad },
  nutrition: {
    leastLogged: minLogged,
    balanceOver: balanceWindow,
    fiberNeed,
    mostReferenceBodyMassIndex: maxReferenceBodyMassIndex,
    balance: balanceAnchors,
    protein: proteinAnchors,
    olderProtein: olderProteinAnchors,
    fiber: fiberAnchors,
    saturatedFat: saturatedFatAnchors,
    sugar: sugarAnchors,
    sodium: sodiumAnchors,
  },
  fatigue: { days: fatigueDays, timeConstant: fatigueTimeConstant },
} as const;
