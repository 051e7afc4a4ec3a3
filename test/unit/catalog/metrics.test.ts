import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  acceptedUnits,
  isMetricId,
  isPlausible,
  isSampleId,
  listCategories,
  type MetricId,
  metricIds,
  metricRow,
  round,
  type SampleId,
  toCanonical,
  toImperial,
} from '../../../shared/catalog/metrics.ts';
import { roundTo } from '../../../shared/platform/arithmetic.ts';

const anyMetric = fc.constantFrom(...metricIds);

/** Rounds the decimal text of the number digit by digit. */
function roundDecimalText(text: string, decimals: number): number {
  const negative = text.startsWith('-');
  const [integerPart = '0', fraction = ''] = text.replace('-', '').split('.');
  const unrounded = BigInt(integerPart + fraction.padEnd(decimals, '0').slice(0, decimals));
  const up = Number(fraction.padEnd(decimals + 1, '0')[decimals]) >= 5;
  const digits = String(unrounded + (up ? 1n : 0n)).padStart(decimals + 1, '0');
  const pointIndex = digits.length - decimals;
  const size = Number(`${digits.slice(0, pointIndex)}.${digits.slice(pointIndex)}`);
  return negative && size !== 0 ? -size : size;
}

describe('metrics', () => {
  test('are recognized by their exact ids', () => {
    expect(metricIds.every(isMetricId)).toBe(true);
    expect(isMetricId('sleep_score')).toBe(false);
    expect(isMetricId('toString')).toBe(false);
    expect(['steps', 'stress_score', 'sleep_score', 'toString'].map(isSampleId)).toEqual([true, true, false, false]);
    expect(isMetricId('stress_score')).toBe(false);
  });

  test('are mapped to their categories in catalog order', () => {
    expect(listCategories(['water', 'steps', 'heart_rate', 'distance'])).toEqual(['activity', 'vitals', 'nutrition']);
    expect(listCategories(['stress_score', 'steps'])).toEqual(['activity', 'scores']);
  });
});

describe("conversion to a metric's own unit", () => {
  test.each<[SampleId, number, string, number]>([
    ['distance', 1, 'mi', 1.609344],
    ['distance', 8_042, 'm', 8.042],
    ['distance', 100, 'yd', 0.09144],
    ['swimming', 1.5, 'km', 1_500],
    ['swimming', 100, 'yd', 91.44],
    ['weight', 155.2, 'lb', 70.397535824],
    ['weight', 11, 'st', 69.85322498],
    ['weight', 70_400, 'g', 70.4],
    ['height', 70, 'in', 177.8],
    ['height', 1.8, 'm', 180],
    ['body_temperature', 98.6, '°F', 37],
    ['body_temperature', 98.6, 'degF', 37],
    ['body_temperature', 310.15, 'K', 37],
    ['body_temperature', 36.6, 'C', 36.6],
    ['active_calories', 2_092, 'kJ', 500],
    ['active_calories', 2_092_000, 'J', 500],
    ['active_calories', 500_000, 'cal', 500],
    ['asleep', 27_000, 's', 450],
    ['asleep', 27_000_000, 'ms', 450],
    ['asleep', 7.5, 'h', 450],
    ['heart_rate_variability', 0.052, 's', 52],
    ['blood_oxygen', 0.57, 'fraction', 57],
    ['blood_glucose', 5.5, 'mmol/L', 99.1001],
    ['heart_rate', 61, 'count/min', 61],
    ['heart_rate', 1, 'Hz', 60],
    ['respiratory_rate', 14.5, 'count/min', 14.5],
    ['blood_pressure_systolic', 16, 'kPa', 120.009852135305],
    ['water', 2, 'L', 2_000],
    ['water', 8, 'fl_oz', 236.5882365],
    ['sodium', 2.3, 'g', 2_300],
    ['protein', 90_500, 'mg', 90.5],
    ['caffeine', 95_000, 'mcg', 95],
    ['body_mass_index', 24.2, 'count', 24.2],
    ['vo2_max', 43, 'mL/min·kg', 43],
    ['steps', 8_000, 'count', 8_000],
    ['stress_score', 51, 'score', 51],
  ])('%s: %d %s is %d', (metric, value, unit, expected) => {
    expect(toCanonical(metric, value, unit)).toBe(expected);
  });

  test.each<[SampleId, string]>([
    ['stress_score', '%'],
    ['stress_score', 'count'],
    ['steps', 'km'],
    ['heart_rate', 'brpm'],
    ['weight', 'cm'],
    ['blood_glucose', 'mg'],
    ['asleep', 'count'],
    ['distance', 'KM'],
    ['distance', ''],
    ['distance', 'constructor'],
  ])('%s rejects the unit %j', (metric, unit) => {
    expect(toCanonical(metric, 1, unit)).toBeUndefined();
  });

  test("a value in the metric's own unit is returned unchanged", () => {
    fc.assert(
      fc.property(anyMetric, fc.double({ noNaN: true }), (metric, value) => {
        expect(toCanonical(metric, value, metricRow(metric).unit)).toBe(value);
      }),
    );
  });

  test('every accepted unit preserves the order of values and leaves no floating-point noise', () => {
    fc.assert(
      fc.property(anyMetric, fc.integer({ min: 1, max: 1_000_000 }), (metric, tenths) => {
        for (const unit of acceptedUnits(metric)) {
          const value = toCanonical(metric, tenths / 10, unit) ?? Number.NaN;
          expect(toCanonical(metric, (tenths + 1) / 10, unit)).toBeGreaterThan(value);
          expect(Number(value.toPrecision(15))).toBe(value);
        }
      }),
    );
  });
});

