// A stored value as a reader sees it: in the unit asked for, rounded to the metric's own precision.
import { round, type SampleId, sampleRow, toImperial } from '../../catalog/metrics.ts';
import type { UnitSystem } from './read-parameters.ts';

export function presentValue(metric: SampleId, value: number, unitSystem: UnitSystem): number {
  return unitSystem === 'metric' ? round(metric, value) : toImperial(metric, value);
}

export function presentUnit(metric: SampleId, unitSystem: UnitSystem): string {
  const { unit, imperialUnit } = sampleRow(metric);
  return unitSystem === 'metric' ? unit : imperialUnit;
}
