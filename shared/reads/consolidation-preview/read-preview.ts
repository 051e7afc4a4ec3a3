// Computes what a change of the consolidation settings would do to the last days, and writes
// nothing.

import { type MetricId, metricIds, metricRow } from '../../catalog/metrics.ts';
import { adjacencyDays, adjacentDates, findOverlappingRows } from '../../consolidation/adjacent-days.ts';
import { renameMissingUser } from '../../consolidation/configuration.ts';
import type { ConsolidationPatch } from '../../consolidation/consolidation.ts';
import { compileMerge } from '../../consolidation/merge-day.ts';
import { applyPatch } from '../../consolidation/settings.ts';
import { type NormalizedRow, unpackNormalizedRows } from '../../measurements/codec/normalized-day.ts';
import { dayRows } from '../../measurements/rows/day-rows.ts';
import { addDays, datesInRange } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import { connectedProviders, devicesWithData, toRankedDevice } from '../../users/user-context.ts';
import { collectByDate } from '../daily/daily-columns.ts';
import { type RequestedRange, resolveRange, resolveWidestRange } from '../kit/range.ts';
import { readWithAuthorizedUser } from '../kit/reader.ts';

export interface PreviewRequest {
  patch: ConsolidationPatch;
  range: RequestedRange;
}

export interface PreviewedMetric {
  metric: MetricId;
  /** One value per date; NaN where there is none. */
  before: Float64Array;
  after: Float64Array;
}

export interface PreviewResult {
  dates: readonly string[];
  /** Every metric, changed or not. */
  metrics: PreviewedMetric[];
}

/** Throws what saving the same change would throw. */
export async function readPreview(
  deps: Deps,
  caller: Caller,
  userId: string,
  { patch, range: requested }: PreviewRequest,
): Promise<PreviewResult> {
  const nowMs = deps.clock.now();
  const widest = resolveWidestRange(requested, nowMs);
  const [{ user, devices: allDevices, state }, normalized] = await renameMissingUser(() =>
    readWithAuthorizedUser(deps, caller, userId, () =>
      collectByDate(
        dayRows(deps.store).iterateNormalized(
          userId,
          addDays(widest.from, -adjacencyDays),
          addDays(widest.to, adjacencyDays),
          { consistent: false },
        ),
      ),
    ),
  );
  const { settings } = applyPatch(state.settings, patch, connectedProviders(allDevices));
  const { from, to } = resolveRange(user.timezone, requested, nowMs);
  const dates = datesInRange(from, to);
  const devices = devicesWithData(allDevices).map(toRankedDevice);
  // Saving the change rebuilds all days by the current rules.
  const mergeBefore = compileMerge(devices, state.settings, user.mergeRule);
  const mergeAfter = compileMerge(devices, settings);
  const emptyColumn = () => new Float64Array(dates.length).fill(Number.NaN);
  const metrics = metricIds.map((metric) => ({ metric, before: emptyColumn(), after: emptyColumn() }));
  const unpack = (bytes: Uint8Array): NormalizedRow[] => unpackNormalizedRows(bytes);
  for (const [at, date] of dates.entries()) {
    const day = normalized.get(date);
    if (!day) continue;
    const rows = unpack(day.packed);
    const adjacentDays = adjacentDates(date).flatMap((other) => normalized.get(other)?.packed ?? []);
    const adjacentRows = findOverlappingRows(rows, adjacentDays, unpack);
    const [before, after] = [mergeBefore(rows, adjacentRows), mergeAfter(rows, adjacentRows)];
    for (const column of metrics) {
      const { index } = metricRow(column.metric);
      column.before[at] = before.values[index] ?? Number.NaN;
      column.after[at] = after.values[index] ?? Number.NaN;
    }
  }
  return { dates, metrics };
}
