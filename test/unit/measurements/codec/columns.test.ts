import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metricIds, metricRow } from '../../../../shared/catalog/metrics.ts';
import { decodeCanonicalDay, encodeCanonicalDay } from '../../../../shared/measurements/codec/canonical-day.ts';
import { decodeColumns, decodeSourceColumns } from '../../../../shared/measurements/codec/columns.ts';
import { UnreadableData } from '../../../../shared/platform/bytes.ts';
import { anyValue, overMetrics } from './arbitrary-values.ts';

const anyDay = overMetrics(fc.record({ value: anyValue, source: fc.nat({ max: 400 }) })).map(encodeCanonicalDay);
const anyDays = fc.array(fc.option(anyDay, { nil: undefined }), { maxLength: 12 });
const anyMetrics = fc.uniqueArray(fc.constantFrom(...metricIds));

describe('columns of canonical days', () => {
  test('hold the value and source of each day, and NaN and -1 where there is none', () => {
    fc.assert(
      fc.property(anyDays, anyMetrics, (days, wanted) => {
        const indexes = wanted.map((id) => metricRow(id).index);
        const oneByOne = wanted.map((id) => days.map((day) => (day ? decodeCanonicalDay(day).get(id) : undefined)));
        expect(decodeColumns(days, indexes).map((column) => [...column])).toEqual(
          oneByOne.map((column) => column.map((entry) => entry?.value ?? Number.NaN)),
        );
        expect(decodeSourceColumns(days, indexes).map((column) => [...column])).toEqual(
          oneByOne.map((column) => column.map((entry) => entry?.source ?? -1)),
        );
      }),
    );
  });

  test('fail as a whole on one unreadable day', () => {
    const bytes = encodeCanonicalDay(new Map([['steps', { value: 1, source: 0 }]]));
    expect(() => decodeColumns([bytes, bytes.subarray(1)], [0])).toThrow(UnreadableData);
  });

  test('reject an unknown metric', () => {
    expect(() => decodeColumns([], [10_000])).toThrow(RangeError);
    expect(() => decodeSourceColumns([], [-1])).toThrow(RangeError);
  });
});
