import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type MetricId, metricIds, toCanonical } from '../../../../shared/catalog/metrics.ts';
import { encodeCanonicalDay } from '../../../../shared/measurements/codec/canonical-day.ts';
import { packSamples, type StoredSample, unpackSamples } from '../../../../shared/measurements/codec/sample-block.ts';
import { UnreadableData } from '../../../../shared/platform/bytes.ts';
import { corruptAndReseal } from '../../platform/reseal.ts';
import { anyValue, withOriginal } from './arbitrary-values.ts';
import { uniformly } from './seeded-random.ts';

const utcDay = '2026-03-14';
const midnight = Date.parse(`${utcDay}T00:00:00Z`);
const anyOffset = fc.constantFrom(-720, -210, 0, 60, 120, 345, 840);

const anySample: fc.Arbitrary<StoredSample> = withOriginal(
  fc
    .record({
      since: fc.oneof(fc.nat({ max: 86_399_999 }), fc.nat({ max: 20 })),
      lasting: fc.oneof(
        fc.constant(0),
        fc.nat({ max: 3_600_000 }),
        fc.maxSafeNat().map((n) => Math.floor(n / 64)),
      ),
      value: anyValue,
      offsetMinutes: fc.option(anyOffset),
    })
    .map(({ since, lasting, ...rest }) => ({ startMs: midnight + since, endMs: midnight + since + lasting, ...rest })),
);

const anySamples = fc
  .uniqueArray(anySample, { selector: ({ startMs, endMs }) => `${startMs} ${endMs}`, maxLength: 60 })
  .map((samples) => samples.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs));
const anyMetric = fc.constantFrom(...metricIds);

const small: StoredSample[] = [
  { startMs: midnight + 1_000, endMs: midnight + 1_000, value: 72, offsetMinutes: 60 },
  {
    startMs: midnight + 61_000,
    endMs: midnight + 121_000,
    value: 73.2,
    original: { value: 1.22, unit: 'count/s' },
    offsetMinutes: null,
  },
  {
    startMs: midnight + 61_000,
    endMs: midnight + 181_000,
    value: 1 / 3,
    original: { value: 1 / 3, unit: 'count/min' },
    offsetMinutes: null,
  },
];

function everySecond(valueAt: (second: number) => number): StoredSample[] {
  return Array.from({ length: 86_400 }, (_, second) => ({
    startMs: midnight + second * 1_000,
    endMs: midnight + second * 1_000,
    value: valueAt(second),
    offsetMinutes: second < 40_000 ? 60 : 120,
  }));
}

/** A trace that varies like a heart rate: mostly steady, sometimes a beat up or down. */
function wander(decimals: number): (second: number) => number {
  let state = 7;
  let bpm = 70;
  const power = 10 ** decimals;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bpm = Math.min(185, Math.max(42, bpm + ((state >>> 16) % 5) - 2));
    return Math.round((bpm + (decimals === 0 ? 0 : (state >>> 8) / 2 ** 24)) * power) / power;
  };
}

