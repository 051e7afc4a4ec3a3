// What one device reports for one metric on one day: its total, else its nights, else its samples.

import type { Part } from './days.ts';
import { type Aggregation, metricOf } from './metric-table.ts';
import type { Device } from './model-user.ts';
import { add, compare, divide, isZero, mean, minOf, multiply, type Rational, ratio, sum } from './rational.ts';
import { isMoment, type Night, totalKey } from './records.ts';
import type { MinuteField } from './scenario.ts';
import type { View } from './view.ts';

/** A value in the metric's unit, and the same in the unit that the device used. */
export interface ReportedValue {
  value: Rational;
  original: Rational;
  unit: string;
  /**
   * Whether the units may count as mixed, in which case the value is shown in the metric's own
   * unit.
   */
  mayMixUnits: boolean;
}

export function deviceValue(view: View, device: Device, metric: string, date: string): ReportedValue | null {
  return (
    reportedTotal(device, metric, date) ??
    valueFromNights(view.nightsOn(device, date), metric) ??
    valueFromSamples(view.partsOn(device, metric, date), metric) ??
    (metric === 'restorative_sleep' ? valueFromStages(view, device, date) : null)
  );
}

/** The sum of deep and REM sleep, each from its night or its samples. */
function valueFromStages(view: View, device: Device, date: string): ReportedValue | null {
  const [deep, rem] = ['deep_sleep', 'rem_sleep'].map(
    (stage) =>
      valueFromNights(view.nightsOn(device, date), stage) ?? valueFromSamples(view.partsOn(device, stage, date), stage),
  );
  if (!deep || !rem) return null;
  const value = add(deep.value, rem.value);
  return { value, original: value, unit: metricOf('restorative_sleep').unit, mayMixUnits: false };
}

export function reportedTotal(device: Device, metric: string, date: string): ReportedValue | null {
  const total = device.totals.get(totalKey(metric, date));
  return total ? { value: total.value, original: total.originalValue, unit: total.unit, mayMixUnits: false } : null;
}

const fieldOf: Record<string, MinuteField> = {
  asleep: 'asleep_minutes',
  time_in_bed: 'in_bed_minutes',
  time_awake: 'awake_minutes',
  light_sleep: 'light_minutes',
  deep_sleep: 'deep_minutes',
  rem_sleep: 'rem_minutes',
};

function valueFromNights(nights: readonly Night[], metric: string): ReportedValue | null {
  const value = nightValue(nights, metric);
  return value && { value, original: value, unit: metricOf(metric).unit, mayMixUnits: false };
}

function nightValue(nights: readonly Night[], metric: string): Rational | null {
  const field = fieldOf[metric];
  if (field) return minutesOf(nights, field);
  if (metric === 'restorative_sleep') {
    const [deep, rem] = [minutesOf(nights, 'deep_minutes'), minutesOf(nights, 'rem_minutes')];
    return deep && rem && add(deep, rem);
  }
  if (metric === 'longest_sleep')
    return longestNight(nights.filter(({ minutes }) => minutes.asleep_minutes))?.minutes.asleep_minutes ?? null;
  if (metric !== 'sleep_efficiency') return null;
  const { asleep_minutes: asleep = null, in_bed_minutes: inBed = null } = longestNight(nights)?.minutes ?? {};
  return efficiency(asleep, inBed);
}

/** If two are equally long, the earlier one. */
function longestNight(nights: readonly Night[]): Night | undefined {
  const length = Math.max(...nights.map(({ start, end }) => end - start));
  return nights.toSorted((a, b) => a.start - b.start).find(({ start, end }) => end - start === length);
}

export function efficiency(asleep: Rational | null, inBed: Rational | null): Rational | null {
  if (!asleep || !inBed || isZero(inBed)) return null;
  return minOf(ratio(100), divide(multiply(ratio(100), asleep), inBed));
}

function minutesOf(nights: readonly Night[], field: MinuteField): Rational | null {
  const reported = nights.flatMap(({ minutes }) => minutes[field] ?? []);
  return reported.length === 0 ? null : sum(reported);
}

function valueFromSamples(parts: readonly Part[], metric: string): ReportedValue | null {
  const { aggregation, unit } = metricOf(metric);
  const inOrder = parts.toSorted((a, b) => a.sample.start - b.sample.start || a.sample.end - b.sample.end);
  const value = aggregate(
    aggregation,
    inOrder.map((part) => multiply(part.sample.value, timeShare(part))),
  );
  if (value === null) return null;
  if (aggregation !== 'sum' && aggregation !== 'avg') {
    const chosen = inOrder.findLast(({ sample }) => compare(sample.value, value) === 0);
    return chosen
      ? { value, original: chosen.sample.originalValue, unit: chosen.sample.unit, mayMixUnits: false }
      : null;
  }
  const used = commonUnit(parts);
  const original = aggregate(
    aggregation,
    inOrder.map((part) => multiply(part.sample.originalValue, timeShare(part))),
  );
  if (used === null || original === null) return { value, original: value, unit, mayMixUnits: false };
  return { value, original, unit: used, mayMixUnits: hasMixedSpellings(parts) };
}

/** The fraction of its sample that a part covers, by time. */
export function timeShare({ sample, from, to }: Part): Rational {
  return isMoment(sample) ? ratio(1) : ratio(to - from, sample.end - sample.start);
}

/** Null if the samples have several units. */
export function commonUnit(parts: readonly Part[]): string | null {
  const [first, ...others] = new Set(parts.map(({ sample }) => sample.unit));
  return first !== undefined && others.length === 0 ? first : null;
}

export const hasMixedSpellings = (parts: readonly Part[]): boolean =>
  new Set(parts.map(({ sample }) => sample.spelling)).size > 1;

/** The values are ordered by start, then by end. */
export function aggregate(how: Aggregation, values: readonly Rational[]): Rational | null {
  const [first, ...others] = values;
  if (!first) return null;
  switch (how) {
    case 'sum':
      return sum(values);
    case 'avg':
      return mean(values);
    case 'last':
      return values.at(-1) ?? first;
    case 'min':
      return others.reduce((min, value) => (compare(value, min) < 0 ? value : min), first);
    case 'max':
      return others.reduce((max, value) => (compare(value, max) > 0 ? value : max), first);
  }
}
