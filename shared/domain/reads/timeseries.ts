// Samples within days, in two shapes: one by one over some days, or one local day of one metric in equal steps.
import type { Caller } from '../../model/account.ts';
import { Failure } from '../../model/failure.ts';
import { isMetricId, type MetricId } from '../../model/metrics.ts';
import type { UnitSystem } from '../../model/read-parameters.ts';
import { timestamp } from '../../model/time.ts';
import {
  type Resolution,
  resolutionSeconds,
  type SampledId,
  sampledIds,
  type Timeseries,
  type TimeseriesColumn,
  type TimeseriesSample,
} from '../../model/timeseries.ts';
import type { KeptSample } from '../../store/codec/sample-block.ts';
import type { Deps } from '../deps.ts';
import { addDays, clockIn, datesInRange, dayBounds } from '../local-day.ts';
import { presentUnit, presentValue } from '../present-value.ts';
import { dayValue } from '../samples.ts';
import { believedSamples, type DaySamples } from './believed-samples.ts';
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

interface Presented {
  unitSystem: UnitSystem;
  includeSources: boolean;
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
  return readDay(deps, caller, userId, { metric, date, resolution: resolution ?? usualResolution }, presented);
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
  const dates = datesInRange(from, to);
  const found = metrics.map((metric, at) => ({
    metric,
    days: believedSamples(subject, metric, kept[at] ?? [], dates),
  }));
  const count = found.flatMap(({ days }) => days).reduce((sum, { samples }) => sum + samples.length, 0);
  const most = presented.includeSources ? mostSamples.withSources : mostSamples.plain;
  if (count > most)
    throw invalid(
      'end_date',
      `asks for ${count} samples, and at most ${most} can be read at once: name fewer days or metrics`,
    );
  const data = found.flatMap(({ metric, days }) =>
    days.flatMap(({ device, samples }) => samples.map((sample) => presentSample(metric, sample, device, presented))),
  );
  return { data: data.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0)) };
}

/** Every zone's version of these days lies within one UTC day more on both sides. */
const samplesAround = (deps: Deps, userId: string, metric: MetricId, from: string, to: string) =>
  deps.store.samples.between(userId, metric, addDays(from, -1), addDays(to, 1));

function presentSample(
  metric: MetricId & SampledId,
  { startMs, value, original }: KeptSample,
  device: DaySamples['device'],
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

async function readDay(
  deps: Deps,
  caller: Caller,
  userId: string,
  { metric: id, date, resolution }: { metric: string; date: string; resolution: Resolution },
  { unitSystem, includeSources }: Presented,
): Promise<TimeseriesColumn> {
  const metric = requestedId(id, anyMetric);
  const [subject, kept] = await ownSubjectAnd(deps, caller, userId, () =>
    samplesAround(deps, userId, metric, date, date),
  );
  const zone = subject.user.timezone;
  const [day] = believedSamples(subject, metric, kept, [date]);
  const { startMs, endMs } = dayBounds(date, zone);
  const stepMs = resolutionSeconds[resolution] * 1000;
  const steps = Map.groupBy(day?.samples ?? [], (sample) => Math.floor((sample.startMs - startMs) / stepMs));
  const values = Array.from({ length: Math.ceil((endMs - startMs) / stepMs) }, (_, step) => {
    const value = dayValue(metric, steps.get(step) ?? []);
    return value === undefined ? null : presentValue(metric, value, unitSystem);
  });
  return {
    metric,
    unit: presentUnit(metric, unitSystem),
    start: clockIn(startMs, zone),
    step_seconds: stepMs / 1000,
    values,
    ...(includeSources ? { source: day ? sessionSource(day.device) : null } : {}),
  };
}
