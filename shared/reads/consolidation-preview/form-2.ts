// Renders a preview: the metrics that change, how much, and both columns of each.
import { type MetricId, round } from '../../catalog/metrics.ts';
import type { ConsolidationPatch } from '../../consolidation/consolidation.ts';
import { meanOf } from '../../platform/arithmetic.ts';
import type { Presenter } from '../../platform/presenter.ts';
import { presentUnit } from '../kit/present-value.ts';
import { type ConsolidationPreview, previewDays } from './form-2-schema.ts';
import type { PreviewedMetric, PreviewRequest, PreviewResult } from './read-preview.ts';

export const form2Preview: Presenter<ConsolidationPatch, PreviewRequest, PreviewResult, ConsolidationPreview> = {
  parse: (patch) => ({
    patch,
    range: { names: { from: 'from_date', to: 'to_date' }, maxDays: previewDays },
  }),
  render({ dates, metrics }) {
    const changes = metrics
      .map((column) => ({ column, days: findChangedDays(column) }))
      .filter(({ days }) => days.length > 0);
    return {
      data: {
        from_date: dates[0] ?? '',
        to_date: dates.at(-1) ?? '',
        dates: [...dates],
        days_changed: new Set(changes.flatMap(({ days }) => days)).size,
        metrics: changes.map(({ column, days }) => presentMetric(column, days, dates)),
      },
    };
  },
};

const presentValue = (metric: MetricId, value: number | undefined): number | null =>
  value === undefined || Number.isNaN(value) ? null : round(metric, value);

/** A difference that rounding hides is no change to a reader. */
const findChangedDays = ({ metric, before, after }: PreviewedMetric): number[] =>
  Array.from(before.keys()).filter((at) => presentValue(metric, before[at]) !== presentValue(metric, after[at]));

function presentMetric({ metric, before, after }: PreviewedMetric, days: readonly number[], dates: readonly string[]) {
  const isMissing = (column: Float64Array, at: number): boolean => Number.isNaN(column[at] ?? Number.NaN);
  const comparable = days.filter((at) => !isMissing(before, at) && !isMissing(after, at));
  const distance = (at: number): number => Math.abs((after[at] ?? 0) - (before[at] ?? 0));
  const largest = comparable.reduce<number | undefined>(
    (best, at) => (best === undefined || distance(at) > distance(best) ? at : best),
    undefined,
  );
  return {
    metric,
    unit: presentUnit(metric, 'metric'),
    days_changed: days.length,
    days_gained: days.filter((at) => isMissing(before, at)).length,
    days_lost: days.filter((at) => isMissing(after, at)).length,
    mean_change: comparable.length === 0 ? null : round(metric, meanOf(comparable.map(distance))),
    largest_change:
      largest === undefined
        ? null
        : {
            date: dates[largest] ?? '',
            before: round(metric, before[largest] ?? 0),
            after: round(metric, after[largest] ?? 0),
          },
    before: Array.from(before, (value) => presentValue(metric, value)),
    after: Array.from(after, (value) => presentValue(metric, value)),
  };
}
