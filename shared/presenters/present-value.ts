// A stored value as a reader sees it: in the unit asked for, rounded to the metric's own precision.
import { type MetricId, metricRow, round, toImperial } from '../model/metrics.ts';
import type { UnitSystem } from '../model/read-parameters.ts';

export function presentValue(metric: MetricId, value: number, unitSystem: UnitSystem): number {
  return unitSystem === 'metric' ? round(metric, value) : toImperial(metric, value);
}

export function presentUnit(metric: MetricId, unitSystem: UnitSystem): string {
  const { unit, imperialUnit } = metricRow(metric);
  return unitSystem === 'metric' ? unit : imperialUnit;
}
