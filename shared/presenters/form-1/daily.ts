// The daily read in rows, straight into JSON text: nothing in it but the sources needs escaping.
import type { DailyRows } from '../../model/form-1/daily.ts';
import { JsonText } from '../../model/json-text.ts';
import type { MetricId } from '../../model/metrics.ts';
import { longestRowsDays, type UnitSystem } from '../../model/read-parameters.ts';
import type { DailyAsked, DailyRead } from '../../reads/daily.ts';
import { type StartEndQuery, startEnd } from '../asked-range.ts';
import type { Face } from '../face.ts';
import { presentUnit, presentValue } from '../present-value.ts';
import { requestedMetrics } from '../requested-metrics.ts';
import { presentOrigin } from '../value-source.ts';

export interface DailyRowsQuery extends StartEndQuery {
  metrics?: string | undefined;
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

export const form1Daily: Face<DailyRowsQuery, DailyAsked, DailyRead, JsonText<DailyRows>> = {
  asked: (query) => ({
    range: startEnd(query, longestRowsDays),
    metrics: requestedMetrics('metrics', query.metrics),
    withSources: query.include_sources,
  }),
  present({ dates, metrics, columns, sources }, { unit_system = 'metric' }) {
    const rows: string[] = [];
    const named = metrics.map((metric) => `","metric":"${metric}","value":`);
    const units = metrics.map((metric) => `,"unit":${JSON.stringify(presentUnit(metric, unit_system))}`);
    for (const [at, date] of dates.entries())
      for (const [column, metric] of metrics.entries()) {
        const value = columns[column]?.[at] ?? Number.NaN;
        if (Number.isNaN(value)) continue;
        const source = sources ? sourceText(metric, sources[column]?.[at], unit_system) : '';
        rows.push(
          `{"date":"${date}${named[column]}${presentValue(metric, value, unit_system)}${units[column]}${source}}`,
        );
      }
    return new JsonText(`{"data":[${rows.join(',')}]}`);
  },
};

type Origin = NonNullable<DailyRead['sources']>[number][number];

const sourceText = (metric: MetricId, origin: Origin, unitSystem: UnitSystem): string =>
  `,"source":${origin ? JSON.stringify(presentOrigin(metric, origin, unitSystem)) : null}`;
