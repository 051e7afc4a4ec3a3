// Samples within days: one by one, or one local day of one metric in equal steps; the query's parameters tell which.

import { isSampleId, type SampleId } from '../../catalog/metrics.ts';
import { isScoreId } from '../../catalog/score-ids.ts';
import type { Face } from '../../platform/presenter.ts';
import { clockIn } from '../../platform/time/local-day.ts';
import { timestamp } from '../../platform/time/time.ts';
import { Failure } from '../../system/failure.ts';
import { presentSampleSource } from '../daily/value-source.ts';
import { startEnd } from '../kit/asked-range.ts';
import { presentDevice } from '../kit/present-device.ts';
import { presentUnit, presentValue } from '../kit/present-value.ts';
import type { UnitSystem } from '../kit/read-parameters.ts';
import { requestedId, requestedIds, type Served } from '../kit/requested-ids.ts';
import type { ColumnRead } from './day-column.ts';
import {
  type SampledId,
  sampledIds,
  type Timeseries,
  type TimeseriesColumn,
  type TimeseriesSample,
} from './form-2-schema.ts';
import type { ReadSample, SamplesRead, TimeseriesAsked, TimeseriesRead } from './read-timeseries.ts';
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

const longestDays = 31;
const usualResolution: Resolution = '5m';
/** Keeps the answer within what a function may return, without compression too. */
const mostSamples = { plain: 50_000, withSources: 20_000 };

const sampled: Served<SampledId> = {
  parameter: 'metrics',
  isServed: (text): text is SampledId => sampledIds.some((id) => id === text),
  advice: () => `use ${sampledIds.join(', ')}`,
};
const anySampled: Served<SampleId> = {
  parameter: 'metric',
  isServed: isSampleId,
  advice: (unsupported) =>
    unsupported.some(isScoreId)
      ? 'of the scores only stress_score has samples; the others are read from /scores'
      : 'use a metric id from GET /v1/metrics',
};

export const form2Timeseries: Face<
  TimeseriesQuery,
  TimeseriesAsked<SampledId>,
  TimeseriesRead<SampledId>,
  Timeseries
> = {
  asked({ metrics, start_date, end_date, metric, date, resolution }) {
    const [bySample, inSteps] = [given({ metrics, start_date, end_date }), given({ metric, date, resolution })];
    const [mixed] = inSteps;
    if (mixed !== undefined && bySample.length > 0)
      throw invalid(mixed, `cannot be combined with ${bySample.join(', ')}`);
    if (mixed === undefined) {
      if (metrics === undefined) throw invalid('metrics', 'is required');
      if (start_date === undefined) throw invalid('start_date', 'is required');
      if (end_date === undefined) throw invalid('end_date', 'is required');
      return {
        shape: 'samples',
        metrics: requestedIds(metrics, sampled),
        range: startEnd({ start_date, end_date }, longestDays),
      };
    }
    if (metric === undefined) throw invalid('metric', 'is required');
    if (date === undefined) throw invalid('date', 'is required');
    const id = requestedId(metric, anySampled);
    return { shape: 'steps', metric: id, date, resolution: resolution ?? usualResolution };
  },
  present: (found, query) => (found.shape === 'samples' ? presentSamples(found, query) : presentColumn(found, query)),
};

const given = (parameters: Record<string, string | undefined>): string[] =>
  Object.keys(parameters).filter((name) => parameters[name] !== undefined);

const invalid = (path: string, message: string) =>
  new Failure('invalid_request', `The parameter ${path} ${message}.`, { details: { issues: [{ path, message }] } });

function presentSamples({ byMetric }: SamplesRead<SampledId>, query: TimeseriesQuery): Timeseries {
  const count = byMetric.reduce((sum, { samples }) => sum + samples.length, 0);
  const most = query.include_sources ? mostSamples.withSources : mostSamples.plain;
  if (count > most)
    throw invalid(
      'end_date',
      `asks for ${count} samples, and at most ${most} can be read at once: ${
        query.start_date === query.end_date && byMetric.length === 1
          ? 'read the day in steps, with metric, date and resolution'
          : 'name fewer days or metrics'
      }`,
    );
  const data = byMetric.flatMap(({ metric, samples }) => samples.map((sample) => presentSample(metric, sample, query)));
  return { data: data.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0)) };
}

function presentSample(
  metric: SampledId,
  sample: ReadSample,
  { unit_system = 'metric', include_sources }: TimeseriesQuery,
): TimeseriesSample {
  const shown = {
    timestamp: timestamp(sample.startMs),
    metric,
    value: presentValue(metric, sample.value, unit_system),
    unit: presentUnit(metric, unit_system),
  };
  return include_sources ? { ...shown, source: presentSampleSource(metric, sample) } : shown;
}

function presentColumn(
  { metric, zone, startMs, stepMs, values, device }: ColumnRead,
  { unit_system = 'metric', include_sources }: TimeseriesQuery,
): TimeseriesColumn {
  return {
    metric,
    unit: presentUnit(metric, unit_system),
    start: clockIn(startMs, zone),
    step_seconds: stepMs / 1000,
    values: Array.from(values, (value) => (Number.isNaN(value) ? null : presentValue(metric, value, unit_system))),
    ...(include_sources ? { source: device ? presentDevice(device) : null } : {}),
  };
}
