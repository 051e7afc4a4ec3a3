// Where every record of a person counts, worked out anew from the rules for one round of reads.
import type { Device, Person } from './person.ts';
import { isMoment, type Night, type Sample, type Workout } from './records.ts';
import { isMerged, isStage } from './rules.ts';
import { oneOfEach } from './sessions.ts';
import { addDays, type Clock, dayBounds, localDate, type Span } from './zone-clock.ts';

/** The stretch of a sample that counts on one day. */
export interface Part {
  sample: Sample;
  from: number;
  to: number;
}
export interface View {
  person: Person;
  /** The profile's clock, which timeseries and session times are shown on. */
  clock: Clock;
  partsOn(device: Device, metric: string, date: string): Part[];
  /** A device's nights of a day, several reports of one counted once. */
  nightsOn(device: Device, date: string): Night[];
  dateOfNight(night: Night): string;
  dateOfWorkout(workout: Workout): string;
  samplesOf(device: Device, metric: string): Sample[];
  /** The stretches that a sample of what is merged is split into, one a day. */
  partsOf(sample: Sample): readonly Span[];
}

export function viewOf(person: Person): View {
  const parts = new Map<Device, Map<string, Part[]>>();
  const nights = new Map<Device, Map<string, Night[]>>();
  const byMetric = new Map<Device, Map<string, Sample[]>>();
  const split = new Map<Sample, Part[]>();
  const dateOfNight = (night: Night) => localDate(clockOf(person, night), night.end);
  for (const device of person.devices) {
    const found = new Map<string, Part[]>();
    const samples = new Map<string, Sample[]>();
    for (const sample of device.samples.values()) {
      push(samples, sample.metric, sample);
      for (const [date, part] of countsOn(sample, device)) {
        push(found, `${sample.metric} ${date}`, part);
        push(split, sample, part);
      }
    }
    const dated = new Map<string, Night[]>();
    for (const night of oneOfEach([...device.nights.values()])) push(dated, dateOfNight(night), night);
    parts.set(device, found);
    nights.set(device, dated);
    byMetric.set(device, samples);
  }

  function countsOn(sample: Sample, device: Device): [string, Part][] {
    const whole = { sample, from: sample.start, to: sample.end };
    const clock = clockOf(person, sample);
    if (isStage(sample.metric)) {
      const night = nightAround(device, sample);
      return [[night ? dateOfNight(night) : localDate(clock, sample.end), whole]];
    }
    const first = localDate(clock, sample.start);
    if (!isMerged(sample.metric) || isMoment(sample)) return [[first, whole]];
    const split: [string, Part][] = [];
    for (let date = first; dayBounds(clock, date).from < sample.end; date = addDays(date, 1)) {
      const { from, to } = dayBounds(clock, date);
      // A day that a zone left out.
      if (from === to) continue;
      split.push([date, { sample, from: Math.max(from, sample.start), to: Math.min(to, sample.end) }]);
    }
    return split;
  }

  return {
    person,
    clock: profileClock(person),
    partsOn: (device, metric, date) => parts.get(device)?.get(`${metric} ${date}`) ?? [],
    nightsOn: (device, date) => nights.get(device)?.get(date) ?? [],
    dateOfNight,
    dateOfWorkout: (workout) => localDate(clockOf(person, workout), workout.start),
    samplesOf: (device, metric) => byMetric.get(device)?.get(metric) ?? [],
    partsOf: (sample) => split.get(sample) ?? [],
  };
}

export const profileClock = ({ timezone }: Person): Clock =>
  timezone === null ? { offsetMinutes: 0 } : { zone: timezone };

/**
 * What decides a record's day: its own offset, the profile's zone, or the zone that the phone was
 * in.
 */
function clockOf(person: Person, record: Sample | Night | Workout): Clock {
  if (record.ownOffset !== null) return { offsetMinutes: record.ownOffset };
  return { zone: person.timezone ?? record.phoneZone };
}

/** The night that holds the middle of a stage sample; the one that starts last, of several. */
function nightAround({ nights }: Device, { start, end }: Sample): Night | undefined {
  return [...nights.values()]
    .filter((night) => 2 * night.start <= start + end && start + end < 2 * night.end)
    .sort((a, b) => b.start - a.start)[0];
}

function push<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}
