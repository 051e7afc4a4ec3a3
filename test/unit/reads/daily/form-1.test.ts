import { describe, expect, test } from 'vitest';
import { metricIds } from '../../../../shared/catalog/metrics.ts';
import { type DailyRowsQuery, form1Daily } from '../../../../shared/reads/daily/form-1.ts';
import { DailyRows } from '../../../../shared/reads/daily/form-1-schema.ts';
import type { DailyResult } from '../../../../shared/reads/daily/read-daily.ts';
import { Failure } from '../../../../shared/system/failure.ts';
import { deviceRow } from '../../../harness/stored-data.ts';

const ring = deviceRow({ id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2', provider: 'oura' });
const watch = deviceRow({ id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x3', provider: 'garmin', ordinal: 1 });
const query: DailyRowsQuery = { start_date: '2026-03-13', end_date: '2026-03-14', include_sources: false };

const result: DailyResult = {
  range: { from: '2026-03-13', to: '2026-03-14' },
  dates: ['2026-03-13', '2026-03-14'],
  metrics: ['distance', 'steps', 'body_temperature'],
  columns: [
    Float64Array.of(5.004, Number.NaN),
    Float64Array.of(8421.4, 0),
    Float64Array.of(Number.NaN, 36.583333333333),
  ],
  sources: undefined,
};
const shown = (more: Partial<DailyRowsQuery> = {}, read = result) =>
  DailyRows.parse(JSON.parse(form1Daily.render(read, { ...query, ...more }).text)).data;

describe('daily rows', () => {
  test('are sorted by date, then in the order of the metrics; a missing value has no row, and zero is zero', () => {
    expect(shown()).toEqual([
      { date: '2026-03-13', metric: 'distance', value: 5, unit: 'km' },
      { date: '2026-03-13', metric: 'steps', value: 8421, unit: 'count' },
      { date: '2026-03-14', metric: 'steps', value: 0, unit: 'count' },
      { date: '2026-03-14', metric: 'body_temperature', value: 36.6, unit: '°C' },
    ]);
  });

  test('include requested scores, in the requested order', () => {
    const scores = new Map([
      ['stress_score' as const, Float64Array.of(15, Number.NaN)],
      ['sleep_score' as const, Float64Array.of(0, 81)],
    ]);
    const read = { ...result, scores, metrics: ['steps' as const], columns: [Float64Array.of(8421.4, 0)] };
    const metrics = 'sleep_score,steps,stress_score';
    const rows = [
      { date: '2026-03-13', metric: 'sleep_score', value: 0, unit: 'score' },
      { date: '2026-03-13', metric: 'steps', value: 8421, unit: 'count' },
      { date: '2026-03-13', metric: 'stress_score', value: 15, unit: 'score' },
      { date: '2026-03-14', metric: 'sleep_score', value: 81, unit: 'score' },
      { date: '2026-03-14', metric: 'steps', value: 0, unit: 'count' },
    ];
    expect(shown({ metrics, unit_system: 'imperial' }, read)).toEqual(rows);
    const sourced = shown({ metrics, include_sources: true }, { ...read, sources: [[undefined, undefined]] });
    expect(sourced).toEqual(rows.map((row) => ({ ...row, source: null })));
  });

  test('are empty where there is no data', () => {
    expect(shown({}, { ...result, metrics: ['distance'], columns: [Float64Array.of(Number.NaN, Number.NaN)] })).toEqual(
      [],
    );
  });

  test('are converted with their units when imperial units are requested', () => {
    expect(shown({ unit_system: 'imperial' }).map(({ value, unit }) => [value, unit])).toEqual([
      [3.11, 'mi'],
      [8421, 'count'],
      [0, 'count'],
      [97.9, '°F'],
    ]);
  });

  test('name the source of each value on request, in the unit the device used', () => {
    const contributors = [
      { device: ring, value: 3.0004 },
      { device: watch, value: 2.0036 },
    ];
    const steps = { value: 8421.4, unit: 'count' };
    const read: DailyResult = {
      ...result,
      sources: [
        [{ device: ring, original: { value: 3.10934, unit: 'mi' }, contributors }, undefined],
        [{ device: watch, original: steps, contributors: [] }, undefined],
        [undefined, undefined],
      ],
    };
    expect(shown({ include_sources: true, unit_system: 'imperial' }, read).map(({ source }) => source)).toEqual([
      {
        provider: 'oura',
        device_id: ring.id,
        original_value: 3.10934,
        original_unit: 'mi',
        contributors: [
          { provider: 'oura', device_id: ring.id, value: 1.86 },
          { provider: 'garmin', device_id: watch.id, value: 1.24 },
        ],
      },
      { provider: 'garmin', device_id: watch.id, original_value: 8421.4, original_unit: 'count' },
      null,
      null,
    ]);
  });
});

describe('a query for daily rows', () => {
  test('requests every metric when it names none, and 90 days at most', () => {
    expect(form1Daily.parse(query)).toEqual({
      range: {
        from: '2026-03-13',
        to: '2026-03-14',
        names: { from: 'start_date', to: 'end_date' },
        maxDays: 90,
      },
      metrics: metricIds,
      scores: [],
      withSources: false,
    });
  });

  test('requests each metric once, in its order', () => {
    expect(form1Daily.parse({ ...query, metrics: 'weight, steps,weight' }).metrics).toEqual(['weight', 'steps']);
    expect(form1Daily.parse({ ...query, metrics: 'stress_score,steps,sleep_score' })).toMatchObject({
      metrics: ['steps'],
      scores: ['stress_score', 'sleep_score'],
    });
  });

  test.each([
    ['sleep_scores', '/v1/metrics'],
    ['step', '/v1/metrics'],
    ['', 'an empty value'],
  ])('is rejected when it names %j, with the name of its own parameter', (metrics, advice) => {
    const ask = () => form1Daily.parse({ ...query, metrics });
    expect(ask).toThrow(Failure);
    expect(ask).toThrow(`metrics contains unsupported values`);
    expect(ask).toThrow(advice);
  });
});
