// What the watch says of a date: what a ring would, seen by another sensor, as far as watches of its provider report it.
import { garmin } from '../../providers/garmin/descriptor.ts';
import type { Quarter } from './activity.ts';
import { planDay } from './day-plan.ts';
import type { SandboxPerson } from './persona.ts';
import type { DeviceRecords } from './records.ts';
import { wornRecords } from './ring.ts';
import { seenByWatch } from './story.ts';

const reported = new Set<string>(garmin.metrics);

/** Only what is over by `untilMs`. */
export function watchRecords(
  person: SandboxPerson,
  date: string,
  quarters: readonly Quarter[],
  untilMs: number,
): DeviceRecords {
  const seen = seenByWatch(person);
  const { samples, daily, sleep, workouts } = wornRecords(seen, planDay(seen, date), quarters, untilMs);
  const isReported = ({ metric }: { metric: string }) => reported.has(metric);
  return { samples: samples.filter(isReported), daily: daily.filter(isReported), sleep, workouts };
}
