import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MetricId, metricIds } from '../../../../shared/catalog/metrics.ts';
import { getUnitCode, getUnitName } from '../../../../shared/catalog/unit-codes.ts';
import { listAllUnits } from '../../../../shared/catalog/units.ts';
import {
  type CanonicalValue,
  decodeCanonicalDay,
  encodeCanonicalDay,
  packCanonicalRow,
  unpackCanonicalRow,
} from '../../../../shared/measurements/codec/canonical-day.ts';
import { encodeNormalizedDay } from '../../../../shared/measurements/codec/normalized-day.ts';
import { UnreadableData } from '../../../../shared/platform/bytes.ts';
import { anyValue, overMetrics, withOriginal } from './arbitrary-values.ts';
import { realisticDay } from './realistic-day.ts';

const source = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 65_535 }));
const anyDay: fc.Arbitrary<Map<MetricId, CanonicalValue>> = overMetrics(
  withOriginal(fc.record({ value: anyValue, source })),
);

const small = new Map<MetricId, CanonicalValue>([
  ['steps', { value: 8_432, source: 0 }],
  ['distance', { value: 6.214, source: 0, original: { value: 6_214, unit: 'm' } }],
  ['asleep', { value: 452, source: 3, original: { value: 27_120, unit: 's' } }],
  ['heart_rate', { value: 1 / 3, source: 300 }],
  ['body_temperature', { value: 36.55, source: 0, original: { value: 97.79, unit: 'oral °F' } }],
]);

const long = new Map<MetricId, CanonicalValue>([
  ['steps', { value: 12_345.5, source: 0 }],
  ['distance', { value: -0, source: 1 }],
  ['heart_rate', { value: 74.33333333333333, source: 1 }],
  ['weight', { value: 70.39876543, source: 2, original: { value: 155.2, unit: 'lb' } }],
  ['water', { value: 1e300, source: 0 }],
]);

describe('a packed canonical day', () => {
  test('decodes to exactly what was encoded', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(decodeCanonicalDay(encodeCanonicalDay(day))).toEqual(day);
      }),
      { numRuns: 500 },
    );
  });

  test('has the same bytes for the same day, regardless of the order of its metrics', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(encodeCanonicalDay(new Map([...day].reverse()))).toEqual(encodeCanonicalDay(day));
      }),
    );
  });

  test('keeps its stored bytes', () => {
    const golden =
      '11e9030000400020000010f443002e81190005010911800000000000000010c48891a2c4880108c1ee02117e37e43c8800759c08011001a0180300010294004931';
    expect(Buffer.from(encodeCanonicalDay(long)).toString('hex')).toBe(golden);
    expect(decodeCanonicalDay(Buffer.from(golden, 'hex'))).toEqual(long);
  });

  test('takes five bytes or fewer if it is empty', () => {
    expect(encodeCanonicalDay(new Map()).length).toBeLessThanOrEqual(5);
    expect(decodeCanonicalDay(encodeCanonicalDay(new Map()))).toEqual(new Map());
  });

  test('takes 120 bytes on average, and never 140, for sixty metrics of three sources', () => {
    const sizes = Array.from({ length: 366 }, (_, seed) => encodeCanonicalDay(realisticDay(seed)).length);
    expect(realisticDay(1).size).toBe(60);
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThanOrEqual(120);
    expect(Math.max(...sizes)).toBeLessThan(140);
  });

  test('takes three more bytes for a value with one digit too many, and nine for a value with all its digits', () => {
    const plain = realisticDay(1);
    const cost = (id: MetricId, more: number): number => {
      const { value = 0, source: from = 0 } = plain.get(id) ?? {};
      const changed = new Map([...plain, [id, { value: Number((value + more).toPrecision(17)), source: from }]]);
      expect(decodeCanonicalDay(encodeCanonicalDay(changed))).toEqual(changed);
      return encodeCanonicalDay(changed).length - encodeCanonicalDay(plain).length;
    };
    const heading = 1;
    expect(cost('active_calories', 0.4)).toBeLessThanOrEqual(heading + 3);
    expect(cost('heart_rate', 0.1 / 3)).toBeLessThanOrEqual(heading + 9);
    expect(cost('blood_oxygen', 0.1 / 3)).toBeLessThanOrEqual(heading + 9);
  });

  test('with a changed byte is an error and never another value', () => {
    fc.assert(
      fc.property(anyDay, fc.nat(), fc.integer({ min: 1, max: 255 }), (day, position, change) => {
        const bytes = encodeCanonicalDay(day);
        const at = position % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ change;
        expect(() => decodeCanonicalDay(bytes)).toThrow(UnreadableData);
      }),
      { numRuns: 500 },
    );
  });

  test('that is truncated or extended is an error and never a shorter or longer day', () => {
    const bytes = encodeCanonicalDay(small);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeCanonicalDay(bytes.subarray(0, length))).toThrow(UnreadableData);
    }
    expect(() => decodeCanonicalDay(Uint8Array.of(...bytes, 0))).toThrow(UnreadableData);
  });

  test('is not confused with a normalized day', () => {
    expect(() => decodeCanonicalDay(encodeNormalizedDay(new Map()))).toThrow(/layout/);
  });

  test('can be read from the middle of a larger buffer', () => {
    const bytes = encodeCanonicalDay(small);
    const larger = Uint8Array.of(9, 9, 9, ...bytes, 9);
    expect(decodeCanonicalDay(larger.subarray(3, 3 + bytes.length))).toEqual(small);
  });

  test('shows nothing of the previous day in a reused row', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (first, second) => {
        const row = unpackCanonicalRow(encodeCanonicalDay(first));
        unpackCanonicalRow(encodeCanonicalDay(second), row);
        expect(packCanonicalRow(row)).toEqual(encodeCanonicalDay(second));
      }),
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('cannot store %d', (value) => {
    expect(() => encodeCanonicalDay(new Map([['steps', { value, source: 0 }]]))).toThrow(RangeError);
  });

  test.each([-1, 1.5, 65_536])('cannot store source %d', (ordinal) => {
    expect(() => encodeCanonicalDay(new Map([['steps', { value: 1, source: ordinal }]]))).toThrow(RangeError);
  });

  test('holds every metric at once', () => {
    const full = new Map(metricIds.map((id, at) => [id, { value: at + 0.123456789, source: at }]));
    expect(decodeCanonicalDay(encodeCanonicalDay(full))).toEqual(full);
  });
});

describe('unit codes', () => {
  test('are short and unique for every unit that a metric accepts', () => {
    const codes = listAllUnits().map(getUnitCode);
    expect(codes).not.toContain(0);
    expect(new Set(codes).size).toBe(codes.length);
    expect(listAllUnits().map((unit) => getUnitName(getUnitCode(unit)))).toEqual(listAllUnits());
  });

  test.each([
    [1, 'count'],
    [16, 'lb'],
    [31, 's'],
    [46, 'mmol/L'],
    [57, 'fl_oz_us'],
  ])('keep code %d for %s', (code, unit) => {
    expect(getUnitName(code)).toBe(unit);
  });
});
