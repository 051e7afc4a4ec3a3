// Renders the parts of a score that both forms share: its metadata, the reason for a missing value,
// and its factors.

import { isMetricId, round } from '../../catalog/metrics.ts';
import type { ScoreId } from '../../catalog/score-ids.ts';
import { getMissingInputs, type NoScore } from '../../catalog/score-states.ts';
import { formulaName, scoreRow } from '../../catalog/score-table.ts';
import { roundTo } from '../../platform/arithmetic.ts';
import { presentDevice } from '../kit/source.ts';
import type { ExplainedFactor, ScoreState } from './form-2-schema.ts';
import { isScoreResult, type ScoreResult } from './read-scores.ts';
import type { ExplainableFactor } from './score-explanations.ts';

export const presentScoreMeta = (id: ScoreId, { confidence, version, isProvisional }: ScoreResult) => ({
  status: isProvisional ? ('provisional' as const) : ('ready' as const),
  confidence,
  formula: formulaName(id, version),
  better: scoreRow(id).better,
});

export function presentState(id: ScoreId, entry: ScoreResult | NoScore): ScoreState {
  if (isScoreResult(entry)) return { status: entry.isProvisional ? 'provisional' : 'ready' };
  if (entry.status !== 'missing') return entry;
  return { ...entry, inputs: [...getMissingInputs(id, entry.reason)] };
}

export function presentFactor({ name, contribution, direction, explanation }: ExplainableFactor): ExplainedFactor {
  if (!explanation) return { name, contribution, direction };
  const { input, value, usual, z, points, weight, device, isSeeded } = explanation;
  const roundInUnit = (amount: number) => (isMetricId(input) ? round(input, amount) : roundTo(1, amount));
  return {
    name,
    contribution,
    direction,
    input,
    value: roundInUnit(value),
    usual: usual === undefined ? null : roundInUnit(usual),
    z: z === undefined ? null : roundTo(2, z),
    points: roundTo(1, points),
    weight: roundTo(1, weight),
    source: device ? presentDevice(device) : null,
    ...(isSeeded ? { baseline: 'seeded' as const } : {}),
  };
}
