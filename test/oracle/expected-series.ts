// What the timeseries reads must return: a day in equal steps, and individual samples.
import { cellMs, cellOf } from './cell-coverage.ts';
import { amountIn, type CountedSample, countedSamples } from './counted-samples.ts';
import { aggregate } from './device-value.ts';
import { metricOf } from './metric-table.ts';
import { type Device, enabledDevices } from './model-user.ts';
import { add, type Rational, zero } from './rational.ts';
import { isMoment, recordedOffsetText, type Sample } from './records.ts';
import { groupOf, isMerged } from './rules.ts';
import type { ColumnRead } from './scenario.ts';
import { intersectSpans, unionSpans } from './spans.ts';
import type { View } from './view.ts';
import { clockText, datesBetween, dayBounds, type Span } from './zone-clock.ts';

/** A number in the metric's unit. Null if there must be none, unless the tolerance allows one. */
export interface Step {
  from: number;
  value: Rational | null;
  tolerance: Rational;
}
export interface Column {
  start: string;
  /** The instant of `start`. A day that its zone skipped has one too, but no steps. */
  startMs: number;
  stepSeconds: number;
  steps: Step[];
  /** The single device of a metric that is not merged. */
  device: Device | null;
}

const stepSeconds = { '1m': 60, '5m': 300, '15m': 900, '1h': 3600 };

export function expectedColumn(view: View, { metric, date, resolution }: ColumnRead): Column {
  const { from, to } = dayBounds(view.clock, date);
  const seconds = stepSeconds[resolution];
  const windows: Span[] = [];
  for (let at = from; at < to; at += seconds * 1000) windows.push({ from: at, to: Math.min(to, at + seconds * 1000) });
  const head = { start: clockText(view.clock, from), startMs: from, stepSeconds: seconds };
  if (isMerged(metric)) {
    const counted = [...countedSamples(view, metric, enabledDevices(view.user, metric)).values()];
    return { ...head, steps: windows.map((window) => mergedStep(counted, window)), device: null };
  }
  const chosen = findDayDevice(view, metric, { from, to });
  const steps = windows.map((window) => ({
    from: window.from,
    value: plainStep(chosen?.samples ?? [], metric, window),
    tolerance: zero,
  }));
  return { ...head, steps, device: chosen?.device ?? null };
}

function mergedStep(counted: readonly CountedSample[], window: Span): Step {
  let step: Step = { from: window.from, value: null, tolerance: zero };
  for (const each of counted) {
    if (each.sample.start >= window.to || each.sample.end < window.from) continue;
    const { value, tolerance, touches } = amountIn(each, window);
    step = {
      from: window.from,
      value: touches ? add(step.value ?? zero, value) : step.value,
      tolerance: add(step.tolerance, tolerance),
    };
  }
  return step;
}

function plainStep(samples: readonly Sample[], metric: string, window: Span): Rational | null {
  const values = samples.filter((sample) => startsIn(sample, window)).map(({ value }) => value);
  return aggregate(metricOf(metric).aggregation, values);
}

/**
 * The highest-ranked device with a sample that starts on the day, and those samples in order. For a
 * group, samples of the lead metric determine the device of every member, or else samples of any;
 * if the group is not bound, a member that this device lacks comes from the next one.
 */
function findDayDevice(view: View, metric: string, day: Span): { device: Device; samples: Sample[] } | null {
  const { lead, members, isBound } = groupOf(metric) ?? { lead: metric, members: [metric], isBound: true };
  const samplesOn = (device: Device, member: string): Sample[] =>
    view.samplesOf(device, member).filter((sample) => startsIn(sample, day));
  const devices = enabledDevices(view.user, metric);
  const leading = devices.filter((each) => samplesOn(each, lead).length > 0).slice(0, 1);
  const device = isBound
    ? (leading[0] ?? devices.find((each) => members.some((member) => samplesOn(each, member).length > 0)))
    : [...leading, ...devices].find((each) => samplesOn(each, metric).length > 0);
  const samples = device ? samplesOn(device, metric) : [];
  if (!device || samples.length === 0) return null;
  return { device, samples: samples.toSorted((a, b) => a.start - b.start || a.end - b.end) };
}

