// The figures of the formulas, as the examples in the page compute with them.

import { scoreTable } from '../../../shared/catalog/score-table.ts';
import { adultFrom, olderFrom, sleepFrom } from '../../../shared/scores/ages.ts';
import { leastBaselineDays, priorDays } from '../../../shared/scores/baseline.ts';
import { confidenceNeeds } from '../../../shared/scores/confidence.ts';
import { steepness } from '../../../shared/scores/curves.ts';
import { directionBounds } from '../../../shared/scores/direction.ts';
import { fatigueDays, fatigueTimeConstant } from '../../../shared/scores/energy-reserve-score.ts';
import { respiratoryRate, restingHeartRate, variability } from '../../../shared/scores/heart.ts';
import {
  balanceAnchors,
  balanceOver,
  fiberAnchors,
  fiberNeed,
  leastLogged,
  mostReferenceBodyMassIndex,
  olderProteinAnchors,
  proteinAnchors,
  saturatedFatAnchors,
  sodiumAnchors,
  sugarAnchors,
} from '../../../shared/scores/nutrition-score.ts';
import { heartWeight, mostUsefulVariability, recoveryCentre } from '../../../shared/scores/recovery-score.ts';
import {
  durationAnchors,
  efficiencyAnchors,
  latencyAnchors,
  leastNightMinutes,
  needAt,
  olderLatencyAnchors,
  olderRestorativeAnchors,
  restorativeAnchors,
  sleepNeeds,
} from '../../../shared/scores/sleep-score.ts';
import { leastUsualLoad, leastWorn } from '../../../shared/scores/strain-score.ts';
import { stressCentre } from '../../../shared/scores/stress-score.ts';
import { scoreExamples, usualNight } from './score-examples.ts';
import { toneSteps } from './score-tones.ts';

const needFigures = (need: ReturnType<typeof needAt>) => ({
  fromAge: need.fromAge,
  recommendedHours: need.recommended[0],
  duration: durationAnchors(need),
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
  ages: { adultFrom, sleepFrom, olderFrom },
  confidence: confidenceNeeds,
  baseline: { least: leastBaselineDays, priorDays },
  steepness,
  toneSteps,
  sleep: {
    leastNightMinutes,
    needs: sleepNeeds.map(needFigures),
    needOfUnknownAge: needFigures(needAt(null)),
    efficiency: efficiencyAnchors,
    restorative: restorativeAnchors,
    olderRestorative: olderRestorativeAnchors,
    latency: latencyAnchors,
    olderLatency: olderLatencyAnchors,
  },
  heart: {
    usual: usualNight,
    spreads: { variability: variability.spread, rate: restingHeartRate.spread, breathing: respiratoryRate.spread },
    recoveryCentre,
    mostUsefulVariability,
    heartWeight,
    stressCentre,
  },
  strain: { leastWorn, leastUsualLoad },
  nutrition: {
    leastLogged,
    balanceOver,
    fiberNeed,
    mostReferenceBodyMassIndex,
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
