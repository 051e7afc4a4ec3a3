// The local days a sample counts on, and with how much on each.

import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import { isSleepMetric } from '../../catalog/sleep-metrics.ts';
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

/** What accrues while time passes is split where a local day ends; everything else counts where it starts. */
export function splitSampleByDay(metric: SampleId, sample: StoredSample, rule: DayRule): DayPart[] {
  const { startMs, endMs, value, original } = sample;
  const date = localDate(startMs, rule, sample);
  if (!sampleRow(metric).accrues || endMs === startMs || localDate(endMs - 1, rule, sample) === date)
    return [{ date, startMs, endMs, value, original }];
  const parts: DayPart[] = [];
  for (let at = startMs; at < endMs; ) {
    const today = localDate(at, rule, sample);
    const end = localDayEnd(today, rule, sample);
    // Where clocks go back over midnight a day's end may lie behind: the rest stays together.
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

/** The first and last UTC day on which samples begin that may count on a local day: an offset moves it by most of a day, a split or a night by another. */
export function utcDaysAround(metric: SampleId, from: string, to = from): DateRange {
  if (isSleepMetric(metric)) return { from: addDays(from, -3), to: addDays(to, 2) };
  return { from: addDays(from, sampleRow(metric).accrues ? -2 : -1), to: addDays(to, 1) };
}

/** The largest UTC offset that a record can carry. */
const maxOffsetMs = 14 * 3_600_000;
/** When clocks go back over midnight, a sample that starts after the end of a day may count on it. */
const maxClockChangeMs = 3 * 3_600_000;

/** A sample that starts outside this span counts on none of these days, unless it is split or part of a night. */
export function getStartSpan({ from, to }: DateRange, { zone, by }: DayRule): Span {
  const marginMs = by === 'profile' ? maxClockChangeMs : maxOffsetMs;
  const calendar = by === 'profile' ? zone : null;
  return { startMs: dayBounds(from, calendar).startMs - marginMs, endMs: dayBounds(to, calendar).endMs + marginMs };
}
