// Reads one metric over one local day in equal steps.

import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import type { StoredSampleDay } from '../../measurements/rows/sample-day.ts';
import { computeDayValue } from '../../measurements/rows/samples.ts';
import { sumOf } from '../../platform/arithmetic.ts';
import { dayBounds } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { UserContext } from '../../users/user-context.ts';
import { selectHighestRankedSamples } from './highest-ranked-samples.ts';
import { computeValueWithin, intersectSpans, mergeSamplesByPeriod } from './merge-samples-by-period.ts';
import { readAuthorizedSamples, type UserContextSamples } from './read-authorized-samples.ts';
import { type Resolution, resolutionSeconds } from './resolution.ts';

export interface StepsRequest {
  shape: 'steps';
  metric: SampleId;
  date: string;
  resolution: Resolution;
}

export interface ColumnResult extends Column {
  shape: 'steps';
  metric: SampleId;
  zone: string | null;
  /** The start of the day. */
  startMs: number;
  stepMs: number;
}

interface Column {
  /** One value per step; NaN where no device measured. */
  values: Float64Array;
  /** The device of the samples, or the one that contributed most; undefined if there are none. */
  device: DeviceRow | undefined;
}

export async function readColumn(
  deps: Deps,
  caller: Caller,
  userId: string,
  { shape, metric, date, resolution }: StepsRequest,
): Promise<ColumnResult> {
  const { userContext, samples } = await readAuthorizedSamples(deps, caller, userId, [metric], {
    from: date,
    to: date,
  });
  const zone = userContext.user.timezone;
  const { startMs, endMs } = dayBounds(date, zone);
  const stepMs = resolutionSeconds[resolution] * 1000;
  const grid = { startMs, endMs, stepMs };
  const column = sampleRow(metric).accrues
    ? buildAccruedColumn(userContext, metric, samples.get(metric) ?? [], grid)
    : buildRankedColumn(userContext, metric, samples, date, grid);
  return { shape, metric, zone, startMs, stepMs, ...column };
}

interface Grid {
  startMs: number;
  endMs: number;
  stepMs: number;
}

const countSteps = ({ startMs, endMs, stepMs }: Grid): number => Math.ceil((endMs - startMs) / stepMs);

/**
 * Samples count in the step they start in, and the highest-ranked device of the day supplies all of
 * them.
 */
function buildRankedColumn(
  userContext: UserContext,
  metric: SampleId,
  storedDays: UserContextSamples['samples'],
  date: string,
  grid: Grid,
): Column {
  const [day] = selectHighestRankedSamples(userContext, metric, storedDays, [date]);
  const steps = Map.groupBy(day?.samples ?? [], (sample) => Math.floor((sample.startMs - grid.startMs) / grid.stepMs));
  return {
    values: Float64Array.from(
      { length: countSteps(grid) },
      (_, step) => computeDayValue(metric, steps.get(step) ?? []) ?? Number.NaN,
    ),
    device: day?.device,
  };
}

/**
 * Values of accruing metrics are spread over the steps they were measured in. The device that
 * contributed most is returned.
 */
function buildAccruedColumn(
  userContext: UserContext,
  metric: SampleId,
  storedDays: readonly StoredSampleDay[],
  grid: Grid,
): Column {
  const steps: number[][] = Array.from({ length: countSteps(grid) }, () => []);
  const totalByDevice = new Map<DeviceRow, number>();
  const add = (step: number, value: number, device: DeviceRow) => {
    steps[step]?.push(value);
    totalByDevice.set(device, (totalByDevice.get(device) ?? 0) + value);
  };
  for (const mergedSpan of mergeSamplesByPeriod(userContext, metric, storedDays)) {
    const overlap = intersectSpans(mergedSpan, grid);
    if (overlap === undefined) continue;
    let fromMs = overlap.startMs;
    // An instant has no length but still belongs to a step.
    do {
      const step = Math.floor((fromMs - grid.startMs) / grid.stepMs);
      const untilMs = Math.min(overlap.endMs, grid.startMs + (step + 1) * grid.stepMs);
      add(step, computeValueWithin(mergedSpan.measurement, { startMs: fromMs, endMs: untilMs }), mergedSpan.device);
      fromMs = untilMs;
    } while (fromMs < overlap.endMs);
  }
  let device: DeviceRow | undefined;
  for (const [each, value] of totalByDevice) if (!device || value > (totalByDevice.get(device) ?? 0)) device = each;
  return { values: Float64Array.from(steps, (values) => (values.length === 0 ? Number.NaN : sumOf(values))), device };
}
