// What the watch says of a date: what a ring would, seen by another sensor, as far as watches of its provider report it.
import { garmin } from '../../providers/garmin/descriptor.ts';
import type { QuarterHour } from './activity.ts';
import { planDay } from './day-plan.ts';
import type { DeviceRecords } from './device-records.ts';
import { buildWearableRecords } from './ring-records.ts';
import { asMeasuredByWatch } from './scenario.ts';
import type { SimulatedUser } from './simulated-user.ts';

const reportedMetrics = new Set<string>(garmin.metrics);

/** Only what is over by `untilMs`. */
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
