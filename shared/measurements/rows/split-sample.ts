// Determines the local days on which a sample counts, and its share of each.

import { isSessionMetric, type SampleId, sampleRow } from '../../catalog/metrics.ts';
import { removeFloatNoise } from '../../platform/arithmetic.ts';
import {
  addDays,
  type DateRange,
  type DayRule,
  dayBounds,
  localDate,
  localDayEnd,
} from '../../platform/time/local-day.ts';
import type { StoredSample } from '../codec/sample-block.ts';
import type { Original } from '../records.ts';
import type { Span } from '../timeline.ts';

export interface DayPart {
  date: string;
  startMs: number;
  endMs: number;
  value: number;
  original?: Original | undefined;
}

/**
 * Samples of accruing metrics are split at the end of each local day; all others count on the day
 * they start.
 */
export function splitSampleByDay(metric: SampleId, sample: StoredSample, rule: DayRule): DayPart[] {
  const { startMs, endMs, value, original } = sample;
  const date = localDate(startMs, rule, sample);
  if (!sampleRow(metric).accrues || endMs === startMs || localDate(endMs - 1, rule, sample) === date)
    return [{ date, startMs, endMs, value, original }];
  const parts: DayPart[] = [];
  for (let at = startMs; at < endMs; ) {
    const today = localDate(at, rule, sample);
    const end = localDayEnd(today, rule, sample);
    // When clocks go back across midnight, the end of a day may be in the past; the rest is then
    // not split.
    const until = end > at && end < endMs ? end : endMs;
    const share = (until - at) / (endMs - startMs);
    parts.push({
      date: today,
      startMs: at,
      endMs: until,
      value: value * share,
      original: original && { value: removeFloatNoise(original.value * share), unit: original.unit },
    });
    at = until;
  }
  return parts;
}

/**
 * Returns the first and last UTC day on which samples may start that count on these local days: a
 * UTC offset shifts a sample by most of a day, a split or a night by one more.
 */
export function utcDaysAround(metric: SampleId, from: string, to = from): DateRange {
  if (isSessionMetric(metric)) return { from: addDays(from, -3), to: addDays(to, 2) };
  return { from: addDays(from, sampleRow(metric).accrues ? -2 : -1), to: addDays(to, 1) };
}

/** The largest UTC offset that a record can carry. */
const maxOffsetMs = 14 * 3_600_000;
/**
 * When clocks go back across midnight, a sample that starts after the end of a day may count on it.
 */
const maxClockChangeMs = 3 * 3_600_000;

/**
 * A sample that starts outside this span counts on none of these days, unless it is split or part
 * of a night.
 */
export function getStartSpan({ from, to }: DateRange, { zone, by }: DayRule): Span {
  const marginMs = by === 'profile' ? maxClockChangeMs : maxOffsetMs;
  const calendar = by === 'profile' ? zone : null;
  return { startMs: dayBounds(from, calendar).startMs - marginMs, endMs: dayBounds(to, calendar).endMs + marginMs };
}
