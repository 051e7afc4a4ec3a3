// Lists of metric ids as a query writes them: in their order, each once, and nothing that is not served.
import { Failure } from '../../model/failure.ts';
import { isMetricId, type MetricId, metricIds } from '../../model/metrics.ts';
import { isScoreId } from '../../model/score-ids.ts';

/** All of them when none are named. */
export function requestedMetrics(types: string | undefined): MetricId[] {
  if (types === undefined) return [...metricIds];
  return requestedIds('types', types, isMetricId, (bad) =>
    bad.some(isScoreId) ? 'scores are read from /scores' : 'see /v1/metrics for the ids there are',
  );
}

/** Every id must be one that `isServed` knows. */
export function requestedIds<Id extends string>(
  parameter: string,
  list: string,
  isServed: (text: string) => text is Id,
  advice: (unsupported: string[]) => string,
): Id[] {
  const named = [...new Set(list.split(',').map((id) => id.trim()))];
  const unsupported = named.filter((id) => !isServed(id)).map((id) => id.slice(0, 64));
  if (unsupported.length === 0) return named.filter(isServed);
  const message =
    list.trim() === ''
      ? `The list ${parameter} is empty: leave it out or name at least one id`
      : `${parameter} has ids that cannot be read here (${unsupported
          .slice(0, 5)
          .map((id) => id || 'an empty one')
          .join(', ')}): ${advice(unsupported)}`;
  throw new Failure('invalid_types', `${message}.`, { details: { [parameter]: unsupported } });
}
