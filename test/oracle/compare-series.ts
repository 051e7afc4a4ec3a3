// Timeseries against the model: each step of a column, and each sample of a list.
import { fits, fitsUnrounded, fitsWritten, type Mismatch, shown } from './compare.ts';
import { type DoubtedTime, expectedColumn, expectedSamples, type ListedSample } from './expected-series.ts';
import type { ColumnRead } from './life.ts';
import { metricOf, precisionIn } from './metric-table.ts';
import {
  add,
  approximately,
  compare,
  fromNumber,
  isZero,
  magnitude,
  multiply,
  ratio,
  subtract,
  sum,
  zero,
} from './rational.ts';
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
  const metric = metricOf(read.metric);
  const { unit, imperialUnit } = metric;
  const asked = read.imperial ? imperialUnit : unit;
  const precision = precisionIn(metric, asked);
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
  const expected = read.metrics.map((metric) => expectedSamples(view, metric, read.from, read.to));
  const doubts = joinedTimes(expected.flatMap(({ doubted }) => doubted));
  const left = new Set(expected.flatMap(({ sure }) => sure));
  const doubted: SampleBody[] = [];
  for (const [at, sample] of data.entries()) {
    const match = [...left].find((each) => isSample(each, sample));
    if (match) left.delete(match);
    else if (doubts.some((doubt) => liesIn(sample, doubt))) doubted.push(sample);
    else {
      const near = [...left].filter(
        ({ timestamp, metric }) => timestamp === sample.timestamp && metric === sample.metric,
      );
      found.push({
        where: `data[${at}]`,
        got: sample,
        expected: near.length === 0 ? 'no such sample' : near.map(told),
      });
    }
  }
  if (left.size > 0)
    found.push({
      where: 'data',
      got: `${data.length} samples without these`,
      expected: [...left].slice(0, 5).map(told),
    });
  for (const doubt of doubts)
    found.push(
      ...doubtMismatches(
        doubt,
        doubted.filter((sample) => liesIn(sample, doubt)),
      ),
    );
  return found;
}

function isSample(expected: ListedSample, got: SampleBody): boolean {
  const { precision, unit } = metricOf(expected.metric);
  if (expected.timestamp !== got.timestamp || expected.metric !== got.metric || got.unit !== unit) return false;
  if (!fits(got.value, expected.value, zero, precision)) return false;
  if (!got.source) return true;
  return (
    got.source.device_id === expected.device.id &&
    got.source.provider === expected.device.provider &&
    spelled(got.source.original_unit) === expected.unit &&
    fitsWritten(got.source.original_value, expected.original, zero, expected.original)
  );
}

/** What one device measured in doubted times that meet is doubted together. */
function joinedTimes(doubted: readonly DoubtedTime[]): DoubtedTime[] {
  const joined: DoubtedTime[] = [];
  for (const each of doubted.toSorted((a, b) => a.span.from - b.span.from)) {
    const before = joined.findLast(({ metric, device }) => metric === each.metric && device === each.device);
    if (!before || before.span.to < each.span.from) joined.push({ ...each, span: { ...each.span } });
    else {
      before.span.to = Math.max(before.span.to, each.span.to);
      before.value = add(before.value, each.value);
      before.tolerance = add(before.tolerance, each.tolerance);
    }
  }
  return joined;
}

const liesIn = ({ timestamp, metric, source }: SampleBody, doubt: DoubtedTime): boolean =>
  metric === doubt.metric &&
  source?.device_id === doubt.device.id &&
  doubt.span.from <= Date.parse(timestamp) &&
  Date.parse(timestamp) < doubt.span.to;

/** Each sample may have been rounded, and says the same in both units. */
function doubtMismatches({ metric, device, span, value, tolerance }: DoubtedTime, inside: SampleBody[]): Mismatch[] {
  const { precision, unit } = metricOf(metric);
  const where = `data of ${device.id} from ${new Date(span.from).toISOString()}`;
  const got = inside.map((sample) => sample.value);
  const halfUnit = ratio(1, 2n * 10n ** BigInt(precision));
  const allowed = add(tolerance, multiply(halfUnit, ratio(inside.length)));
  const found: Mismatch[] = [];
  if (compare(magnitude(subtract(sum(got.map(fromNumber)), value)), allowed) > 0)
    found.push({ where, got, expected: shown(value, allowed, precision) });
  for (const { value, source } of inside) {
    const said = source && convert(fromNumber(source.original_value), spelled(source.original_unit), unit);
    if (!said || !fitsUnrounded(value, said, halfUnit)) found.push({ where, got: value, expected: source });
  }
  return found;
}

const told = ({ timestamp, metric, value, device, original }: ListedSample) =>
  `${timestamp} ${metric} ${shown(value, zero, metricOf(metric).precision)} of ${device.id}, who said ${approximately(original)}`;
