// Suunto's samples of the day, which are sparse and are sent again with other fields.
import type { MetricId } from '../../catalog/metrics.ts';
import type { ReadItem } from '../kit/read-items.ts';
import type { RecordBuilder } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { readInstant } from '../phone/read-time.ts';
import type { SuuntoActivity } from './items.ts';
import { readSuuntoOxygen, readSuuntoPulse } from './units.ts';

/** The span of each sample. */
const sampleMs = 600_000;

export const suuntoActivityMetrics = [
  'heart_rate',
  'max_heart_rate',
  'blood_oxygen',
  'heart_rate_variability_rmssd',
  'steps',
] as const satisfies MetricId[];

/** Returns the days that have steps. */
export function addSuuntoActivity(
  builder: RecordBuilder,
  items: readonly ReadItem<SuuntoActivity>[],
  days: RequestedDays,
): Set<string> {
  const daysWithSteps = new Set<string>();
  for (const { path, item } of mergeByTime(items)) {
    const at = readInstant(item.timestamp);
    if (!at) {
      builder.reject(`${path}.timestamp`, 'invalid_time', 'A sample must have a time with an offset.');
      continue;
    }
    const { ms: startMs, offsetMinutes } = at;
    const date = days.dateOf(startMs);
    if (!days.includes(date)) continue;
    addMoment(builder, path, item.entryData, { startMs, offsetMinutes });
    if (typeof item.entryData.StepCount === 'number') daysWithSteps.add(date);
  }
  return daysWithSteps;
}

/** Merges samples of the same time; the last value of each field counts. */
function mergeByTime(items: readonly ReadItem<SuuntoActivity>[]): ReadItem<SuuntoActivity>[] {
  const byTime = new Map<string, ReadItem<SuuntoActivity>>();
  for (const each of items) {
    const { timestamp, entryData } = each.item;
    const previous = byTime.get(timestamp)?.item.entryData;
    const presentFields = Object.fromEntries(Object.entries(entryData).filter(([, value]) => value !== null));
    byTime.set(timestamp, { path: each.path, item: { timestamp, entryData: { ...previous, ...presentFields } } });
  }
  return [...byTime.values()];
}

function addMoment(
  builder: RecordBuilder,
  path: string,
  { HR, HRExt, SpO2, HRV, StepCount }: SuuntoActivity['entryData'],
  at: { startMs: number; offsetMinutes: number | null },
): void {
  const heartRates: readonly (readonly [MetricId, typeof HR])[] = [
    ['heart_rate', HR],
    ['min_heart_rate', HRExt?.Min],
    ['max_heart_rate', HRExt?.Max],
  ];
  for (const [metric, value] of heartRates) {
    const pulse = readSuuntoPulse(value);
    if (pulse) builder.addSample(`${path}.${metric}`, metric, at, pulse.value, pulse.unit);
  }
  const oxygen = readSuuntoOxygen(SpO2);
  if (oxygen) builder.addSample(`${path}.SpO2`, 'blood_oxygen', at, oxygen.value, oxygen.unit);
  if (HRV && HRV > 0) builder.addSample(`${path}.HRV`, 'heart_rate_variability_rmssd', at, HRV);
  const span = { ...at, endMs: at.startMs + sampleMs };
  builder.addSample(`${path}.StepCount`, 'steps', span, StepCount);
}
