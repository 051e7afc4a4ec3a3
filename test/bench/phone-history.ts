// Generates years of a phone's data as a few uploads, drawn at random, and the expected value of
// every day.
import { gzipSync } from 'node:zlib';
import { type MetricId, metricRow } from '../../shared/catalog/metrics.ts';
import { uploadLimits } from '../../shared/providers/kit/upload-limits.ts';
import { createSeededRandom, type SeededRandom } from '../../shared/sandbox/life/seeded-random.ts';

export interface HistoryShape {
  days: number;
  /** The total number of samples of each metric. */
  samples: Partial<Record<MeasuredMetric, number>>;
  workouts: number;
  /** How many of the workouts have a heart rate trace. */
  traced: number;
  uploads: number;
  /**
   * HealthKit is read one metric at a time, so with `by metric` most uploads cover the same days.
   * With `by day`, each upload has its own days.
   */
  order: 'by metric' | 'by day';
}

export const sampleCount = ({ samples }: HistoryShape): number =>
  Object.values(samples).reduce((sum, count) => sum + count, 0);

// What HealthKit has for a day. Values are integers in units of 10^-decimals, so that the expected
// sums are exact.
interface MetricPlan {
  unit: string;
  decimals: number;
  /** How many of `unit` make one of the metric's unit. */
  perUnit: 1 | 1000;
  /** Local hours. */
  hours: readonly [from: number, to: number];
  isMoment: boolean;
  draw(dice: SeededRandom): number;
}
const activeHours = { hours: [6, 24], isMoment: false } as const;
const plans = {
  steps: { unit: 'count', decimals: 0, perUnit: 1, ...activeHours, draw: (dice) => dice.uniform(4, 420) },
  distance: { unit: 'm', decimals: 2, perUnit: 1000, ...activeHours, draw: (dice) => dice.uniform(300, 30_000) },
  active_calories: { unit: 'kcal', decimals: 3, perUnit: 1, ...activeHours, draw: (dice) => dice.uniform(80, 24_000) },
  flights_climbed: { unit: 'count', decimals: 0, perUnit: 1, ...activeHours, draw: (dice) => dice.uniform(1, 4) },
  resting_energy: {
    ...{ unit: 'kcal', decimals: 3, perUnit: 1, hours: [0, 24], isMoment: false },
    draw: (dice) => dice.uniform(9_000, 130_000),
  },
  heart_rate: {
    ...{ unit: 'bpm', decimals: 0, perUnit: 1, hours: [0, 24], isMoment: true },
    draw: (dice) => dice.normal(74, 14),
  },
  resting_heart_rate: {
    ...{ unit: 'bpm', decimals: 0, perUnit: 1, hours: [12, 23], isMoment: true },
    draw: (dice) => dice.normal(57, 3),
  },
  heart_rate_variability: {
    ...{ unit: 'ms', decimals: 1, perUnit: 1, hours: [0, 24], isMoment: true },
    draw: (dice) => dice.normal(480, 120),
  },
} as const satisfies Partial<Record<MetricId, MetricPlan>>;
export type MeasuredMetric = keyof typeof plans;
const measuredMetrics = Object.keys(plans).filter((name): name is MeasuredMetric => name in plans);

/** A time zone without daylight saving time whose days differ from those of UTC. */
export const zone = { name: 'America/Phoenix', offset: '-07:00', offsetMs: -7 * 3_600_000 };
const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
const instant = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export interface History {
  dates: string[];
  uploads: { body: Buffer; records: number }[];
  expected: Map<MeasuredMetric, (ExpectedValue | null)[]>;
  nights: number;
  workouts: number;
}
export interface ExpectedValue {
  exact: number;
  /** The value if every sample is first rounded to the metric's stored decimals. */
  roundedEach: number;
}

/** Deterministic for a shape and last day. `lastDay` is the first instant of a day in UTC. */
export function makeHistory(shape: HistoryShape, lastDay: number): History {
  const dice = createSeededRandom('first sync', shape.days, shape.uploads);
  const firstDay = lastDay - (shape.days - 1) * dayMs;
  const days = Array.from({ length: shape.days }, (_none, day) => firstDay + day * dayMs);
  const midnights = days.map((day) => day - zone.offsetMs);
  const weights = days.map(() => dice.uniform(0.4, 1.6));
  const samples: UploadedSample[] = [];
  const expected: History['expected'] = new Map();
  for (const metric of measuredMetrics) {
    const perDay = distribute(shape.samples[metric] ?? 0, weights);
    const values = midnights.map((midnight, day) => drawDay(metric, midnight, perDay[day] ?? 0, dice, samples));
    expected.set(
      metric,
      values.map((ofDay) => expectedOf(metric, ofDay)),
    );
  }
  const nights = midnights.map((midnight) => nightBefore(midnight, dice));
  const workouts = distribute(shape.workouts, weights).flatMap((count, day) =>
    Array.from({ length: count }, (_none, at) => workoutOn((midnights[day] ?? 0) + (8 + 3 * at) * hourMs, dice)),
  );
  const traced = new Set(
    distribute(
      shape.traced,
      workouts.map(() => 1),
    ).flatMap((count, at) => (count > 0 ? [at] : [])),
  );
  const lists = [
    { sleep: nights },
    { workouts: workouts.map((each, at) => (traced.has(at) ? { ...each, heart_rate: traceOf(each, dice) } : each)) },
    ...splitEvenly(shape.order === 'by day' ? samples.sort(byStart) : samples, shape.uploads - 2).map((part) => ({
      samples: part,
    })),
  ];
  return {
    dates: days.map((day) => new Date(day).toISOString().slice(0, 10)),
    uploads: lists.map((list) => ({ body: packUpload(list), records: Object.values(list)[0]?.length ?? 0 })),
    expected,
    nights: nights.length,
    workouts: workouts.length,
  };
}