const startsIn = ({ start }: Sample, { from, to }: Span): boolean => from <= start && start < to;

export interface ListedSample {
  timestamp: string;
  metric: string;
  value: Rational;
  device: Device;
  unit: string;
  utc_offset: string | null;
  /** The value that the device reported, or the counted share of it. */
  original: Rational;
}

/**
 * A span in which coarse merging decides what counts. The samples that begin in it must add up to
 * this value.
 */
export interface UncertainSpan {
  metric: string;
  device: Device;
  span: Span;
  value: Rational;
  tolerance: Rational;
  /** The offsets of the samples that it is made of. */
  offsets: Set<string | null>;
}

export interface ExpectedSamples {
  certain: ListedSample[];
  uncertain: UncertainSpan[];
}

export function expectedSamples(view: View, metric: string, from: string, to: string): ExpectedSamples {
  const days = datesBetween(from, to).map((date) => dayBounds(view.clock, date));
  if (!isMerged(metric)) return { certain: days.flatMap((day) => plainSamples(view, metric, day)), uncertain: [] };
  const counted = [...countedSamples(view, metric, enabledDevices(view.user, metric)).values()];
  const spans = days.flatMap((day) => counted.flatMap((each) => findSpans(each, day).map((span) => ({ each, span }))));
  const isCertain = ({ each, span }: (typeof spans)[number]): boolean =>
    !each.looseMoment && intersectSpans(each.looseSpans, span).length === 0;
  return {
    certain: spans.filter(isCertain).map(({ each, span }) => toListedSample(each, span)),
    uncertain: spans.filter((stretch) => !isCertain(stretch)).map(({ each, span }) => toUncertainSpan(each, span)),
  };
}

function plainSamples(view: View, metric: string, day: Span): ListedSample[] {
  const chosen = findDayDevice(view, metric, day);
  return (chosen?.samples ?? []).map((sample) => ({
    timestamp: new Date(sample.start).toISOString(),
    metric,
    device: chosen?.device ?? throwMissingDevice(),
    value: sample.value,
    unit: sample.unit,
    utc_offset: recordedOffsetText(sample),
    original: sample.originalValue,
  }));
}

/**
 * The spans of a sample that count, or may count, on a day. Each is listed separately, at its own
 * start.
 */
function findSpans({ sample, spans, moment, looseSpans, looseMoment }: CountedSample, day: Span): Span[] {
  if (!isMoment(sample)) return intersectSpans(unionSpans([...spans, ...looseSpans]), day);
  return startsIn(sample, day) && (moment || looseMoment) ? [{ from: sample.start, to: sample.start + 1 }] : [];
}

function toListedSample(counted: CountedSample, span: Span): ListedSample {
  const { value, original } = amountIn(counted, span);
  const { device, sample } = counted;
  const { metric, unit } = sample;
  const timestamp = new Date(span.from).toISOString();
  return { timestamp, metric, device, value, unit, utc_offset: recordedOffsetText(sample), original };
}

/**
 * Samples within the same five minutes may be merged, so the rest of one may begin anywhere within
 * them.
 */
function toUncertainSpan(counted: CountedSample, span: Span): UncertainSpan {
  const { value, tolerance } = amountIn(counted, span);
  const cells = { from: cellOf(span.from) * cellMs, to: (cellOf(span.to - 1) + 1) * cellMs };
  const { device, sample } = counted;
  const offsets = new Set([recordedOffsetText(sample)]);
  return { metric: sample.metric, device, span: cells, value, tolerance, offsets };
}

function throwMissingDevice(): never {
  throw new Error('samples without a device');
}
