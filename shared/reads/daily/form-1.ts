// The daily read in rows, straight into JSON text: nothing in it but the sources needs escaping.

import { isMetricId, type MetricId } from '../../catalog/metrics.ts';
import { isScoreId, type ScoreId } from '../../catalog/score-ids.ts';
import { JsonText } from '../../platform/json-text.ts';
import type { Face } from '../../platform/presenter.ts';
import { type StartEndQuery, startEnd } from '../kit/asked-range.ts';
import { presentUnit } from '../kit/present-value.ts';
import { longestRowsDays, type UnitSystem } from '../kit/read-parameters.ts';
import { requestedMetricsAndScores } from '../kit/requested-metrics.ts';
import { valueWriter } from './column-text.ts';
import type { DailyRows } from './form-1-schema.ts';
import type { DailyAsked, DailyRead } from './read-daily.ts';
import { presentOrigin } from './value-source.ts';

export interface DailyRowsQuery extends StartEndQuery {
  metrics?: string | undefined;
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

export const form1Daily: Face<DailyRowsQuery, DailyAsked, DailyRead, JsonText<DailyRows>> = {
  asked(query) {
    const ids = requestedMetricsAndScores('metrics', query.metrics);
    return {
      range: startEnd(query, longestRowsDays),
      metrics: ids.filter(isMetricId),
      scores: ids.filter(isScoreId),
      withSources: query.include_sources,
    };
  },
  present({ dates, metrics, columns, sources, scores }, { metrics: list, unit_system = 'metric' }) {
    const rows = new Map<string, (at: number) => string>();
    for (const [column, metric] of metrics.entries())
      rows.set(metric, metricRowText(metric, columns[column], sources?.[column], unit_system));
    for (const [id, values] of scores ?? []) rows.set(id, scoreRowText(id, values, sources !== undefined));
    // In the order asked for, scores among the metrics.
    const ids = scores ? requestedMetricsAndScores('metrics', list) : metrics;
    const inOrder = ids.flatMap((id) => rows.get(id) ?? []);
    let text = '';
    for (const [at, date] of dates.entries())
      for (const rowOn of inOrder) {
        const row = rowOn(at);
        if (row !== '') text += `,{"date":"${date}${row}}`;
      }
    return new JsonText(`{"data":[${text.slice(1)}]}`);
  },
};

/** What follows the date; nothing where there is no value. */
function metricRowText(
  metric: MetricId,
  values: Float64Array | undefined,
  origins: readonly Origin[] | undefined,
  unitSystem: UnitSystem,
): (at: number) => string {
  const named = `","metric":"${metric}","value":`;
  const write = valueWriter(metric, unitSystem);
  const unit = `"unit":${JSON.stringify(presentUnit(metric, unitSystem))}`;
  return (at) => {
    const value = values?.[at] ?? Number.NaN;
    if (Number.isNaN(value)) return '';
    return `${named}${write(value)}${unit}${origins ? sourceText(metric, origins[at], unitSystem) : ''}`;
  };
}

/** A score is computed, so it has no device. */
function scoreRowText(id: ScoreId, values: Float64Array, withSources: boolean): (at: number) => string {
  const named = `","metric":"${id}","value":`;
  const rest = `,"unit":"score"${withSources ? ',"source":null' : ''}`;
  return (at) => (Number.isNaN(values[at]) ? '' : `${named}${values[at]}${rest}`);
}

type Origin = NonNullable<DailyRead['sources']>[number][number];

const sourceText = (metric: MetricId, origin: Origin, unitSystem: UnitSystem): string =>
  `,"source":${origin ? JSON.stringify(presentOrigin(metric, origin, unitSystem)) : null}`;