interface UploadedSample {
  metric: MeasuredMetric;
  start: string;
  end?: string;
  value: number;
  unit: string;
  utc_offset: string;
}
const byStart = (a: UploadedSample, b: UploadedSample): number => (a.start < b.start ? -1 : 1);

/** Distributes the total as integers in proportion to the weights. */
function distribute(total: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let passed = 0;
  let distributed = 0;
  return weights.map((weight, at) => {
    passed += weight;
    const until = at === weights.length - 1 ? total : Math.round((total * passed) / all);
    const own = until - distributed;
    distributed = until;
    return own;
  });
}

/** Appends the samples of a day, in order, and returns their values. */
function drawDay(
  metric: MeasuredMetric,
  midnight: number,
  count: number,
  dice: SeededRandom,
  into: UploadedSample[],
): number[] {
  const { unit, decimals, hours, isMoment, draw } = plans[metric];
  const slotSeconds = ((hours[1] - hours[0]) * 3600) / count;
  return Array.from({ length: count }, (_none, at) => {
    const second = hours[0] * 3600 + (at + dice.uniform(0, 0.4)) * slotSeconds;
    const start = midnight + Math.floor(second) * 1000;
    const end = start + Math.ceil(dice.uniform(0, 0.5) * Math.min(slotSeconds, 1_200)) * 1000;
    const value = Math.round(draw(dice));
    into.push({
      metric,
      start: instant(start),
      ...(isMoment ? {} : { end: instant(end) }),
      value: value / 10 ** decimals,
      unit,
      utc_offset: zone.offset,
    });
    return value;
  });
}

function expectedOf(metric: MeasuredMetric, values: readonly number[]): ExpectedValue | null {
  const last = values.at(-1);
  if (last === undefined) return null;
  const { aggregation, precision, scale } = metricRow(metric);
  const { decimals, perUnit } = plans[metric];
  const power = 10 ** decimals * perUnit;
  const total = (each: readonly number[]) => each.reduce((sum, value) => sum + value, 0);
  const over = aggregation === 'avg' ? values.length : 1;
  const of = (each: readonly number[], inOne: number) =>
    quotient((aggregation === 'last' ? (each.at(-1) ?? 0) : total(each)) * 10 ** precision, inOne * over) /
    10 ** precision;
  const stored = values.map((value) => quotient(value * 10 ** scale, power));
  return { exact: of(values, power), roundedEach: of(stored, 10 ** scale) };
}

/** Integer division of natural numbers, with halves rounded up. */
const quotient = (a: number, b: number): number => Math.floor((2 * a + b) / (2 * b));

function nightBefore(midnight: number, dice: SeededRandom) {
  const start = midnight - Math.round(dice.uniform(20, 90)) * 60_000;
  const asleep = Math.round(dice.normal(420, 40));
  const awake = Math.round(dice.uniform(5, 40));
  const deep = Math.round(asleep * 0.17);
  const rem = Math.round(asleep * 0.23);
  return {
    start: instant(start),
    end: instant(start + (asleep + awake) * 60_000),
    utc_offset: zone.offset,
    asleep_minutes: asleep,
    deep_minutes: deep,
    rem_minutes: rem,
    light_minutes: asleep - deep - rem,
    awake_minutes: awake,
    in_bed_minutes: asleep + awake,
  };
}

function workoutOn(start: number, dice: SeededRandom) {
  const minutes = Math.round(dice.uniform(20, 75));
  return {
    type: dice.pick(['running', 'walking', 'cycling']),
    start: instant(start),
    end: instant(start + minutes * 60_000),
    utc_offset: zone.offset,
    calories: Math.round(minutes * dice.uniform(5, 12)),
    distance_km: Math.round(minutes * dice.uniform(80, 300)) / 1000,
    avg_heart_rate: Math.round(dice.normal(138, 10)),
    max_heart_rate: Math.round(dice.normal(168, 6)),
  };
}

function traceOf({ start, end }: { start: string; end: string }, dice: SeededRandom) {
  const from = Date.parse(start);
  return Array.from({ length: (Date.parse(end) - from) / 5_000 }, (_none, at) => ({
    timestamp: instant(from + at * 5_000),
    bpm: Math.round(dice.normal(138, 12)),
  }));
}

function splitEvenly<T>(items: readonly T[], parts: number): T[][] {
  const size = Math.ceil(items.length / parts);
  return Array.from({ length: parts }, (_none, at) => items.slice(at * size, (at + 1) * size));
}

function packUpload(lists: object): Buffer {
  const device = { name: 'My watch', model: 'Watch7,5', type: 'wrist' };
  const body = gzipSync(JSON.stringify({ time_zone: zone.name, device, ...lists }));
  if (body.length > uploadLimits.wireBytes) throw new Error(`an upload has ${body.length} bytes: make it smaller`);
  return body;
}
