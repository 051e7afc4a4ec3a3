// Compares timeseries with the model: each step of a column, and each sample of a list.
import { fits, fitsUnrounded, fitsWritten, formatExpected, type Mismatch } from './compare.ts';
import { expectedColumn, expectedSamples, type ListedSample, type UncertainSpan } from './expected-series.ts';
import { metricOf, precisionIn } from './metric-table.ts';
import {
  absolute,
  add,
  compare,
  fromNumber,
  isZero,
  multiply,
  ratio,
  subtract,
  sum,
  toNumber,
  zero,
} from './rational.ts';
import { isMerged } from './rules.ts';
import type { ColumnRead } from './scenario.ts';
import { canonicalUnit, convert, convertSpan } from './units.ts';
import type { View } from './view.ts';

export interface ColumnBody {
  metric: string;
  unit: string;
  start: string;
  step_seconds: number;
  values: (number | null)[];
  time_zone: string;
  start_at: string;
  source?: { provider: string; device_id: string } | null;
}

export function columnMismatches(view: View, read: ColumnRead, body: ColumnBody): Mismatch[] {
  const metric = metricOf(read.metric);
  const { unit, imperialUnit } = metric;
  const requestedUnit = read.imperial ? imperialUnit : unit;
  const precision = precisionIn(metric, requestedUnit);
  const column = expectedColumn(view, read);
  const found: Mismatch[] = [];
  const expectSame = (where: string, got: unknown, expected: unknown): void => {
    if (got !== expected) found.push({ where, got, expected });
  };
  expectSame('unit', body.unit, requestedUnit);
  expectSame('start', body.start, column.start);
  expectSame('time_zone', body.time_zone, view.calendar.timezone ?? 'UTC');
  expectSame('start_at', Date.parse(body.start_at), column.startMs);
  expectSame('step_seconds', body.step_seconds, column.stepSeconds);
  expectSame('values.length', body.values.length, column.steps.length);
  if (body.source !== undefined && !isMerged(read.metric))
    expectSame('source', body.source?.device_id, column.device?.id);
  for (const [at, step] of column.steps.entries()) {
    const got = body.values[at];
    const value = step.value && convert(step.value, unit, requestedUnit);
    const tolerance = convertSpan(step.tolerance, unit, requestedUnit);
    const where = `values[${at}] (${new Date(step.from).toISOString()})`;
    if (got === null || got === undefined) {
      if ((value !== null && compare(value, tolerance) > 0) || (value !== null && isZero(tolerance)))
        found.push({ where, got, expected: formatExpected(value, tolerance, precision) });
    } else if ((value === null && isZero(tolerance)) || !fits(got, value ?? zero, tolerance, precision))
      found.push({ where, got, expected: formatExpected(value, tolerance, precision) });
  }
  return found;
}

export interface SampleBody {
  timestamp: string;
  metric: string;
  value: number;
  unit: string;
  utc_offset: string | null;
  source?: { provider: string; device_id: string; original_value: number; original_unit: string };
}

export interface SamplesRead {
  metrics: readonly string[];
  from: string;
  to: string;
  imperial: boolean;
}

export function sampleMismatches(view: View, read: SamplesRead, data: SampleBody[]): Mismatch[] {
  const orderKey = ({ timestamp, metric }: { timestamp: string; metric: string }): string =>
    `${timestamp} ${String(read.metrics.indexOf(metric)).padStart(2, '0')}`;
  const found: Mismatch[] = [];
  for (const [at, sample] of data.entries()) {
    const before = data[at - 1];
    if (before && orderKey(before) > orderKey(sample))
      found.push({ where: `order of data[${at}]`, got: sample, expected: before });
  }
  const expected = read.metrics.map((metric) => expectedSamples(view, metric, read.from, read.to));
  const uncertainSpans = joinUncertainSpans(expected.flatMap(({ uncertain: uncertainSamples }) => uncertainSamples));
  const unmatched = new Set(expected.flatMap(({ certain: sure }) => sure));
  const uncertainSamples: SampleBody[] = [];
  for (const [at, sample] of data.entries()) {
    const match = [...unmatched].find((each) => isSample(each, sample, read.imperial));
    if (match) unmatched.delete(match);
    else if (uncertainSpans.some((uncertainSpan) => isWithin(sample, uncertainSpan))) uncertainSamples.push(sample);
    else {
      const near = [...unmatched].filter(
        ({ timestamp, metric }) => timestamp === sample.timestamp && metric === sample.metric,
      );
      found.push({
        where: `data[${at}]`,
        got: sample,
        expected: near.length === 0 ? 'no such sample' : near.map(describeSample),
      });
    }
  }
  if (unmatched.size > 0)
    found.push({
      where: 'data',
      got: `${data.length} samples without these`,
      expected: [...unmatched].slice(0, 5).map(describeSample),
    });
  for (const uncertainSpan of uncertainSpans)
    found.push(
      ...uncertainMismatches(
        uncertainSpan,
        uncertainSamples.filter((sample) => isWithin(sample, uncertainSpan)),
        read.imperial,
      ),
    );
  return found;
}

