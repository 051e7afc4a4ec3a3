// Renders daily metrics in columns directly as JSON text: only the sources need escaping.

import type { MetricId } from '../../catalog/metrics.ts';
import { JsonText } from '../../platform/json-text.ts';
import type { Presenter } from '../../platform/presenter.ts';
import { presentUnit } from '../kit/present-value.ts';
import type { UnitSystem } from '../kit/read-parameters.ts';
import { requestedMetrics } from '../kit/requested-metrics.ts';
import { type FromToQuery, parseFromTo } from '../kit/requested-range.ts';
import { formatColumn } from './column-text.ts';
import type { DailyColumns } from './daily-columns.ts';
import type { Daily } from './form-2-schema.ts';
import type { DailyRequest, DailyResult } from './read-daily.ts';
import { presentOrigin } from './value-source.ts';

export interface DailyQuery extends FromToQuery {
  types?: string | undefined;
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

export const form2Daily: Presenter<DailyQuery, DailyRequest, DailyResult, JsonText<Daily>> = {
  parse: (query) => ({
    range: parseFromTo(query),
    metrics: requestedMetrics('types', query.types),
    withSources: query.include_sources,
  }),
  render(daily, { unit_system }) {
    const unitSystem = unit_system ?? 'metric';
    const fields = [formatSeries(daily, unitSystem)];
    if (unit_system) fields.push(`"units":${JSON.stringify(presentUnits(daily.metrics, unit_system))}`);
    if (daily.sources) fields.push(`"sources":${JSON.stringify(presentSources(daily, daily.sources, unitSystem))}`);
    return new JsonText(`{${fields.join(',')}}`);
  },
};

/** The fields of the body that are always present. */
export function formatSeries({ range, dates, metrics, columns }: DailyColumns, unitSystem: UnitSystem): string {
  const series = columns.map((column, at) => {
    const metric = metrics[at];
    return metric === undefined ? '' : `"${metric}":${formatColumn(metric, column, unitSystem)}`;
  });
  return `"from_date":"${range.from}","to_date":"${range.to}","dates":["${dates.join('","')}"],"series":{${series.join(',')}}`;
}

const presentUnits = (metrics: readonly MetricId[], unitSystem: UnitSystem): Daily['units'] =>
  Object.fromEntries(metrics.map((metric) => [metric, presentUnit(metric, unitSystem)]));

const presentSources = (
  { metrics }: DailyResult,
  sources: NonNullable<DailyResult['sources']>,
  unitSystem: UnitSystem,
): Daily['sources'] =>
  Object.fromEntries(
    metrics.map((metric, at) => [
      metric,
      (sources[at] ?? []).map((origin) => (origin ? presentOrigin(metric, origin, unitSystem) : null)),
    ]),
  );
