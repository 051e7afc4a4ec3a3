// Suunto's samples of the day: sparse, and told again with other fields.
import type { MetricId } from '../../catalog/metrics.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import type { Gathering } from '../kit/gathering.ts';
import type { ReadItem } from '../kit/read-items.ts';
import { readInstant } from '../phone/read-time.ts';
import type { SuuntoActivity } from './items.ts';
import { suuntoOxygen, suuntoPulse } from './units.ts';

/** Each tells of so long. */
const stepMs = 600_000;

export const suuntoActivityMetrics = [
  'heart_rate',
  'max_heart_rate',
  'blood_oxygen',
  'heart_rate_variability_rmssd',
  'steps',
] as const satisfies MetricId[];

/** Returns the days that steps were told of. */
export function gatherSuuntoActivity(
  gathering: Gathering,
  items: readonly ReadItem<SuuntoActivity>[],
  days: DaysAsked,
): Set<string> {
  const walked = new Set<string>();
  for (const { path, item } of merged(items)) {
    const at = readInstant(item.timestamp);
    if (!at) {
      gathering.reject(`${path}.timestamp`, 'invalid_time', 'A sample needs a time with an offset.');
      continue;
    }
    const { ms: startMs, offsetMinutes } = at;
    const date = days.dateOf(startMs);
    if (!days.holds(date)) continue;
    gatherMoment(gathering, path, item.entryData, { startMs, offsetMinutes });
    if (typeof item.entryData.StepCount === 'number') walked.add(date);
  }
  return walked;
}

/** Of one time, the last that says something of a field. */
function merged(items: readonly ReadItem<SuuntoActivity>[]): ReadItem<SuuntoActivity>[] {
  const byTime = new Map<string, ReadItem<SuuntoActivity>>();
  for (const each of items) {
    const { timestamp, entryData } = each.item;
    const before = byTime.get(timestamp)?.item.entryData;
    const said = Object.fromEntries(Object.entries(entryData).filter(([, value]) => value !== null));
    byTime.set(timestamp, { path: each.path, item: { timestamp, entryData: { ...before, ...said } } });
  }
  return [...byTime.values()];
}

function gatherMoment(
  gathering: Gathering,
  path: string,
  { HR, HRExt, SpO2, HRV, StepCount }: SuuntoActivity['entryData'],
  at: { startMs: number; offsetMinutes: number | null },
): void {
  const beats: readonly (readonly [MetricId, typeof HR])[] = [
    ['heart_rate', HR],
    ['min_heart_rate', HRExt?.Min],
    ['max_heart_rate', HRExt?.Max],
  ];
  for (const [metric, value] of beats) {
    const pulse = suuntoPulse(value);
    if (pulse) gathering.sample(`${path}.${metric}`, metric, at, pulse.value, pulse.unit);
  }
  const oxygen = suuntoOxygen(SpO2);
  if (oxygen) gathering.sample(`${path}.SpO2`, 'blood_oxygen', at, oxygen.value, oxygen.unit);
  if (HRV && HRV > 0) gathering.sample(`${path}.HRV`, 'heart_rate_variability_rmssd', at, HRV);
  const span = { ...at, endMs: at.startMs + stepMs };
  gathering.sample(`${path}.StepCount`, 'steps', span, StepCount);
}
