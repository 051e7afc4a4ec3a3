// The figures of the formulas, as the examples in the page compute with them.
import { adultFrom, olderFrom, sleepFrom } from '../../../shared/domain/scores/ages.ts';
import { leastBaselineDays, priorDays } from '../../../shared/domain/scores/baseline.ts';
import { confidenceNeeds } from '../../../shared/domain/scores/confidence.ts';
import { steepness } from '../../../shared/domain/scores/curves.ts';
import { directionBounds } from '../../../shared/domain/scores/direction.ts';
import { fatigueDays, fatigueTimeConstant } from '../../../shared/domain/scores/energy-reserve-score.ts';
import { respiratoryRate, restingHeartRate, variability } from '../../../shared/domain/scores/heart.ts';
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
} from '../../../shared/domain/scores/nutrition-score.ts';
import { heartWeight, mostUsefulVariability, recoveryCentre } from '../../../shared/domain/scores/recovery-score.ts';
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
} from '../../../shared/domain/scores/sleep-score.ts';
import { leastUsualLoad, leastWorn } from '../../../shared/domain/scores/strain-score.ts';
import { stressCentre } from '../../../shared/domain/scores/stress-score.ts';
import { scoreTable } from '../../../shared/model/score-table.ts';
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
