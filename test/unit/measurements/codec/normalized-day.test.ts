import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MetricId } from '../../../../shared/catalog/metrics.ts';
import { encodeCanonicalDay } from '../../../../shared/measurements/codec/canonical-day.ts';
import {
  decodeNormalizedDay,
  encodeNormalizedDay,
  type NormalizedDay,
  type NormalizedValue,
  packNormalizedRows,
  unpackNormalizedRows,
} from '../../../../shared/measurements/codec/normalized-day.ts';
import { UnreadableData } from '../../../../shared/platform/bytes.ts';
import { anyValue, overMetrics, withOriginal } from './arbitrary-values.ts';
import { realisticDay } from './realistic-day.ts';

const anyMark = fc.constantFrom<Omit<NormalizedValue, 'value' | 'original'>>(
  { stated: true },
  { stated: false },
  { stated: false, ofNight: true },
);
const anyDay: fc.Arbitrary<NormalizedDay> = fc
  .uniqueArray(
    fc.tuple(
      fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 65_535 })),
      overMetrics(withOriginal(fc.tuple(anyValue, anyMark).map(([value, mark]) => ({ value, ...mark })))),
    ),
    { selector: ([device]) => device, maxLength: 4 },
  )
  .map((devices) => new Map(devices));

const inOrdinalOrder = (day: NormalizedDay) => new Map([...day].sort(([a], [b]) => a - b));

const small: NormalizedDay = new Map([
  [
    0,
    new Map<MetricId, NormalizedValue>([
      ['steps', { value: 8_432, stated: true }],
      ['asleep', { value: 452, stated: true, original: { value: 27_120, unit: 's' } }],
    ]),
  ],
  [
    2,
    new Map<MetricId, NormalizedValue>([
      ['steps', { value: 7_911, stated: false }],
      ['weight', { value: 70.398, stated: true, original: { value: 155.2, unit: 'lb' } }],
    ]),
  ],
]);

describe('a packed normalized day', () => {
  test('decodes to exactly what was encoded', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(decodeNormalizedDay(encodeNormalizedDay(day))).toEqual(inOrdinalOrder(day));
      }),
      { numRuns: 300 },
    );
  });

  test('has the same bytes for the same day, regardless of the order of the devices', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        expect(encodeNormalizedDay(new Map([...day].reverse()))).toEqual(encodeNormalizedDay(day));
      }),
    );
  });

  test('fits into one write unit with four devices of sixty metrics each, seconds and meters included', () => {
    const device = (seed: number) =>
      new Map(
        Array.from(realisticDay(seed), ([id, { value }]): [MetricId, NormalizedValue] =>
          id.endsWith('sleep')
            ? [id, { value, stated: true, original: { value: value * 60 + 7, unit: 's' } }]
            : [id, { value, stated: seed % 2 === 0 }],
        ),
      );
    const bytes = encodeNormalizedDay(new Map([0, 1, 2, 3].map((ordinal) => [ordinal, device(ordinal)])));
    expect(bytes.length).toBeLessThan(700);
  });

  test('with a changed byte is an error and never another value', () => {
    fc.assert(
      fc.property(anyDay, fc.nat(), fc.integer({ min: 1, max: 255 }), (day, position, change) => {
        const bytes = encodeNormalizedDay(day);
        const at = position % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ change;
        expect(() => decodeNormalizedDay(bytes)).toThrow(UnreadableData);
      }),
      { numRuns: 300 },
    );
  });

  test('that is truncated or extended is an error and never a shorter or longer day', () => {
    const bytes = encodeNormalizedDay(small);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeNormalizedDay(bytes.subarray(0, length))).toThrow(UnreadableData);
    }
    expect(() => decodeNormalizedDay(Uint8Array.of(...bytes, 0))).toThrow(UnreadableData);
  });

  test('is not confused with a canonical day', () => {
    expect(() => decodeNormalizedDay(encodeCanonicalDay(new Map()))).toThrow(/layout/);
  });

  test('shows nothing of the previous day in reused rows', () => {
    fc.assert(
      fc.property(anyDay, anyDay, (first, second) => {
        const reuse = unpackNormalizedRows(encodeNormalizedDay(first));
        const rows = unpackNormalizedRows(encodeNormalizedDay(second), reuse);
        expect(packNormalizedRows(rows)).toEqual(encodeNormalizedDay(second));
      }),
    );
  });

  test('cannot store an invalid device ordinal', () => {
    expect(() => encodeNormalizedDay(new Map([[-1, new Map()]]))).toThrow(RangeError);
  });
});
