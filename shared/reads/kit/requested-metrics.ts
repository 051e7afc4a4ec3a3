// Parses the metrics of a daily read; defaults to all metrics.
import { isMetricId, type MetricId, metricIds } from '../../catalog/metrics.ts';
import { isScoreId, type ScoreId } from '../../catalog/score-ids.ts';
import { requestedIds } from './requested-ids.ts';

export const requestedMetrics = (parameter: string, list: string | undefined): readonly MetricId[] =>
  list === undefined
    ? metricIds
    : requestedIds(list, {
        parameter,
        isSupported: isMetricId,
        advice: (unsupported) =>
          unsupported.some(isScoreId) ? 'scores are read from /scores' : 'see GET /v1/metrics for the supported ids',
      });

/**
 * For reads that also return scores: scores are included only if they are named, so the default has
 * none.
 */
export const requestedMetricsAndScores = (
  parameter: string,
  list: string | undefined,
): readonly (MetricId | ScoreId)[] =>
  list === undefined
    ? metricIds
    : requestedIds(list, {
        parameter,
        isSupported: (text): text is MetricId | ScoreId => isMetricId(text) || isScoreId(text),
        advice: () => 'see GET /v1/metrics for the supported ids',
      });
