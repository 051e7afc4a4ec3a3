// The data catalog: every metric, with the scores as the seventh category.
import { type Metric, type MetricCatalog, catalogPaths as paths } from './metric-catalog.ts';
import { describeMetric, scoreDescriptions } from './metric-descriptions.ts';
import { metricTable } from './metric-table.ts';
import { scoreTable } from './score-table.ts';

export const metricCatalog: MetricCatalog = {
  metrics: [
    ...metricTable.map(
      (row): Metric => ({
        id: row.id,
        display_name: row.displayName,
        description: describeMetric(row),
        category: row.category,
        unit: row.unit,
        imperial_unit: row.imperialUnit,
        precision: row.precision,
        imperial_precision: row.imperialPrecision,
        aggregation: row.aggregation,
        range: [...row.range],
        read_from: [paths.daily, paths.timeseries],
      }),
    ),
    ...scoreTable.map(
      ({ id, displayName }): Metric => ({
        id,
        display_name: `${displayName} Score`,
        description: scoreDescriptions[id],
        category: 'scores',
        unit: 'score',
        imperial_unit: 'score',
        precision: 0,
        imperial_precision: 0,
        aggregation: null,
        range: [0, 100],
        read_from: [paths.scores, paths.history, ...(id === 'stress_score' ? [paths.timeseries] : [])],
      }),
    ),
  ],
};
