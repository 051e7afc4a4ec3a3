// The metrics that a daily read names: all there are when it names none.
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
          unsupported.some(isScoreId) ? 'scores are read from /scores' : 'see /v1/metrics for the ids there are',
      });

/** Where scores are served beside metrics: those that are named, and no score when nothing is. */
export const requestedMetricsAndScores = (
  parameter: string,
  list: string | undefined,
): readonly (MetricId | ScoreId)[] =>
  list === undefined
    ? metricIds
    : requestedIds(list, {
        parameter,
        isSupported: (text): text is MetricId | ScoreId => isMetricId(text) || isScoreId(text),
        advice: () => 'see /v1/metrics for the ids there are',
      });
