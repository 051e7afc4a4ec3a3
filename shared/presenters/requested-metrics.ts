// The metrics that a daily read names, of whichever form: all there are when it names none.
import { isMetricId, type MetricId, metricIds } from '../model/metrics.ts';
import { isScoreId } from '../model/score-ids.ts';
import { requestedIds } from './requested-ids.ts';

export const requestedMetrics = (parameter: string, list: string | undefined): readonly MetricId[] =>
  list === undefined
    ? metricIds
    : requestedIds(list, {
        parameter,
        isServed: isMetricId,
        advice: (unsupported) =>
          unsupported.some(isScoreId) ? 'scores are read from /scores' : 'see /v1/metrics for the ids there are',
      });
