// Parses and renders timeseries requests: individual samples, or one local day of one metric in
// equal steps, depending on the query parameters.

import { isSampleId, type SampleId } from '../../catalog/metrics.ts';
import { isScoreId } from '../../catalog/score-ids.ts';
import type { Presenter } from '../../platform/presenter.ts';
import { addDays, formatLocalTime, localDate } from '../../platform/time/local-day.ts';
import { formatTimestamp } from '../../platform/time/time.ts';
import { presentUtcOffset } from '../../platform/time/utc-offset.ts';
import { Failure } from '../../system/failure.ts';
import { presentSampleSource } from '../daily/value-source.ts';
import { presentUnit, presentValue } from '../kit/present-value.ts';
import { tooLarge } from '../kit/range.ts';
import type { UnitSystem } from '../kit/read-parameters.ts';
import { requestedId, requestedIds, type SupportedIds } from '../kit/requested-ids.ts';
import { parseStartEnd } from '../kit/requested-range.ts';
import { presentDevice } from '../kit/source.ts';
import {
  maxMetrics,
  maxSamples,
  type Timeseries,
  type TimeseriesColumn,
  type TimeseriesSample,
  timeseriesShapesText,
} from './form-2-schema.ts';
import type { ColumnResult } from './read-column.ts';
import type { SampleResult, SamplesResult, TimeseriesRequest, TimeseriesResult } from './read-timeseries.ts';
import type { Resolution } from './resolution.ts';

export interface TimeseriesQuery {
  metrics?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  metric?: string | undefined;
  date?: string | undefined;
  resolution?: Resolution | undefined;
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

const defaultResolution: Resolution = '5m';
/** What a function can read and merge in time, several times what a response can hold. */
const maxStoredSamples = 500_000;

const describeParameter = (parameter: 'metrics' | 'metric'): SupportedIds<SampleId> => ({
  parameter,
  isSupported: isSampleId,
  advice: (unsupported) =>
    unsupported.some(isScoreId)
      ? 'stress_score is the only score with samples; read the others from /scores'
      : 'use a metric id from GET /v1/metrics',
});
const [metricsParameter, metricParameter] = [describeParameter('metrics'), describeParameter('metric')];

export const form2Timeseries: Presenter<TimeseriesQuery, TimeseriesRequest, TimeseriesResult, Timeseries> = {
  parse({ metrics, start_date, end_date, metric, date, resolution }) {
    const [sampleParameters, stepParameters] = [
      listPresent({ metrics, start_date, end_date }),
      listPresent({ metric, date, resolution }),
    ];
    const [stepParameter] = stepParameters;
    if (stepParameter !== undefined && sampleParameters.length > 0)
      throw invalidQuery(stepParameter, `cannot be combined with ${sampleParameters.join(', ')}`, timeseriesShapesText);
    if (stepParameter === undefined) {
      if (metrics === undefined) throw missingParameter('metrics');
      if (start_date === undefined) throw missingParameter('start_date');
      if (end_date === undefined) throw missingParameter('end_date');
      return {
        shape: 'samples',
        metrics: parseMetrics(metrics),
        range: parseStartEnd({ start_date, end_date }),
        maxStoredSamples,
      };
    }
    if (metric === undefined) throw missingParameter('metric');
    if (date === undefined) throw missingParameter('date');
    const id = requestedId(metric, metricParameter);
    return { shape: 'steps', metric: id, date, resolution: resolution ?? defaultResolution };
  },
  render: (result, query) =>
    result.shape === 'samples' ? presentSamples(result, query) : presentColumn(result, query),
};

function parseMetrics(list: string): SampleId[] {
  const metrics = requestedIds(list, metricsParameter);
  if (metrics.length > maxMetrics)
    throw invalidQuery(
      'metrics',
      `names ${metrics.length} metrics, but the limit is ${maxMetrics}: split them over several requests`,
    );
  return metrics;
}

const listPresent = (parameters: Record<string, string | undefined>): string[] =>
  Object.keys(parameters).filter((name) => parameters[name] !== undefined);

const missingParameter = (path: string) => invalidQuery(path, 'is required', timeseriesShapesText);

const invalidQuery = (path: string, message: string, advice?: string) =>
  new Failure('invalid_request', [`The parameter ${path} ${message}.`, ...(advice ? [advice] : [])].join(' '), {
    details: { issues: [{ path, message }] },
  });

function presentSamples(result: SamplesResult, query: TimeseriesQuery): Timeseries {
  const { byMetric, isComplete } = result;
  const count = byMetric.reduce((sum, { samples }) => sum + samples.length, 0);
  const limit = query.include_sources ? maxSamples.withSources : maxSamples.plain;
  if (count > limit || !isComplete) throw tooManySamples(result, limit, count);
  const data = byMetric.flatMap(({ metric, samples }) => samples.map((sample) => presentSample(metric, sample, query)));
  return { data: data.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0)) };
}

function tooManySamples({ byMetric, zone, range, isComplete }: SamplesResult, limit: number, count: number): Failure {
  const starts = byMetric.flatMap(({ samples }) => samples.map(({ startMs }) => startMs)).sort((a, b) => a - b);
  // The day of the first sample beyond the limit does not fit as a whole.
  const beyondMs = starts[limit];
  const to =
    beyondMs === undefined
      ? range.to
      : addDays(localDate(beyondMs, { zone, by: 'profile' }, { offsetMinutes: null }), -1);
  const has = isComplete
    ? `has ${count} samples, but the limit is ${limit}`
    : 'has more samples, of all devices, than can be read at once';
  if (to >= range.from) return tooLarge('end_date', has, { from: range.from, to });
  return invalidQuery(
    'end_date',
    `is too late: the first day alone ${has}; ${
      byMetric.length === 1 ? 'read the day in steps, with metric, date and resolution' : 'request fewer metrics'
    }`,
  );
}

function presentSample(
  metric: SampleId,
  sample: SampleResult,
  { unit_system = 'metric', include_sources }: TimeseriesQuery,
): TimeseriesSample {
  const presented = {
    timestamp: formatTimestamp(sample.startMs),
    metric,
    value: presentValue(metric, sample.value, unit_system),
    unit: presentUnit(metric, unit_system),
    utc_offset: presentUtcOffset(sample),
  };
  return include_sources ? { ...presented, source: presentSampleSource(metric, sample) } : presented;
}

function presentColumn(
  { metric, zone, startMs, stepMs, values, device }: ColumnResult,
  { unit_system = 'metric', include_sources }: TimeseriesQuery,
): TimeseriesColumn {
  return {
    metric,
    unit: presentUnit(metric, unit_system),
    start: formatLocalTime(startMs, zone),
    step_seconds: stepMs / 1000,
    values: Array.from(values, (value) => (Number.isNaN(value) ? null : presentValue(metric, value, unit_system))),
    time_zone: zone ?? 'UTC',
    start_at: formatTimestamp(startMs),
    ...(include_sources ? { source: device ? presentDevice(device) : null } : {}),
  };
}
