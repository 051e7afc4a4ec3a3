// A worker that looks for all samples of a user reads a range of rows per metric. The races measure
// few of these, and what finds nothing in any order takes no turn.
import { type MetricId, metricRow } from '../../../shared/catalog/metrics.ts';
import type { TableCall } from './table-footprint.ts';

const measuredMetrics: readonly MetricId[] = ['steps', 'deep_sleep', 'rem_sleep'];
const measuredIndexes = new Set(measuredMetrics.map((metric) => String(metricRow(metric).index)));

function isUnusedKey(sk: string): boolean {
  const [, metric] = /^T#(\d+)#/.exec(sk) ?? [];
  return metric !== undefined && !measuredIndexes.has(metric);
}

/** Throws where somebody writes such a row: then it has to be among those that are measured. */
export function isEmptyRead(call: TableCall): boolean {
  const unused = call.ranges.filter(({ from, to }) => isUnusedKey(from) && isUnusedKey(to));
  if (unused.some(({ writes }) => writes)) throw new Error(`no race is known to measure this: ${call.name}`);
  return unused.length === call.ranges.length;
}
