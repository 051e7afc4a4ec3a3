// Computes the daily totals that sources state, in the order of arrival, and the totals they no
// longer state.

import { type MetricId, metricRow } from '../catalog/metrics.ts';
import { marks, unpackNormalizedRows } from '../measurements/codec/normalized-day.ts';
import { dayRows } from '../measurements/rows/day-rows.ts';
import { mergeDateRanges } from '../platform/time/local-day.ts';
import type { Deps } from '../system/deps.ts';
import { type Arrival, coveredDates } from './claims.ts';
import type { DeviceContext } from './compute-sample-changes.ts';
import type { DayChange } from './day-change.ts';

export interface StatedTotals {
  changes: { date: string; change: DayChange }[];
  /**
   * The days that lost their stated total, by metric: values from samples and nights count there
   * again.
   */
  datesWithoutTotal: Map<MetricId, Set<string>>;
}

export async function computeStatedTotals(
  deps: Deps,
  context: DeviceContext,
  arrivals: readonly Arrival[],
): Promise<StatedTotals> {
  const stated = await readStatedBefore(deps, context, arrivals);
  const changes: StatedTotals['changes'] = [];
  const retracted = new Map<string, { date: string; metric: MetricId }>();
  for (const { uploads, covered } of arrivals) {
    const totals = uploads.flatMap(({ records }) => records.daily);
    const restated = new Set(covered.length === 0 ? [] : totals.map(keyOf));
    for (const each of covered)
      for (const metric of each.daily ?? [])
        for (const date of coveredDates(each)) {
          const name = keyOf({ date, metric });
          if (restated.has(name) || !stated.delete(name)) continue;
          changes.push({ date, change: (day) => day.retractStated(metric) });
          retracted.set(name, { date, metric });
        }
    for (const total of totals) {
      const { date, metric, value, original } = total;
      changes.push({ date, change: (day) => day.setStated(metric, value, original) });
      stated.add(keyOf(total));
      retracted.delete(keyOf(total));
    }
  }
  const datesWithoutTotal: StatedTotals['datesWithoutTotal'] = new Map();
  for (const { date, metric } of retracted.values())
    datesWithoutTotal.set(metric, (datesWithoutTotal.get(metric) ?? new Set()).add(date));
  return { changes, datesWithoutTotal };
}

const keyOf = ({ date, metric }: { date: string; metric: MetricId }): string => `${date} ${metric}`;

/** Reads the stated totals of this device in the ranges that uploads claim to cover. */
async function readStatedBefore(
  { store }: Deps,
  { userId, device }: DeviceContext,
  arrivals: readonly Arrival[],
): Promise<Set<string>> {
  const claims = arrivals.flatMap(({ covered }) => covered.filter(({ daily }) => daily && daily.length > 0));
  const metrics = new Set(claims.flatMap(({ daily }) => daily ?? []));
  const stated = new Set<string>();
  await Promise.all(
    mergeDateRanges(claims.flatMap(coveredDates)).map(async ({ from, to }) => {
      for await (const { date, packed } of dayRows(store).iterateNormalized(userId, from, to)) {
        const own = unpackNormalizedRows(packed).find((row) => row.device === device);
        for (const metric of metrics) {
          const { index } = metricRow(metric);
          if (own?.marks[index] === marks.stated && !Number.isNaN(own.values[index]))
            stated.add(keyOf({ date, metric }));
        }
      }
    }),
  );
  return stated;
}
