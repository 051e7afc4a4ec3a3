// Samples within days, in two shapes: one by one over some days, or one local day of one metric in equal steps.
import type { Deps } from '../domain/deps.ts';
import { datesInRange, dayBounds } from '../domain/time/local-day.ts';
import type { Subject } from '../domain/users/subject.ts';
import type { Caller } from '../model/account.ts';
import { Failure } from '../model/failure.ts';
import { fromCanonical, isMetricId, type MetricId, metricRow } from '../model/metrics.ts';
import type { UnitSystem } from '../model/read-parameters.ts';
import type { Original } from '../model/records.ts';
import { timestamp } from '../model/time.ts';
import {
  type Resolution,
  type SampledId,
  sampledIds,
  type Timeseries,
  type TimeseriesSample,
} from '../model/timeseries.ts';
import type { KeptSample } from '../store/codec/sample-block.ts';
import type { DeviceRow } from '../store/devices.ts';
import type { KeptSampleDay } from '../store/samples.ts';
import { believedSamples } from './believed-samples.ts';
import { type Presented, readColumn, samplesAround } from './day-column.ts';
import { mergedParts, mergedSamples } from './merged-samples.ts';
import { presentUnit, presentValue } from './present-value.ts';
import { mustNotBeReversed, mustNotBeTooLong } from './range.ts';
import { ownSubjectAnd, sessionSource } from './reader.ts';
import { requestedId, requestedIds, type Served } from './requested-metrics.ts';

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

export async function readTimeseries(
  deps: Deps,
  caller: Caller,
  userId: string,
  query: TimeseriesQuery,
): Promise<Timeseries> {
  const { metrics, start_date, end_date, metric, date, resolution } = query;
  const presented = { unitSystem: query.unit_system ?? 'metric', includeSources: query.include_sources };
  const [bySample, inSteps] = [given({ metrics, start_date, end_date }), given({ metric, date, resolution })];
  const [mixed] = inSteps;
  if (mixed !== undefined && bySample.length > 0)
    throw invalid(mixed, `cannot be combined with ${bySample.join(', ')}`);
  if (mixed === undefined) return readSamples(deps, caller, userId, { metrics, start_date, end_date }, presented);
  if (metric === undefined) throw invalid('metric', 'is required');
  if (date === undefined) throw invalid('date', 'is required');
  const steps = { metric: requestedId(metric, anyMetric), date, resolution: resolution ?? usualResolution };
  return readColumn(deps, caller, userId, steps, presented);
}

const given = (parameters: Record<string, string | undefined>): string[] =>
  Object.keys(parameters).filter((name) => parameters[name] !== undefined);

const invalid = (path: string, message: string) =>
  new Failure('invalid_request', `The parameter ${path} ${message}.`, { details: { issues: [{ path, message }] } });

const sampled: Served<SampledId> = {
  parameter: 'metrics',
  isServed: (text): text is SampledId => sampledIds.some((id) => id === text),
  advice: () => `use ${sampledIds.join(', ')}`,
};
const anyMetric: Served<MetricId> = {
  parameter: 'metric',
  isServed: isMetricId,
  advice: () => 'name one id of /v1/metrics',
};

async function readSamples(
  deps: Deps,
  caller: Caller,
  userId: string,
  asked: Pick<TimeseriesQuery, 'metrics' | 'start_date' | 'end_date'>,
  presented: Presented,
): Promise<{ data: TimeseriesSample[] }> {
  const { metrics: list, start_date: from, end_date: to } = asked;
  if (list === undefined) throw invalid('metrics', 'is required');
  if (from === undefined) throw invalid('start_date', 'is required');
  if (to === undefined) throw invalid('end_date', 'is required');
  const ids = requestedIds(list, sampled);
  mustNotBeReversed(from, to, ['start_date', 'end_date']);
  mustNotBeTooLong(from, to, longestDays, 'start_date');
  const metrics = ids.flatMap((id) => (isMetricId(id) ? [id] : []));
  const [subject, kept] = await ownSubjectAnd(deps, caller, userId, () =>
    Promise.all(metrics.map((metric) => samplesAround(deps, userId, metric, from, to))),
  );
  const found = metrics.map((metric, at) => ({
    metric,
    samples: shownSamples(subject, metric, kept[at] ?? [], from, to),
  }));
  const count = found.reduce((sum, { samples }) => sum + samples.length, 0);
  const most = presented.includeSources ? mostSamples.withSources : mostSamples.plain;
  if (count > most)
    throw invalid(
      'end_date',
      `asks for ${count} samples, and at most ${most} can be read at once: ${
        from === to && ids.length === 1
          ? 'read the day in steps, with metric, date and resolution'
          : 'name fewer days or metrics'
      }`,
    );
  const data = found.flatMap(({ metric, samples }) =>
    samples.map((sample) => presentSample(metric, sample, presented)),
  );
  return { data: data.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0)) };
}

interface ShownSample {
  device: DeviceRow;
  startMs: number;
  value: number;
  original: Original | undefined;
}

function shownSamples(
  subject: Subject,
  metric: MetricId,
  kept: readonly KeptSampleDay[],
  from: string,
  to: string,
): ShownSample[] {
  if (!metricRow(metric).accrues)
    return believedSamples(subject, metric, kept, datesInRange(from, to)).flatMap(({ device, samples }) =>
      samples.map(({ startMs, value, original }) => ({ device, startMs, value, original })),
    );
  const zone = subject.user.timezone;
  const [startMs, endMs] = [dayBounds(from, zone).startMs, dayBounds(to, zone).endMs];
  return mergedSamples(mergedParts(subject, metric, kept))
    .filter(({ sample }) => sample.startMs >= startMs && sample.startMs < endMs)
    .map(({ device, sample, value }) => ({
      device,
      startMs: sample.startMs,
      value,
      original: shareOf(metric, sample, value),
    }));
}

/** What is left of a sample, as its source would say it. */
function shareOf(metric: MetricId, { value, original }: KeptSample, left: number): Original | undefined {
  if (original === undefined || left === value) return original;
  const said = fromCanonical(metric, left, original.unit);
  return said === undefined ? undefined : { value: said, unit: original.unit };
}

function presentSample(
  metric: MetricId & SampledId,
  { device, startMs, value, original }: ShownSample,
  { unitSystem, includeSources }: Presented,
): TimeseriesSample {
  const sample = {
    timestamp: timestamp(startMs),
    metric,
    value: presentValue(metric, value, unitSystem),
    unit: presentUnit(metric, unitSystem),
  };
  if (!includeSources) return sample;
  const reported = original ?? { value, unit: presentUnit(metric, 'metric') };
  return {
    ...sample,
    source: { ...sessionSource(device), original_value: reported.value, original_unit: reported.unit },
  };
}
