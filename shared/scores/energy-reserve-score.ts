// Energy reserve: what recovery gave, less what today and the days before have taken, fading as fatigue does. After Morton et al. 1990.
import { type NoScore, noData } from '../catalog/score-states.ts';
import { lowestConfidence } from './confidence.ts';
import { computeWeightedScore, isScored, type ScoreOutcome } from './scoring.ts';

export const fatigueDays = 7;
/** In days. Our choice: one published fit has 19, between 6 and 32. */
export const fatigueTimeConstant = 7;
/** What is left of a day's fatigue on the next one. */
const dailyDecay = Math.exp(-1 / fatigueTimeConstant);

/** Needs both; `strainOn` tells of the days before, too. */
export function energyReserveScore(recovery: ScoreOutcome, strainOn: (back: number) => ScoreOutcome): ScoreOutcome {
  const strain = strainOn(0);
  if (!isScored(recovery)) return recovery;
  if (!isScored(strain)) return explainMissingStrain(strain);
  const effortBefore = computeFatigue(strainOn);
  const score = computeWeightedScore('energy_reserve_score', {
    recovery: { points: recovery.value, input: 'recovery_score', value: recovery.value, source: null },
    effort_today: { points: 100 - strain.value, input: 'strain_score', value: strain.value, source: null },
    effort_before:
      effortBefore === null
        ? null
        : { points: 100 - effortBefore, input: 'strain_score', value: effortBefore, source: null },
  });
  if (score === null) return noData;
  return { ...score, confidence: lowestConfidence(score.confidence, recovery.confidence, strain.confidence) };
}

/** What keeps strain away keeps this away; the inputs that it needs itself, those of recovery, are there. */
const explainMissingStrain = (strain: NoScore): NoScore =>
  strain.status === 'missing' && strain.reason === 'no_data' ? { status: 'missing', reason: 'no_strain' } : strain;

/** The strain of the week before, newer days counting more; null when none of them has a strain. */
function computeFatigue(strainOn: (back: number) => ScoreOutcome): number | null {
  const strains: { strain: number; weight: number }[] = [];
  for (let back = 1; back <= fatigueDays; back++) {
    const strain = strainOn(back);
    if (isScored(strain)) strains.push({ strain: strain.value, weight: dailyDecay ** back });
  }
  if (strains.length === 0) return null;
  const totalWeight = strains.reduce((sum, { weight }) => sum + weight, 0);
  return strains.reduce((sum, { strain, weight }) => sum + strain * weight, 0) / totalWeight;
}
