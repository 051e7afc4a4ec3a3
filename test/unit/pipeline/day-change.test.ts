import { describe, expect, test } from 'vitest';
import type { MetricId } from '../../../shared/catalog/metrics.ts';
import {
  encodeNormalizedDay,
  type NormalizedValue,
  unpackNormalizedRows,
} from '../../../shared/measurements/codec/normalized-day.ts';
import { applyDayChanges } from '../../../shared/pipeline/day-change.ts';

const packed = encodeNormalizedDay(
  new Map([
    [
      0,
      new Map<MetricId, NormalizedValue>([
        ['steps', { value: 8_432, stated: true }],
        ['asleep', { value: 452, stated: true, original: { value: 27_120, unit: 's' } }],
      ]),
    ],
    [2, new Map<MetricId, NormalizedValue>([['steps', { value: 7_911, stated: false }]])],
  ]),
);
const stored = { date: '2026-03-10', packed, revision: 4 };

describe('a stored day', () => {
  test('is not written again when nothing changes', () => {
    const { changed } = applyDayChanges('2026-03-10', stored, 0, [
      (day) => day.setStated('steps', 8_432, undefined),
      (day) => day.setStated('asleep', 452, { value: 27_120, unit: 's' }),
    ]);
    expect(changed).toBeUndefined();
  });

  test('is written again when a value changes', () => {
    const { changed } = applyDayChanges('2026-03-10', stored, 2, [(day) => day.setDerived('steps', 7_912)]);
    expect(changed).toMatchObject({ date: '2026-03-10', revision: 4, metrics: ['steps'] });
  });
});

describe('a stated total', () => {
  test('takes precedence over the sum of samples', () => {
    const { changed } = applyDayChanges('2026-03-10', stored, 0, [(day) => day.setDerived('steps', 9_000)]);
    expect(changed).toBeUndefined();
  });
});

describe('a device that no longer reports values for a day', () => {
  test('leaves no trace in that day', () => {
    const { changed: result } = applyDayChanges('2026-03-10', stored, 5, [(day) => day.setDerived('steps', 10)]);
    const before = { date: '2026-03-10', packed: result?.packed ?? new Uint8Array(), revision: 5 };
    expect(unpackNormalizedRows(before.packed).map(({ device }) => device)).toEqual([0, 2, 5]);
    const { changed: after } = applyDayChanges('2026-03-10', before, 5, [(day) => day.setDerived('steps', undefined)]);
    expect(unpackNormalizedRows(after?.packed ?? new Uint8Array()).map(({ device }) => device)).toEqual([0, 2]);
  });
});
