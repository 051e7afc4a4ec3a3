// Renders daily metrics in rows directly as JSON text: only the sources need escaping.

import { isMetricId, type MetricId } from '../../catalog/metrics.ts';
import { isScoreId, type ScoreId } from '../../catalog/score-ids.ts';
import { JsonText } from '../../platform/json-text.ts';
import type { Presenter } from '../../platform/presenter.ts';
import { presentUnit } from '../kit/present-value.ts';
import { maxDailyRowsDays, type UnitSystem } from '../kit/read-parameters.ts';
import { requestedMetricsAndScores } from '../kit/requested-metrics.ts';
import { parseStartEnd, type StartEndQuery } from '../kit/requested-range.ts';
import { createValueWriter } from './column-text.ts';
import type { DailyRows } from './form-1-schema.ts';
import type { DailyRequest, DailyResult } from './read-daily.ts';
import { presentOrigin } from './value-source.ts';

export interface DailyRowsQuery extends StartEndQuery {
  metrics?: string | undefined;
  unit_system?: UnitSystem | undefined;
  include_sources: boolean;
}

export const form1Daily: Presenter<DailyRowsQuery, DailyRequest, DailyResult, JsonText<DailyRows>> = {
  parse(query) {
    const ids = requestedMetricsAndScores('metrics', query.metrics);
    return {
      range: parseStartEnd(query, maxDailyRowsDays),
      metrics: ids.filter(isMetricId),
      scores: ids.filter(isScoreId),
      withSources: query.include_sources,
    };
  },
  render({ dates, metrics, columns, sources, scores }, { metrics: list, unit_system = 'metric' }) {
    const rows = new Map<string, (at: number) => string>();
    for (const [column, metric] of metrics.entries())
      rows.set(metric, createMetricRowWriter(metric, columns[column], sources?.[column], unit_system));
    for (const [id, values] of scores ?? []) rows.set(id, createScoreRowWriter(id, values, sources !== undefined));
    // In the requested order, with scores among the metrics.
    const ids = scores ? requestedMetricsAndScores('metrics', list) : metrics;
    const orderedRows = ids.flatMap((id) => rows.get(id) ?? []);
    let text = '';
    for (const [at, date] of dates.entries())
      for (const writeRow of orderedRows) {
        const row = writeRow(at);
        if (row !== '') text += `,{"date":"${date}${row}}`;
      }
    return new JsonText(`{"data":[${text.slice(1)}]}`);
  },
};

/** Writes what follows the date; empty where there is no value. */
function createMetricRowWriter(
  metric: MetricId,
  values: Float64Array | undefined,
  origins: readonly Origin[] | undefined,
  unitSystem: UnitSystem,
): (at: number) => string {
  const prefix = `","metric":"${metric}","value":`;
  const write = createValueWriter(metric, unitSystem);
  const unit = `"unit":${JSON.stringify(presentUnit(metric, unitSystem))}`;
  return (at) => {
    const value = values?.[at] ?? Number.NaN;
    if (Number.isNaN(value)) return '';
    return `${prefix}${write(value)}${unit}${origins ? formatSource(metric, origins[at], unitSystem) : ''}`;
  };
}

/** A score is computed, so it has no source device. */
function createScoreRowWriter(id: ScoreId, values: Float64Array, withSources: boolean): (at: number) => string {
  const prefix = `","metric":"${id}","value":`;
  const suffix = `,"unit":"score"${withSources ? ',"source":null' : ''}`;
  return (at) => (Number.isNaN(values[at]) ? '' : `${prefix}${values[at]}${suffix}`);
}

type Origin = NonNullable<DailyResult['sources']>[number][number];

const formatSource = (metric: MetricId, origin: Origin, unitSystem: UnitSystem): string =>
  `,"source":${origin ? JSON.stringify(presentOrigin(metric, origin, unitSystem)) : null}`;
