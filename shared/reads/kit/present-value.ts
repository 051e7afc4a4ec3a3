// Renders a stored value in the requested unit system, rounded to the metric's precision.
import { round, type SampleId, sampleRow, toImperial } from '../../catalog/metrics.ts';
import type { Unit } from '../../catalog/units.ts';
import type { UnitSystem } from './read-parameters.ts';

export function presentValue(metric: SampleId, value: number, unitSystem: UnitSystem): number {
  return unitSystem === 'metric' ? round(metric, value) : toImperial(metric, value);
}

export function presentUnit(metric: SampleId, unitSystem: UnitSystem): Unit {
  const { unit, imperialUnit } = sampleRow(metric);
  return unitSystem === 'metric' ? unit : imperialUnit;
}
