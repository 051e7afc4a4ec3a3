// The daily read in rows, straight into JSON text: nothing in it but the sources needs escaping.
import type { DailyRows } from '../../model/form-1/daily.ts';
import { JsonText } from '../../model/json-text.ts';
import type { MetricId } from '../../model/metrics.ts';
import { longestRowsDays, type UnitSystem } from '../../model/read-parameters.ts';
import type { DailyAsked, DailyRead } from '../../reads/daily.ts';
import { type StartEndQuery, startEnd } from '../asked-range.ts';
import { valueWriter } from '../column-text.ts';
import type { Face } from '../face.ts';
import { presentUnit } from '../present-value.ts';
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
    const written = metrics.map((metric, column) => ({
      metric,
      named: `","metric":"${metric}","value":`,
      write: valueWriter(metric, unit_system),
      unit: `"unit":${JSON.stringify(presentUnit(metric, unit_system))}`,
      values: columns[column] ?? new Float64Array(),
      origins: sources?.[column],
    }));
    let text = '';
    for (const [at, date] of dates.entries())
      for (const { metric, named, write, unit, values, origins } of written) {
        const value = values[at] ?? Number.NaN;
        if (Number.isNaN(value)) continue;
        const source = origins ? sourceText(metric, origins[at], unit_system) : '';
        text += `,{"date":"${date}${named}${write(value)}${unit}${source}}`;
      }
    return new JsonText(`{"data":[${text.slice(1)}]}`);
  },
};

type Origin = NonNullable<DailyRead['sources']>[number][number];

const sourceText = (metric: MetricId, origin: Origin, unitSystem: UnitSystem): string =>
  `,"source":${origin ? JSON.stringify(presentOrigin(metric, origin, unitSystem)) : null}`;
