// Energy reserve: recovery minus the effort of today and of the preceding days, which decays like
// fatigue. After Morton et al. 1990.
import { type NoScore, noData } from '../catalog/score-states.ts';
import { lowestConfidence } from './confidence.ts';
import { computeWeightedScore, isScored, type ScoreOutcome } from './scoring.ts';

export const fatigueDays = 7;
/** In days. This value is our choice: one published fit has 19, between 6 and 32. */
export const fatigueTimeConstant = 7;
/** The fraction of a day's fatigue that remains on the next day. */
const dailyDecay = Math.exp(-1 / fatigueTimeConstant);

/** Needs both recovery and strain. `strainOn` also returns the strain of the preceding days. */
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

/**
 * The reason for a missing strain is also the reason here. `no_data` becomes `no_strain`, because
 * the inputs of recovery are present.
 */
const explainMissingStrain = (strain: NoScore): NoScore =>
  strain.status === 'missing' && strain.reason === 'no_data' ? { status: 'missing', reason: 'no_strain' } : strain;

/**
 * Returns the weighted mean strain of the preceding week, with more weight on newer days; null when
 * none of them has a strain.
 */
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
