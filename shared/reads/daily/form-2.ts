// The daily read in columns, straight into JSON text: nothing in it but the sources needs escaping.

import type { MetricId } from '../../catalog/metrics.ts';
import { JsonText } from '../../platform/json-text.ts';
import type { Face } from '../../platform/presenter.ts';
import { type FromToQuery, fromTo } from '../kit/asked-range.ts';
import { presentUnit } from '../kit/present-value.ts';
import type { UnitSystem } from '../kit/read-parameters.ts';
import { requestedMetrics } from '../kit/requested-metrics.ts';
import { columnText } from './column-text.ts';
import type { DailyColumns } from './daily-columns.ts';
import type { Daily } from './form-2-schema.ts';
import type { DailyAsked, DailyRead } from './read-daily.ts';
import { presentOrigin } from './value-source.ts';

export interface DailyQuery extends FromToQuery {
  types?: string | undefined;
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

export const form2Daily: Face<DailyQuery, DailyAsked, DailyRead, JsonText<Daily>> = {
  asked: (query) => ({
    range: fromTo(query),
    metrics: requestedMetrics('types', query.types),
    withSources: query.include_sources,
  }),
  present(found, { unit_system }) {
    const unitSystem = unit_system ?? 'metric';
    const parts = [seriesText(found, unitSystem)];
    if (unit_system) parts.push(`"units":${JSON.stringify(unitsOf(found.metrics, unit_system))}`);
    if (found.sources) parts.push(`"sources":${JSON.stringify(sourcesOf(found, found.sources, unitSystem))}`);
    return new JsonText(`{${parts.join(',')}}`);
  },
};

/** The inside of the body without options. */
export function seriesText({ range, dates, metrics, columns }: DailyColumns, unitSystem: UnitSystem): string {
  const series = columns.map((column, at) => {
    const metric = metrics[at];
    return metric === undefined ? '' : `"${metric}":${columnText(metric, column, unitSystem)}`;
  });
  return `"from_date":"${range.from}","to_date":"${range.to}","dates":["${dates.join('","')}"],"series":{${series.join(',')}}`;
}

const unitsOf = (metrics: readonly MetricId[], unitSystem: UnitSystem): Daily['units'] =>
  Object.fromEntries(metrics.map((metric) => [metric, presentUnit(metric, unitSystem)]));

const sourcesOf = (
  { metrics }: DailyRead,
  sources: NonNullable<DailyRead['sources']>,
  unitSystem: UnitSystem,
): Daily['sources'] =>
  Object.fromEntries(
    metrics.map((metric, at) => [
      metric,
      (sources[at] ?? []).map((origin) => (origin ? presentOrigin(metric, origin, unitSystem) : null)),
    ]),
  );
