// A worker that looks for all samples of a user reads a range of rows per metric. The races use
// only a few metrics, so reads that are always empty do not wait for a turn.
import { type MetricId, metricRow } from '../../../shared/catalog/metrics.ts';
import type { TableCall } from './table-footprint.ts';

const measuredMetrics: readonly MetricId[] = ['steps', 'deep_sleep', 'rem_sleep'];
const measuredIndexes = new Set(measuredMetrics.map((metric) => String(metricRow(metric).index)));

function isUnusedKey(sk: string): boolean {
  const [, metric] = /^T#(\d+)#/.exec(sk) ?? [];
  return metric !== undefined && !measuredIndexes.has(metric);
}

/** Throws if such a row is written: its metric must then be added to the measured ones. */
export function isEmptyRead(call: TableCall): boolean {
  const unused = call.ranges.filter(({ from, to }) => isUnusedKey(from) && isUnusedKey(to));
  if (unused.some(({ writes }) => writes)) throw new Error(`no race is declared to measure this: ${call.name}`);
  return unused.length === call.ranges.length;
}
