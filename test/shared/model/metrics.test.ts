import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { roundTo } from '../../../shared/model/arithmetic.ts';
import {
  acceptedUnits,
  categoriesOf,
  isMetricId,
  isPlausible,
  MetricCatalog,
  type MetricId,
  metricCatalog,
  metricIds,
  metricRow,
  metricsIn,
  round,
  toCanonical,
  toImperial,
} from '../../../shared/model/metrics.ts';

const anyMetric = fc.constantFrom(...metricIds);

/** Rounds the number's decimal text, digit by digit. */
function roundedByHand(text: string, decimals: number): number {
  const negative = text.startsWith('-');
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const kept = BigInt(whole + fraction.padEnd(decimals, '0').slice(0, decimals));
  const up = Number(fraction.padEnd(decimals + 1, '0')[decimals]) >= 5;
  const digits = String(kept + (up ? 1n : 0n)).padStart(decimals + 1, '0');
  const cut = digits.length - decimals;
  const size = Number(`${digits.slice(0, cut)}.${digits.slice(cut)}`);
  return negative && size !== 0 ? -size : size;
}

describe('the metric catalog', () => {
  test('names every metric of the six categories', () => {
    const counts = metricCatalog.metrics.reduce<Record<string, number>>((sum, { category }) => {
      sum[category] = (sum[category] ?? 0) + 1;
      return sum;
    }, {});
    expect(counts).toEqual({ activity: 14, sleep: 17, vitals: 15, body_composition: 10, energy: 3, nutrition: 11 });
  });

  test('answers in the shape it promises', () => {
    expect(MetricCatalog.parse(metricCatalog)).toEqual(metricCatalog);
    expect(metricCatalog.metrics.find(({ id }) => id === 'distance')).toEqual({
      id: 'distance',
      display_name: 'Distance',
      category: 'activity',
      unit: 'km',
      imperial_unit: 'mi',
      precision: 2,
      aggregation: 'sum',
      range: [0, 1_000],
    });
  });

  test('shows imperial units for distances, temperatures, masses and lengths only', () => {
    const imperial = new Map(metricCatalog.metrics.map((metric) => [metric.unit, metric.imperial_unit]));
    const changed = [...imperial].filter(([unit, other]) => unit !== other);
    expect(Object.fromEntries(changed)).toEqual({ km: 'mi', m: 'yd', '°C': '°F', kg: 'lb', cm: 'in' });
  });

  test('knows its ids and nothing else', () => {
    expect(metricIds.every(isMetricId)).toBe(true);
    expect(isMetricId('sleep_score')).toBe(false);
    expect(isMetricId('toString')).toBe(false);
  });

  test('finds the metrics of a category and the categories of metrics, in catalog order', () => {
    expect(metricsIn('energy')).toEqual(['active_calories', 'resting_energy', 'total_calories']);
    expect(categoriesOf(['water', 'steps', 'heart_rate', 'distance'])).toEqual(['activity', 'vitals', 'nutrition']);
  });
});

describe('conversion into a metric’s own unit', () => {
  test.each<[MetricId, number, string, number]>([
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
  ])('%s: %d %s is %d', (metric, value, unit, expected) => {
    expect(toCanonical(metric, value, unit)).toBe(expected);
  });

  test.each<[MetricId, string]>([
    ['steps', 'km'],
    ['heart_rate', 'brpm'],
    ['weight', 'cm'],
    ['blood_glucose', 'mg'],
    ['asleep', 'count'],
    ['distance', 'KM'],
    ['distance', ''],
    ['distance', 'constructor'],
  ])('%s does not take %j', (metric, unit) => {
    expect(toCanonical(metric, 1, unit)).toBeUndefined();
  });

  test('a value in the metric’s own unit is left exactly as it came', () => {
    fc.assert(
      fc.property(anyMetric, fc.double({ noNaN: true }), (metric, value) => {
        expect(toCanonical(metric, value, metricRow(metric).unit)).toBe(value);
      }),
    );
  });

  test('every accepted unit keeps larger values larger and leaves no float noise', () => {
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
    ['swimming', 1_500, 1_640],
    ['body_temperature', 37, 98.6],
    ['weight', 70.398, 155.2],
    ['height', 177.8, 70],
    ['heart_rate', 61.4, 61.4],
    ['water', 1_900, 1_900],
  ])('%s %d is %d', (metric, value, expected) => {
    expect(toImperial(metric, value)).toBe(expected);
  });

  test('a reading taken in the imperial unit comes back as it was read', () => {
    const converted = metricIds.filter((id) => metricRow(id).unit !== metricRow(id).imperialUnit);
    expect(converted.length).toBeGreaterThan(10);
    fc.assert(
      fc.property(fc.constantFrom(...converted), fc.integer({ min: 1, max: 20_000 }), (metric, steps) => {
        const { precision, imperialUnit } = metricRow(metric);
        const reading = steps / 10 ** precision;
        const canonical = toCanonical(metric, reading, imperialUnit) ?? Number.NaN;
        expect(toImperial(metric, canonical)).toBe(reading);
      }),
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
        (decimals, places, digits) => {
          const text = (digits / 10 ** places).toFixed(places);
          expect(roundTo(decimals, Number(text))).toBe(roundedByHand(text, decimals));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('shows a metric with its own decimals, once and for all', () => {
    fc.assert(
      fc.property(anyMetric, fc.double({ noNaN: true, min: -1e9, max: 1e9 }), (metric, value) => {
        const shown = round(metric, value);
        expect(round(metric, shown)).toBe(shown);
        expect(Number(shown.toFixed(metricRow(metric).precision))).toBe(shown);
        expect(Object.is(shown, -0)).toBe(false);
      }),
    );
  });
});

describe('plausibility', () => {
  test('refuses what no body does', () => {
    expect(isPlausible('heart_rate', 900)).toBe(false);
    expect(isPlausible('heart_rate', 61)).toBe(true);
    expect(isPlausible('steps', -1)).toBe(false);
    expect(isPlausible('asleep', 1_500)).toBe(true);
    expect(isPlausible('asleep', 1_501)).toBe(false);
    expect(isPlausible('weight', Number.NaN)).toBe(false);
    expect(isPlausible('weight', Number.POSITIVE_INFINITY)).toBe(false);
  });
});
