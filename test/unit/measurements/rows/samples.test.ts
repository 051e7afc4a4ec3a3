import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MetricId, metricIds, metricRow } from '../../../../shared/catalog/metrics.ts';
import type { StoredSample } from '../../../../shared/measurements/codec/sample-block.ts';
import { computeDayOriginal, computeDayValue, mergeSamples } from '../../../../shared/measurements/rows/samples.ts';

const anySample: fc.Arbitrary<StoredSample> = fc
  .record({
    startMs: fc.nat({ max: 6 }),
    lasting: fc.nat({ max: 2 }),
    value: fc.constantFrom(60, 61, 62),
    offsetMinutes: fc.constantFrom(null, 60),
    original: fc.option(fc.record({ value: fc.constantFrom(1, 2), unit: fc.constantFrom('Hz', 'count/s') })),
  })
  .map(({ lasting, original, ...rest }) => ({
    ...rest,
    endMs: rest.startMs + lasting,
    ...(original === null ? {} : { original }),
  }));
const keyOf = ({ startMs, endMs }: StoredSample): string => `${startMs} ${endMs}`;
const anyStored = fc
  .uniqueArray(anySample, { selector: keyOf })
  .map((samples) => samples.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs));

function naiveMerge(stored: StoredSample[], incoming: StoredSample[]): StoredSample[] {
  const all = new Map(stored.map((sample) => [keyOf(sample), sample]));
  for (const sample of incoming) all.set(keyOf(sample), sample);
  return [...all.values()].sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
}

describe('merging samples', () => {
  test('replaces the stored sample of the same start and end by the incoming one, and keeps all others', () => {
    fc.assert(
      fc.property(anyStored, fc.array(anySample), (stored, incoming) => {
        const merged = mergeSamples(stored, incoming);
        expect(merged.samples).toEqual(naiveMerge(stored, incoming));
        expect(merged.changed).toBe(JSON.stringify(merged.samples) !== JSON.stringify(stored));
      }),
      { numRuns: 2_000 },
    );
  });

  test('changes nothing when a batch is repeated', () => {
    fc.assert(
      fc.property(anyStored, fc.array(anySample), (stored, incoming) => {
        const once = mergeSamples(stored, incoming).samples;
        expect(mergeSamples(once, incoming)).toEqual({ samples: once, replaced: [], changed: false });
      }),
    );
  });

  test('does not depend on the order of different samples', () => {
    fc.assert(
      fc.property(anyStored, fc.uniqueArray(anySample, { selector: keyOf }), (stored, incoming) => {
        expect(mergeSamples(stored, incoming.toReversed())).toEqual(mergeSamples(stored, incoming));
      }),
    );
  });
});

const anyMetric = fc.constantFrom(...metricIds);
const valuesOf = (metric: MetricId) =>
  fc
    .array(fc.double({ min: metricRow(metric).range[0], max: metricRow(metric).range[1], noNaN: true }), {
      minLength: 1,
      maxLength: 40,
    })
    .map((values) => values.map((value) => Number(value.toFixed(decimals))));

const decimals = 6;

/** Exact decimal arithmetic, rounded to the digits that a sum of doubles can have. */
function naiveDay(metric: MetricId, values: number[]): number {
  const { aggregation } = metricRow(metric);
  const steps = values.map((value) => BigInt(value.toFixed(decimals).replace('.', '')) * 10n ** 24n);
  const total = steps.reduce((sum, step) => sum + step, 0n);
  const count = BigInt(values.length);
  const toNumber = (step: bigint): number => {
    const digits = step.toString().padStart(decimals + 25, '0');
    return Number(Number(`${digits.slice(0, -decimals - 24)}.${digits.slice(-decimals - 24)}`).toPrecision(14));
  };
  switch (aggregation) {
    case 'sum':
      return toNumber(total);
    case 'avg':
      return toNumber(total / count);
    case 'min':
      return Math.min(...values);
    case 'max':
      return Math.max(...values);
    case 'last':
      return values.at(-1) ?? Number.NaN;
  }
}

describe("a day's value", () => {
  test('is the exact decimal result of the aggregation of its metric, in any order of the samples', () => {
    const metricAndValues = anyMetric.chain((metric) => fc.tuple(fc.constant(metric), valuesOf(metric)));
    fc.assert(
      fc.property(metricAndValues, ([metric, values]) => {
        const samples = values.map((value, at) => ({ startMs: at >> 1, endMs: (at >> 1) + (at & 1), value }));
        expect(computeDayValue(metric, samples)).toBe(naiveDay(metric, values));
        expect(computeDayValue(metric, samples.toReversed())).toBe(naiveDay(metric, values));
      }),
      { numRuns: 2_000 },
    );
  });

  test('has no floating-point noise', () => {
    const of = (...values: number[]) => values.map((value, at) => ({ startMs: at, endMs: at, value }));
    expect(computeDayValue('distance', of(0.1, 0.2))).toBe(0.3);
    expect(computeDayValue('protein', of(...Array.from({ length: 10 }, () => 0.1)))).toBe(1);
    expect(computeDayValue('heart_rate', of(60, 60.1))).toBe(60.05);
    expect(computeDayValue('active_calories', of(...Array.from({ length: 600 }, () => 0.4)))).toBe(240);
  });

  test('is undefined without samples', () => {
    expect(computeDayValue('steps', [])).toBeUndefined();
  });
});

describe('the original value of a day', () => {
  const makeSample = (startMs: number, value: number, original?: { value: number; unit: string }) => ({
    startMs,
    endMs: startMs + 1,
    value,
    original,
  });
  const [joules, more] = [makeSample(1, 1, { value: 4_184, unit: 'J' }), makeSample(2, 2, { value: 8_368, unit: 'J' })];

  test('is the sum or the mean in the original unit if all samples share it', () => {
    expect(computeDayOriginal('active_calories', [joules, more])).toEqual({ value: 12_552, unit: 'J' });
    const hertz = [makeSample(1, 60, { value: 1, unit: 'Hz' }), makeSample(2, 90, { value: 1.5, unit: 'Hz' })];
    expect(computeDayOriginal('heart_rate', hertz)).toEqual({ value: 1.25, unit: 'Hz' });
  });

  test.each([
    ['another unit', makeSample(3, 1, { value: 4.184, unit: 'kJ' })],
    ["the metric's own unit", makeSample(3, 1)],
  ])('is undefined if one sample came in %s', (_which, other) => {
    expect(computeDayOriginal('active_calories', [joules, more, other])).toBeUndefined();
    expect(computeDayOriginal('active_calories', [other, joules, more])).toBeUndefined();
  });

  test('is that of the chosen sample, regardless of the units of the others', () => {
    const pounds = makeSample(1, 70, { value: 154.3, unit: 'lb' });
    expect(computeDayOriginal('weight', [pounds, makeSample(2, 71)])).toBeUndefined();
    expect(computeDayOriginal('weight', [makeSample(0, 71), pounds])).toEqual({ value: 154.3, unit: 'lb' });
  });
});
