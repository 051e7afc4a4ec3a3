import { describe, expect, test } from 'vitest';
import { sampleIds } from '../../../../shared/catalog/metrics.ts';
import { presentUnit, presentValue } from '../../../../shared/reads/kit/present-value.ts';
import { form2Timeseries, type TimeseriesQuery } from '../../../../shared/reads/timeseries/form-2.ts';
import { TimeseriesColumn, TimeseriesSamples } from '../../../../shared/reads/timeseries/form-2-schema.ts';
import type { ColumnResult } from '../../../../shared/reads/timeseries/read-column.ts';
import type { SampleResult } from '../../../../shared/reads/timeseries/read-timeseries.ts';
import { deviceRow } from '../../../harness/stored-data.ts';

const device = deviceRow({ id: 'dev_01k9p3w4d6f8h0k2n4q6s8v0x2' });
const at = (time: string): number => Date.parse(`2026-03-14T${time}Z`);
const sample = (time: string, value: number, more: Partial<SampleResult> = {}): SampleResult => ({
  device,
  startMs: at(time),
  value,
  original: undefined,
  offsetMinutes: null,
  ...more,
});

const day = { from: '2026-03-14', to: '2026-03-14' };

describe('single samples', () => {
  const byMetric = [
    { metric: 'steps' as const, samples: [sample('09:00:00', 120, { offsetMinutes: 0 }), sample('08:00:00', 0)] },
    {
      metric: 'heart_rate' as const,
      samples: [sample('08:00:00', 61.04, { original: { value: 1.0173, unit: 'Hz' }, offsetMinutes: -210 })],
    },
  ];
  const shown = (query: Partial<TimeseriesQuery> = {}) =>
    TimeseriesSamples.parse(
      form2Timeseries.render(
        { shape: 'samples', zone: null, range: day, isComplete: true, byMetric },
        { include_sources: false, ...query },
      ),
    ).data;

  test('are sorted by time, then in the requested order of the metrics, each with its unit and offset', () => {
    const [early, late] = ['2026-03-14T08:00:00.000Z', '2026-03-14T09:00:00.000Z'];
    expect(shown()).toEqual([
      { timestamp: early, metric: 'steps', value: 0, unit: 'count', utc_offset: null },
      { timestamp: early, metric: 'heart_rate', value: 61, unit: 'bpm', utc_offset: '-03:30' },
      { timestamp: late, metric: 'steps', value: 120, unit: 'count', utc_offset: '+00:00' },
    ]);
  });

  test("state the original value, in the metric's own unit if the source used no other", () => {
    const of = { provider: 'oura', device_id: device.id };
    expect(shown({ include_sources: true }).map(({ source }) => source)).toEqual([
      { ...of, original_value: 0, original_unit: 'count' },
      { ...of, original_value: 1.0173, original_unit: 'Hz' },
      { ...of, original_value: 120, original_unit: 'count' },
    ]);
  });
});

describe('a column', () => {
  const column: ColumnResult = {
    shape: 'steps',
    metric: 'distance',
    zone: 'Europe/Berlin',
    startMs: Date.parse('2026-03-13T23:00:00Z'),
    stepMs: 3_600_000,
    values: Float64Array.of(Number.NaN, 0, 1.2345),
    device: undefined,
  };
  const shown = (read: ColumnResult, query: Partial<TimeseriesQuery> = {}) =>
    TimeseriesColumn.parse(form2Timeseries.render(read, { include_sources: false, ...query }));

  test("starts at midnight in the profile's zone; an empty step is null, and zero is zero", () => {
    expect(shown(column)).toEqual({
      metric: 'distance',
      unit: 'km',
      start: '2026-03-14T00:00:00',
      step_seconds: 3600,
      values: [null, 0, presentValue('distance', 1.2345, 'metric')],
      time_zone: 'Europe/Berlin',
      start_at: '2026-03-13T23:00:00.000Z',
    });
    expect(shown({ ...column, zone: null })).toMatchObject({ start: '2026-03-13T23:00:00', time_zone: 'UTC' });
  });

  test('is converted when imperial units are requested', () => {
    const { unit, values } = shown(column, { unit_system: 'imperial' });
    expect([unit, values]).toEqual([presentUnit('distance', 'imperial'), [null, 0, 0.77]]);
  });

  test('names its device, or null without any', () => {
    expect(shown(column, { include_sources: true }).source).toBeNull();
    expect(shown({ ...column, device }, { include_sources: true }).source).toEqual({
      provider: 'oura',
      device_id: device.id,
    });
  });
});

describe('a timeseries query', () => {
  const parse = (query: Partial<TimeseriesQuery>) => form2Timeseries.parse({ include_sources: false, ...query });

  test('requests samples or steps', () => {
    expect(parse({ metrics: 'steps,stress_score', start_date: '2026-03-13', end_date: '2026-03-14' })).toEqual({
      shape: 'samples',
      metrics: ['steps', 'stress_score'],
      range: { from: '2026-03-13', to: '2026-03-14', names: { from: 'start_date', to: 'end_date' }, maxDays: 3_653 },
      maxStoredSamples: 500_000,
    });
    expect(parse({ metric: 'weight', date: '2026-03-14' })).toEqual({
      shape: 'steps',
      metric: 'weight',
      date: '2026-03-14',
      resolution: '5m',
    });
  });

  test('requests samples of any metric, and of 16 of them at most', () => {
    const metricsOf = (metrics: string) => parse({ metrics, start_date: '2026-03-14', end_date: '2026-03-14' });
    for (const id of sampleIds) expect(metricsOf(id)).toMatchObject({ metrics: [id] });
    const most = sampleIds.slice(-16);
    expect(metricsOf([...most, ...most].join(','))).toMatchObject({ metrics: most });
    expect(() => metricsOf(sampleIds.slice(-17).join(','))).toThrow(
      'The parameter metrics names 17 metrics, but the limit is 16: split them over several requests.',
    );
  });

  test.each([
    ['toes', 'use a metric id from GET /v1/metrics'],
    ['steps,', 'use a metric id from GET /v1/metrics'],
    ['steps,sleep_score', 'stress_score is the only score with samples; read the others from /scores'],
  ])('for samples of %j is rejected with advice', (metrics, advice) => {
    expect(() => parse({ metrics, start_date: '2026-03-14', end_date: '2026-03-14' })).toThrow(advice);
  });

  test.each<[Partial<TimeseriesQuery>, string]>([
    [{}, 'The parameter metrics is required.'],
    [{ metrics: 'steps' }, 'The parameter start_date is required.'],
    [{ metrics: 'steps', start_date: '2026-03-14' }, 'The parameter end_date is required.'],
    [{ metric: 'steps' }, 'The parameter date is required.'],
    [{ date: '2026-03-14' }, 'The parameter metric is required.'],
    [{ metric: 'steps', metrics: 'steps' }, 'The parameter metric cannot be combined with metrics.'],
  ])('%j is rejected', (query, message) => {
    expect(() => parse(query)).toThrow(
      `${message} Send metrics, start_date and end_date for samples, or metric and date for one day in equal steps.`,
    );
  });
});
