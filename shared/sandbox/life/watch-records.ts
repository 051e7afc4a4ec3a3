// What the watch reports for a date: the same as a ring, measured by a different sensor, limited to
// what its provider reports.
import { garmin } from '../../providers/garmin/descriptor.ts';
import type { QuarterHour } from './activity.ts';
import { planDay } from './day-plan.ts';
import type { DeviceRecords } from './device-records.ts';
import { buildWearableRecords } from './ring-records.ts';
import { asMeasuredByWatch } from './scenario.ts';
import type { SimulatedUser } from './simulated-user.ts';

const reportedMetrics = new Set<string>(garmin.metrics);

/** Includes only what is over by `untilMs`. */
export function buildWatchRecords(
  user: SimulatedUser,
  date: string,
  quarters: readonly QuarterHour[],
  untilMs: number,
): DeviceRecords {
  const measuredUser = asMeasuredByWatch(user);
  const { samples, daily, sleep, workouts } = buildWearableRecords(
    measuredUser,
    planDay(measuredUser, date),
    quarters,
    untilMs,
  );
  const isReported = ({ metric }: { metric: string }) => reportedMetrics.has(metric);
  return { samples: samples.filter(isReported), daily: daily.filter(isReported), sleep, workouts };
}
