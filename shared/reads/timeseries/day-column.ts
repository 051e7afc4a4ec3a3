// One metric over one local day, in equal steps.

import { type SampleId, sampleRow } from '../../catalog/metrics.ts';
import type { KeptSampleDay } from '../../measurements/rows/sample-day.ts';
import { dayValue } from '../../measurements/rows/samples.ts';
import { sumOf } from '../../platform/arithmetic.ts';
import { dayBounds } from '../../platform/time/local-day.ts';
import type { Caller } from '../../system/caller.ts';
import type { Deps } from '../../system/deps.ts';
import type { DeviceRow } from '../../users/device-rows.ts';
import type { Subject } from '../../users/subject.ts';
import { believedSamples } from './believed-samples.ts';
import { mergedStretches, spanWithin, valueIn } from './merged-samples.ts';
import { type Resolution, resolutionSeconds } from './resolution.ts';
import { ownSubjectAndSamples } from './subject-samples.ts';

export interface StepsAsked {
  shape: 'steps';
  metric: SampleId;
  date: string;
  resolution: Resolution;
}

/** One metric over one local day, in equal steps. */
export interface ColumnRead extends Column {
  shape: 'steps';
  metric: SampleId;
  zone: string | null;
  /** The first instant of the day. */
  startMs: number;
  stepMs: number;
}

interface Column {
  /** By step; NaN where nobody measured. */
  values: Float64Array;
  /** The one of the samples, or that gave the most of them; undefined without any. */
  device: DeviceRow | undefined;
}

export async function readColumn(
  deps: Deps,
  caller: Caller,
  userId: string,
  { shape, metric, date, resolution }: StepsAsked,
): Promise<ColumnRead> {
  const { subject, samples } = await ownSubjectAndSamples(deps, caller, userId, [metric], { from: date, to: date });
  const kept = samples.get(metric) ?? [];
  const zone = subject.user.timezone;
  const { startMs, endMs } = dayBounds(date, zone);
  const stepMs = resolutionSeconds[resolution] * 1000;
  const grid = { startMs, endMs, stepMs };
  const column = sampleRow(metric).accrues
    ? accruedColumn(subject, metric, kept, grid)
    : believedColumn(subject, metric, kept, date, grid);
  return { shape, metric, zone, startMs, stepMs, ...column };
}

interface Grid {
  startMs: number;
  endMs: number;
  stepMs: number;
}

const stepsIn = ({ startMs, endMs, stepMs }: Grid): number => Math.ceil((endMs - startMs) / stepMs);

/** Samples go where they start, and the best-ranked device of the day stands for all. */
function believedColumn(
  subject: Subject,
  metric: SampleId,
  kept: readonly KeptSampleDay[],
  date: string,
  grid: Grid,
): Column {
  const [day] = believedSamples(subject, metric, kept, [date]);
  const steps = Map.groupBy(day?.samples ?? [], (sample) => Math.floor((sample.startMs - grid.startMs) / grid.stepMs));
  return {
    values: Float64Array.from(
      { length: stepsIn(grid) },
      (_, step) => dayValue(metric, steps.get(step) ?? []) ?? Number.NaN,
    ),
    device: day?.device,
  };
}

/** What accrues is spread over the steps it was measured in; the device that gave the most is named. */
function accruedColumn(subject: Subject, metric: SampleId, kept: readonly KeptSampleDay[], grid: Grid): Column {
  const steps: number[][] = Array.from({ length: stepsIn(grid) }, () => []);
  const given = new Map<DeviceRow, number>();
  const add = (step: number, value: number, device: DeviceRow) => {
    steps[step]?.push(value);
    given.set(device, (given.get(device) ?? 0) + value);
  };
  for (const stretch of mergedStretches(subject, metric, kept)) {
    const inside = spanWithin(stretch, grid);
    if (inside === undefined) continue;
    let at = inside.startMs;
    // A moment has a step too, though it has no length.
    do {
      const step = Math.floor((at - grid.startMs) / grid.stepMs);
      const end = Math.min(inside.endMs, grid.startMs + (step + 1) * grid.stepMs);
      add(step, valueIn(stretch.of, { startMs: at, endMs: end }), stretch.device);
      at = end;
    } while (at < inside.endMs);
  }
  let device: DeviceRow | undefined;
  for (const [each, value] of given) if (!device || value > (given.get(device) ?? 0)) device = each;
  return { values: Float64Array.from(steps, (values) => (values.length === 0 ? Number.NaN : sumOf(values))), device };
}
