// The day on which every record of a user counts, recomputed from the rules for one round of reads.
import { type Calendar, type DayAssignment, dayAssignment, type Part, profileClock } from './days.ts';
import type { Device, ModelUser } from './model-user.ts';
import type { Night, Sample, Workout } from './records.ts';
import { deduplicateSessions } from './sessions.ts';
import type { Clock, Span } from './zone-clock.ts';

export interface View {
  user: ModelUser;
  /** The calendar at the time the view was created. */
  calendar: Calendar;
  /** The profile's clock, in which timeseries and session times are shown. */
  clock: Clock;
  partsOn(device: Device, metric: string, date: string): Part[];
  /** A device's nights of a day. Several reports of the same night count once. */
  nightsOn(device: Device, date: string): Night[];
  dateOfNight(night: Night): string;
  dateOfWorkout(workout: Workout): string;
  samplesOf(device: Device, metric: string): Sample[];
  /** The daily parts into which a sample of a merged metric is split. */
  partsOf(sample: Sample): readonly Span[];
}

export function createView(user: ModelUser, rule: DayAssignment = dayAssignment): View {
  const calendar: Calendar = { timezone: user.timezone, dayRule: user.dayRule };
  const parts = new Map<Device, Map<string, Part[]>>();
  const nights = new Map<Device, Map<string, Night[]>>();
  const byMetric = new Map<Device, Map<string, Sample[]>>();
  const split = new Map<Sample, Part[]>();
  for (const device of user.devices) {
    const found = new Map<string, Part[]>();
    const samples = new Map<string, Sample[]>();
    for (const sample of device.samples.values()) {
      push(samples, sample.metric, sample);
      for (const [date, part] of rule.partsByDay(calendar, sample, device.nights.values())) {
        push(found, `${sample.metric} ${date}`, part);
        push(split, sample, part);
      }
    }
    const dated = new Map<string, Night[]>();
    for (const night of deduplicateSessions([...device.nights.values()]))
      push(dated, rule.dateOfNight(calendar, night), night);
    parts.set(device, found);
    nights.set(device, dated);
    byMetric.set(device, samples);
  }
  return {
    user,
    calendar,
    clock: profileClock(calendar),
    partsOn: (device, metric, date) => parts.get(device)?.get(`${metric} ${date}`) ?? [],
    nightsOn: (device, date) => nights.get(device)?.get(date) ?? [],
    dateOfNight: (night) => rule.dateOfNight(calendar, night),
    dateOfWorkout: (workout) => rule.dateOfWorkout(calendar, workout),
    samplesOf: (device, metric) => byMetric.get(device)?.get(metric) ?? [],
    partsOf: (sample) => split.get(sample) ?? [],
  };
}

function push<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
