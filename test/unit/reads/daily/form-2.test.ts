import { describe, expect, test } from 'vitest';
import { metricIds } from '../../../../shared/catalog/metrics.ts';
import { type DailyQuery, form2Daily } from '../../../../shared/reads/daily/form-2.ts';
import { Daily } from '../../../../shared/reads/daily/form-2-schema.ts';
import type { DailyResult } from '../../../../shared/reads/daily/read-daily.ts';
import { deviceRow } from '../../../harness/stored-data.ts';

const ring = deviceRow({ id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2', provider: 'oura' });
const watch = deviceRow({ id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x3', provider: 'garmin', ordinal: 1 });

const makeResult = (more: Partial<DailyResult> = {}): DailyResult => ({
  range: { from: '2026-03-13', to: '2026-03-14' },
  dates: ['2026-03-13', '2026-03-14'],
  metrics: ['distance', 'steps'],
  columns: [Float64Array.of(5.004, Number.NaN), Float64Array.of(Number.NaN, 0)],
  sources: undefined,
  ...more,
});
const shown = (read: DailyResult, query: Partial<DailyQuery> = {}) =>
  Daily.parse(JSON.parse(form2Daily.render(read, { include_sources: false, ...query }).text));

describe('daily values', () => {
  test("are rounded to the metric's precision; a missing value is null, and zero is zero", () => {
    expect(shown(makeResult())).toEqual({
      from_date: '2026-03-13',
      to_date: '2026-03-14',
      dates: ['2026-03-13', '2026-03-14'],
      series: { distance: [5, null], steps: [null, 0] },
    });
  });

  test('are converted when imperial units are requested, and name their units', () => {
    const { series, units } = shown(makeResult(), { unit_system: 'imperial' });
    expect([series, units]).toEqual([
      { distance: [3.11, null], steps: [null, 0] },
      { distance: 'mi', steps: 'count' },
    ]);
  });

  test('name their units when metric units are requested', () => {
    expect(shown(makeResult(), { unit_system: 'metric' }).units).toEqual({ distance: 'km', steps: 'count' });
  });
});

describe('daily sources', () => {
  const original = { value: 3.10934, unit: 'mi' };
  const shares = [
    { device: ring, value: 3.0004 },
    { device: watch, value: 2.0036 },
  ];
  const withSources = makeResult({
    sources: [
      [{ device: ring, original, contributors: shares }, undefined],
      [undefined, { device: watch, original: { value: 0, unit: 'count' }, contributors: [] }],
    ],
  });

  test('state the original value in its own unit, and null where there is no value', () => {
    expect(shown(withSources, { include_sources: true }).sources).toEqual({
      distance: [
        {
          provider: 'oura',
          device_id: ring.id,
          original_value: 3.10934,
          original_unit: 'mi',
          contributors: [
            { provider: 'oura', device_id: ring.id, value: 3 },
            { provider: 'garmin', device_id: watch.id, value: 2 },
          ],
        },
        null,
      ],
      steps: [null, { provider: 'garmin', device_id: watch.id, original_value: 0, original_unit: 'count' }],
    });
  });

  test("state the contributors' shares in the requested units", () => {
    const { sources } = shown(withSources, { include_sources: true, unit_system: 'imperial' });
    expect(sources?.distance?.[0]?.contributors?.map(({ value }) => value)).toEqual([1.86, 1.24]);
  });
});

describe('a daily query', () => {
  test('requests every metric when it names none', () => {
    expect(form2Daily.parse({ include_sources: false })).toEqual({
      range: { from: undefined, to: undefined, names: { from: 'from_date', to: 'to_date' }, maxDays: 366 },
      metrics: metricIds,
      withSources: false,
    });
  });

  test('requests the metrics it names, in its order and each once', () => {
    const query = { types: 'steps, weight,steps', from_date: '2026-03-01', include_sources: true };
    expect(form2Daily.parse(query)).toMatchObject({
      range: { from: '2026-03-01' },
      metrics: ['steps', 'weight'],
      withSources: true,
    });
  });
});
