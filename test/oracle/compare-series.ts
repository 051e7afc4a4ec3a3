// Timeseries against the model: each step of a column, and each sample of a list.
import { fits, fitsUnrounded, type Mismatch, shown } from './compare.ts';
import { expectedColumn, expectedSamples, type ListedSample } from './expected-series.ts';
import type { ColumnRead } from './life.ts';
import { metricOf } from './metric-table.ts';
import { add, compare, isZero, zero } from './rational.ts';
import { isMerged } from './rules.ts';
import { convert, convertSpan, spelled } from './units.ts';
import type { View } from './view.ts';

export interface ColumnBody {
  metric: string;
  unit: string;
  start: string;
  step_seconds: number;
  values: (number | null)[];
  source?: { provider: string; device_id: string } | null;
}

export function columnMismatches(view: View, read: ColumnRead, body: ColumnBody): Mismatch[] {
  const { unit, imperialUnit, precision } = metricOf(read.metric);
  const asked = read.imperial ? imperialUnit : unit;
  const column = expectedColumn(view, read);
  const found: Mismatch[] = [];
  const same = (where: string, got: unknown, expected: unknown): void => {
    if (got !== expected) found.push({ where, got, expected });
  };
  same('unit', body.unit, asked);
  same('start', body.start, column.start);
  same('step_seconds', body.step_seconds, column.stepSeconds);
  same('values.length', body.values.length, column.steps.length);
  if (body.source !== undefined && !isMerged(read.metric)) same('source', body.source?.device_id, column.device?.id);
  for (const [at, step] of column.steps.entries()) {
    const got = body.values[at];
    const value = step.value && convert(step.value, unit, asked);
    const tolerance = convertSpan(step.tolerance, unit, asked);
    const where = `values[${at}] (${new Date(step.from).toISOString()})`;
    if (got === null || got === undefined) {
      if ((value !== null && compare(value, tolerance) > 0) || (value !== null && isZero(tolerance)))
        found.push({ where, got, expected: shown(value, tolerance, precision) });
    } else if ((value === null && isZero(tolerance)) || !fits(got, value ?? zero, tolerance, precision))
      found.push({ where, got, expected: shown(value, tolerance, precision) });
  }
  return found;
}

export interface SampleBody {
  timestamp: string;
  metric: string;
  value: number;
  unit: string;
  source?: { provider: string; device_id: string; original_value: number; original_unit: string };
}

export function sampleMismatches(
  view: View,
  read: { metrics: string[]; from: string; to: string },
  data: SampleBody[],
): Mismatch[] {
  const place = ({ timestamp, metric }: { timestamp: string; metric: string }): string =>
    `${timestamp} ${read.metrics.indexOf(metric)}`;
  const found: Mismatch[] = [];
  for (const [at, sample] of data.entries()) {
    const before = data[at - 1];
    if (before && place(before) > place(sample))
      found.push({ where: `order of data[${at}]`, got: sample, expected: before });
  }
  // Two samples of one instant may each fit what the other allows: the smallest takes the one that reaches least far, so whoever can be paired is.
  let left = read.metrics
    .flatMap((metric) => expectedSamples(view, metric, read.from, read.to))
    .sort((a, b) => compare(add(a.value, a.tolerance), add(b.value, b.tolerance)));
  for (const [at, sample] of [...data.entries()].sort(([, a], [, b]) => a.value - b.value)) {
    const match = left.find((expected) => isSample(expected, sample));
    left = left.filter((expected) => expected !== match);
    if (!match) {
      const near = left.filter(({ timestamp, metric }) => timestamp === sample.timestamp && metric === sample.metric);
      found.push({
        where: `data[${at}]`,
        got: sample,
        expected: near.length === 0 ? 'no such sample' : near.map(told),
      });
    }
  }
  const lost = left.filter(({ optional }) => !optional);
  if (lost.length > 0)
    found.push({ where: 'data', got: `${data.length} samples without these`, expected: lost.slice(0, 5).map(told) });
  return found;
}

function isSample(expected: ListedSample, got: SampleBody): boolean {
  const { precision, unit } = metricOf(expected.metric);
  if (expected.timestamp !== got.timestamp || expected.metric !== got.metric || got.unit !== unit) return false;
  if (!fits(got.value, expected.value, expected.tolerance, precision)) return false;
  if (!got.source) return true;
  if (got.source.device_id !== expected.device.id || got.source.provider !== expected.device.provider) return false;
  if (expected.original === null) return true;
  return (
    spelled(got.source.original_unit) === expected.unit &&
    fitsUnrounded(got.source.original_value, expected.original, zero)
  );
}

const told = ({ timestamp, metric, value, tolerance, device, original }: ListedSample) =>
  `${timestamp} ${metric} ${shown(value, tolerance, metricOf(metric).precision)} of ${device.id}${original === null ? ' (a share)' : ''}`;
