// What the timeseries calls must answer: a day in equal steps, and samples one by one.
import { aggregate } from './device-value.ts';
import { amountIn, type Kept, keptSamples } from './kept.ts';
import type { ColumnRead } from './life.ts';
import { metricOf } from './metric-table.ts';
import { believed, type Device } from './person.ts';
import { add, isZero, type Rational, zero } from './rational.ts';
import { isMoment, type Sample } from './records.ts';
import { isMerged } from './rules.ts';
import type { View } from './view.ts';
import { clockText, datesBetween, dayBounds, type Span } from './zone-clock.ts';

/** A number in the metric's unit; null where there must be none, unless the tolerance allows one. */
export interface Step {
  from: number;
  value: Rational | null;
  tolerance: Rational;
}
export interface Column {
  start: string;
  stepSeconds: number;
  steps: Step[];
  /** The one device of a metric that is not merged. */
  device: Device | null;
}

const stepSeconds = { '1m': 60, '5m': 300, '15m': 900, '1h': 3600 };

export function expectedColumn(view: View, { metric, date, resolution }: ColumnRead): Column {
  const { from, to } = dayBounds(view.clock, date);
  const seconds = stepSeconds[resolution];
  const windows: Span[] = [];
  for (let at = from; at < to; at += seconds * 1000) windows.push({ from: at, to: Math.min(to, at + seconds * 1000) });
  const head = { start: clockText(view.clock, from), stepSeconds: seconds };
  if (isMerged(metric)) {
    const kept = [...keptSamples(view, metric, believed(view.person, metric)).values()];
    return { ...head, steps: windows.map((window) => mergedStep(kept, window)), device: null };
  }
  const chosen = deviceOfDay(view, metric, { from, to });
  const steps = windows.map((window) => ({
    from: window.from,
    value: plainStep(chosen?.samples ?? [], metric, window),
    tolerance: zero,
  }));
  return { ...head, steps, device: chosen?.device ?? null };
}

function mergedStep(kept: readonly Kept[], window: Span): Step {
  let step: Step = { from: window.from, value: null, tolerance: zero };
  for (const each of kept) {
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

/** The best-ranked device with a sample that starts on the day, and those samples in order. */
function deviceOfDay(view: View, metric: string, day: Span): { device: Device; samples: Sample[] } | null {
  for (const device of believed(view.person, metric)) {
    const samples = view.samplesOf(device, metric).filter((sample) => startsIn(sample, day));
    if (samples.length > 0) return { device, samples: samples.toSorted((a, b) => a.start - b.start || a.end - b.end) };
  }
  return null;
}

const startsIn = ({ start }: Sample, { from, to }: Span): boolean => from <= start && start < to;

export interface ListedSample {
  timestamp: string;
  metric: string;
  value: Rational;
  tolerance: Rational;
  /** Whether it keeps a share only by the coarseness of others, or loses it by that. */
  optional: boolean;
  device: Device;
  unit: string;
  /** What the device said; null for a share of it. */
  original: Rational | null;
}

export const expectedSamples = (view: View, metric: string, from: string, to: string): ListedSample[] =>
  datesBetween(from, to).flatMap((date) => {
    const day = dayBounds(view.clock, date);
    return isMerged(metric) ? mergedSamples(view, metric, day) : plainSamples(view, metric, day);
  });

function plainSamples(view: View, metric: string, day: Span): ListedSample[] {
  const chosen = deviceOfDay(view, metric, day);
  return (chosen?.samples ?? []).map((sample) => ({
    ...listed(sample),
    device: chosen?.device ?? missing(),
    value: sample.value,
    tolerance: zero,
    optional: false,
    original: sample.sent,
  }));
}

function mergedSamples(view: View, metric: string, day: Span): ListedSample[] {
  const kept = [...keptSamples(view, metric, believed(view.person, metric)).values()];
  return kept
    .filter(({ sample }) => startsIn(sample, day))
    .flatMap((each) => {
      const { sample, device } = each;
      const all = { from: sample.start, to: isMoment(sample) ? sample.end + 1 : sample.end };
      const { value, tolerance, touches } = amountIn(each, all);
      const loose = each.looseMoment || each.looseSpans.length > 0;
      if (!touches && !loose) return [];
      const whole = isMoment(sample) ? each.moment : isWhole(each);
      return {
        ...listed(sample),
        device,
        value,
        tolerance,
        optional: loose,
        original: whole && isZero(tolerance) ? sample.sent : null,
      };
    });
}

const isWhole = ({ sample, spans }: Kept): boolean =>
  spans.length === 1 && spans[0]?.from === sample.start && spans[0].to === sample.end;

const listed = ({ metric, start, unit }: Sample) => ({ timestamp: new Date(start).toISOString(), metric, unit });

function missing(): never {
  throw new Error('samples without a device');
}