describe('imperial values', () => {
  test.each<[MetricId, number, number]>([
    ['distance', 10, 6.21],
    ['swimming', 1_500, 0.932],
    ['swimming', 25, 0.016],
    // 0.0125 mi is a tie, which rounds away from zero.
    ['swimming', 20.1168, 0.013],
    ['body_temperature', 37, 98.6],
    ['weight', 70.398, 155.2],
    ['height', 177.8, 70],
    ['heart_rate', 61.4, 61.4],
    ['water', 1_900, 1_900],
  ])('%s %d is %d', (metric, value, expected) => {
    expect(toImperial(metric, value)).toBe(expected);
  });

  test('a reading taken in the imperial unit converts back to the same reading', () => {
    const converted = metricIds.filter((id) => metricRow(id).unit !== metricRow(id).imperialUnit);
    expect(converted.length).toBeGreaterThan(10);
    fc.assert(
      fc.property(fc.constantFrom(...converted), fc.integer({ min: 1, max: 20_000 }), (metric, steps) => {
        const { imperialPrecision, imperialUnit } = metricRow(metric);
        const reading = steps / 10 ** imperialPrecision;
        const canonical = toCanonical(metric, reading, imperialUnit) ?? Number.NaN;
        expect(toImperial(metric, canonical)).toBe(reading);
      }),
    );
  });
});

describe('distances in miles', () => {
  const distances = metricIds.filter((id) => metricRow(id).imperialUnit === 'mi');

  test('cover all distances, with three decimals for swimming', () => {
    expect(distances).toEqual(metricIds.filter((id) => ['km', 'm'].includes(metricRow(id).unit)));
    expect(distances).toContain('swimming');
    for (const id of distances) expect(metricRow(id).imperialPrecision).toBe(id === 'swimming' ? 3 : 2);
  });

  test('are rounded once, half away from zero, from the stored value', () => {
    fc.assert(
      fc.property(fc.constantFrom(...distances), fc.integer({ min: 0, max: 10 ** 9 }), (metric, millimetres) => {
        const { unit, imperialPrecision } = metricRow(metric);
        const unrounded = unit === 'km' ? millimetres / 1e6 : millimetres / 1e3;
        // A mile is 1,609,344 mm. Half a step is added before the integer division, so that ties
        // round away from zero.
        const steps = (2n * BigInt(millimetres) * 10n ** BigInt(imperialPrecision) + 1_609_344n) / (2n * 1_609_344n);
        expect(toImperial(metric, unrounded)).toBe(Number(steps) / 10 ** imperialPrecision);
      }),
      { numRuns: 2_000 },
    );
  });

  test('are rounded up at a tie, regardless of how the metric value would be rounded', () => {
    fc.assert(
      fc.property(fc.constantFrom(...distances), fc.integer({ min: 0, max: 50_000 }), (metric, steps) => {
        const { unit, imperialPrecision } = metricRow(metric);
        const half = Number(`${steps}5e-${imperialPrecision + 1}`);
        const unrounded = toCanonical(metric, half, 'mi') ?? Number.NaN;
        expect(toImperial(metric, unrounded)).toBe((steps + 1) / 10 ** imperialPrecision);
        expect(unit).not.toBe('mi');
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('rounding', () => {
  test.each<[number, number, number]>([
    [2, 1.005, 1.01],
    [2, -1.005, -1.01],
    [1, 0.25, 0.3],
    [0, 0.5, 1],
    [0, -0.4, 0],
    [1, 36.64999, 36.6],
    [2, 0.1 + 0.2, 0.3],
    [2, 80.0049, 80],
    [2, 80.005, 80.01],
    [2, 80.00499999999, 80],
    [1, 1e-7, 0],
    [0, 123_456_789_012.5, 123_456_789_013],
  ])('to %d decimals, %d is %d', (decimals, value, expected) => {
    expect(roundTo(decimals, value)).toBe(expected);
  });

  test('agrees with rounding the decimal text by hand', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: -(10 ** 11), max: 10 ** 11 }),
        (decimals, decimalPlaces, digits) => {
          const text = (digits / 10 ** decimalPlaces).toFixed(decimalPlaces);
          expect(roundTo(decimals, Number(text))).toBe(roundDecimalText(text, decimals));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('uses the precision of the metric and is idempotent', () => {
    fc.assert(
      fc.property(anyMetric, fc.double({ noNaN: true, min: -1e9, max: 1e9 }), (metric, value) => {
        const rounded = round(metric, value);
        expect(round(metric, rounded)).toBe(rounded);
        expect(Number(rounded.toFixed(metricRow(metric).precision))).toBe(rounded);
        expect(Object.is(rounded, -0)).toBe(false);
      }),
    );
  });
});

describe('plausibility', () => {
  test('rejects physiologically impossible values', () => {
    expect(isPlausible('heart_rate', 900)).toBe(false);
    expect(isPlausible('heart_rate', 61)).toBe(true);
    expect(isPlausible('steps', -1)).toBe(false);
    expect(isPlausible('asleep', 1_500)).toBe(true);
    expect(isPlausible('asleep', 1_501)).toBe(false);
    expect(isPlausible('weight', Number.NaN)).toBe(false);
    expect(isPlausible('weight', Number.POSITIVE_INFINITY)).toBe(false);
  });
});