/** The unit in which a read shows a metric, and its decimals. */
function shownUnit(id: string, imperial: boolean): { own: string; unit: string; precision: number } {
  const metric = metricOf(id);
  const unit = imperial ? metric.imperialUnit : metric.unit;
  return { own: metric.unit, unit, precision: precisionIn(metric, unit) };
}

function isSample(expected: ListedSample, got: SampleBody, imperial: boolean): boolean {
  const { own, unit, precision } = shownUnit(expected.metric, imperial);
  if (expected.timestamp !== got.timestamp || expected.metric !== got.metric || got.unit !== unit) return false;
  if (expected.utc_offset !== got.utc_offset) return false;
  if (!fits(got.value, convert(expected.value, own, unit), zero, precision)) return false;
  if (!got.source) return true;
  return (
    got.source.device_id === expected.device.id &&
    got.source.provider === expected.device.provider &&
    canonicalUnit(got.source.original_unit) === expected.unit &&
    fitsWritten(got.source.original_value, expected.original, zero, expected.original)
  );
}

/**
 * Joins uncertain spans of one device that touch, because their samples can only be checked
 * together.
 */
function joinUncertainSpans(uncertainSamples: readonly UncertainSpan[]): UncertainSpan[] {
  const joined: UncertainSpan[] = [];
  for (const each of uncertainSamples.toSorted((a, b) => a.span.from - b.span.from)) {
    const before = joined.findLast(({ metric, device }) => metric === each.metric && device === each.device);
    if (!before || before.span.to < each.span.from)
      joined.push({ ...each, span: { ...each.span }, offsets: new Set(each.offsets) });
    else {
      before.span.to = Math.max(before.span.to, each.span.to);
      before.value = add(before.value, each.value);
      before.tolerance = add(before.tolerance, each.tolerance);
      for (const offset of each.offsets) before.offsets.add(offset);
    }
  }
  return joined;
}

const isWithin = ({ timestamp, metric, source }: SampleBody, uncertainSpan: UncertainSpan): boolean =>
  metric === uncertainSpan.metric &&
  source?.device_id === uncertainSpan.device.id &&
  uncertainSpan.span.from <= Date.parse(timestamp) &&
  Date.parse(timestamp) < uncertainSpan.span.to;

/**
 * Each sample may have been rounded, and must state the same amount in both units. It has the offset
 * of a sample within the span, or none if the samples have several.
 */
function uncertainMismatches(
  { metric, device, span, offsets, ...amount }: UncertainSpan,
  inside: SampleBody[],
  imperial: boolean,
): Mismatch[] {
  const { own, unit, precision } = shownUnit(metric, imperial);
  const [value, tolerance] = [convertSpan(amount.value, own, unit), convertSpan(amount.tolerance, own, unit)];
  const where = `data of ${device.id} from ${new Date(span.from).toISOString()}`;
  const got = inside.map((sample) => sample.value);
  const halfUnit = ratio(1, 2n * 10n ** BigInt(precision));
  const allowed = add(tolerance, multiply(halfUnit, ratio(inside.length)));
  const found: Mismatch[] = [];
  if (compare(absolute(subtract(sum(got.map(fromNumber)), value)), allowed) > 0)
    found.push({ where, got, expected: formatExpected(value, allowed, precision) });
  for (const { utc_offset } of inside)
    if (!offsets.has(utc_offset) && (utc_offset !== null || offsets.size === 1))
      found.push({ where, got: utc_offset, expected: [...offsets] });
  for (const { value, source } of inside) {
    const converted = source && convert(fromNumber(source.original_value), canonicalUnit(source.original_unit), unit);
    if (!converted || !fitsUnrounded(value, converted, halfUnit)) found.push({ where, got: value, expected: source });
  }
  return found;
}

const describeSample = ({ timestamp, metric, value, device, original, utc_offset }: ListedSample) =>
  `${timestamp} (${utc_offset}) ${metric} ${formatExpected(value, zero, metricOf(metric).precision)} of ${device.id}, which reported ${toNumber(original)}`;