describe('a packed sample block', () => {
  test('decodes to exactly what was encoded', () => {
    fc.assert(
      fc.property(anyMetric, anySamples, (metric, samples) => {
        expect(unpackSamples(metric, utcDay, packSamples(metric, utcDay, samples))).toEqual(samples);
      }),
      { numRuns: 400 },
    );
  });

  test('takes a tenth of a table item for a day of heart rate every second, and a fifth with tenths', () => {
    const integers = everySecond(wander(0));
    const tenths = everySecond(wander(1));
    expect(packSamples('heart_rate', utcDay, integers).length).toBeLessThan(40_000);
    const packedTenths = packSamples('heart_rate', utcDay, tenths);
    expect(packedTenths.length).toBeLessThan(80_000);
    expect(isDeepStrictEqual(unpackSamples('heart_rate', utcDay, packedTenths), tenths)).toBe(true);
  });

  test('takes almost no extra space for the same numbers in the unit of the source', () => {
    const plain = everySecond(wander(0));
    const named = plain.map((sample) => ({ ...sample, original: { value: sample.value, unit: 'count/min' } }));
    const cost = packSamples('heart_rate', utcDay, named).length - packSamples('heart_rate', utcDay, plain).length;
    expect(cost).toBeLessThan(200);
  });

  test('does not store a value that its original converts to, and restores it', () => {
    fc.assert(
      fc.property(fc.array(anyValue, { maxLength: 40 }), fc.constantFrom('K', '°F', '°C', 'degC'), (sent, unit) => {
        const samples = sent.flatMap((value, at) => {
          const converted = toCanonical('body_temperature', value, unit);
          if (converted === undefined || !Number.isFinite(converted)) return [];
          const startMs = midnight + at * 1_000;
          const offsets = { offsetMinutes: null };
          return [{ startMs, endMs: startMs, value: converted, original: { value, unit }, ...offsets }];
        });
        const bytes = packSamples('body_temperature', utcDay, samples);
        expect(unpackSamples('body_temperature', utcDay, bytes)).toEqual(samples);
      }),
    );
  });

  test('restores the largest integers, however far apart they are', () => {
    const largest = 2 ** 52 - 1;
    for (const values of [
      [largest, -largest],
      [3 * 2 ** 50 - 1, 1 - 3 * 2 ** 50],
      [-largest, 0, largest, 1],
    ]) {
      const samples = values.map((value, at): StoredSample => {
        const startMs = midnight + at;
        return { startMs, endMs: startMs, value, offsetMinutes: null };
      });
      expect(unpackSamples('steps', utcDay, packSamples('steps', utcDay, samples))).toEqual(samples);
    }
  });

  test('is short for everyday data', () => {
    const uniform = uniformly(12_345);
    const between = (min: number, max: number, decimals: number) =>
      Number((min + uniform() * (max - min)).toFixed(decimals));
    const everyMinute = (count: number, value: () => number) =>
      Array.from({ length: count }, (_, at): StoredSample => {
        const startMs = midnight + at * 60_000;
        return { startMs, endMs: startMs, value: value(), offsetMinutes: 60 };
      });
    const backToBack = (count: number, value: () => number) => {
      let at = midnight;
      return Array.from({ length: count }, (): StoredSample => {
        const startMs = at;
        at += 1_000 * between(20, 100, 0);
        return { startMs, endMs: at, value: value(), offsetMinutes: 60 };
      });
    };
    const fahrenheit = everyMinute(288, () => between(97.5, 99.5, 1)).map((sample) => ({
      ...sample,
      value: toCanonical('body_temperature', sample.value, '°F') ?? 0,
      original: { value: sample.value, unit: '°F' },
    }));
    const size = (metric: MetricId, samples: readonly StoredSample[]) => packSamples(metric, utcDay, samples).length;
    let bpm = 70;
    const nextBeat = () => {
      bpm = Math.min(185, Math.max(42, bpm + between(-4, 4, 0)));
      return bpm;
    };
    expect(size('heart_rate', everyMinute(1_440, nextBeat))).toBeLessThan(700);
    expect(
      size(
        'active_calories',
        backToBack(600, () => between(0.1, 0.7, 1)),
      ),
    ).toBeLessThan(900);
    expect(
      size(
        'active_calories',
        backToBack(600, () => between(0.1, 0.7, 3)),
      ),
    ).toBeLessThan(1_550);
    expect(
      size(
        'active_calories',
        backToBack(600, () => between(0.3, 0.5, 9) + uniform() * 1e-9),
      ),
    ).toBeLessThan(4_750);
    expect(size('body_temperature', fahrenheit)).toBeLessThan(240);
  });

  test('with damage that passes the checksum is an error or other samples, never a hang or a flood', () => {
    const bytes = packSamples('heart_rate', utcDay, small);
    for (let at = 1; at < bytes.length - 2; at++) {
      for (const wrong of [0x00, 0x7f, 0x80, 0xff]) {
        const damaged = corruptAndReseal(bytes, at, wrong);
        try {
          expect(unpackSamples('heart_rate', utcDay, damaged).length).toBeLessThanOrEqual(bytes.length);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableData);
        }
      }
    }
  });

  test('takes thirty bytes or fewer for one sample', () => {
    expect(packSamples('heart_rate', utcDay, small.slice(0, 1)).length).toBeLessThanOrEqual(30);
  });

  test('with a changed byte is an error and never another sample', () => {
    fc.assert(
      fc.property(anySamples, fc.nat(), fc.integer({ min: 1, max: 255 }), (samples, position, change) => {
        const bytes = packSamples('steps', utcDay, samples);
        const at = position % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ change;
        expect(() => unpackSamples('steps', utcDay, bytes)).toThrow(UnreadableData);
      }),
      { numRuns: 400 },
    );
  });

  test('that is truncated or extended is an error and never a shorter or longer block', () => {
    const bytes = packSamples('heart_rate', utcDay, small);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => unpackSamples('heart_rate', utcDay, bytes.subarray(0, length))).toThrow(UnreadableData);
    }
    expect(() => unpackSamples('heart_rate', utcDay, Uint8Array.of(...bytes, 0))).toThrow(UnreadableData);
  });

  test('is not confused with another metric, another day or a packed day', () => {
    const bytes = packSamples('heart_rate', utcDay, small);
    expect(() => unpackSamples('steps', utcDay, bytes)).toThrow(UnreadableData);
    expect(() => unpackSamples('heart_rate', '2026-03-15', bytes)).toThrow(UnreadableData);
    expect(() => unpackSamples('heart_rate', utcDay, encodeCanonicalDay(new Map()))).toThrow(/layout/);
  });

  const [one] = small;
  test.each<[string, Partial<StoredSample>]>([
    ['a value that is not a number', { value: Number.NaN }],
    ['an infinite value', { value: Number.POSITIVE_INFINITY }],
    ['an end before the start', { endMs: midnight }],
    ['half a millisecond', { startMs: midnight + 0.5 }],
    ['another UTC day', { startMs: midnight - 1 }],
    ['an offset of half a minute', { offsetMinutes: 0.5 }],
    ['an offset of days', { offsetMinutes: 2_000 }],
    ['an original that is not a number', { original: { value: Number.NaN, unit: 's' } }],
  ])('rejects %s', (_, change) => {
    const sample = { startMs: 0, endMs: 0, value: 0, offsetMinutes: null, ...one, ...change };
    expect(() => packSamples('heart_rate', utcDay, [sample])).toThrow(RangeError);
  });

  test('rejects samples that are out of order or duplicated', () => {
    expect(() => packSamples('heart_rate', utcDay, small.toReversed())).toThrow(RangeError);
    expect(() => packSamples('heart_rate', utcDay, [...small.slice(0, 1), ...small.slice(0, 1)])).toThrow(RangeError);
  });
});
