// Which calendar day a record counts on. Days are those of the profile's time zone, or UTC if it
// has none. For a user with the rule `recorded`, a record with an offset counts on the day where
// the user was.
import { isMoment, type Night, type Sample, type TimedRecord, type Workout } from './records.ts';
import { isMerged, isStage } from './rules.ts';
import { addDays, type Clock, dayBounds, localDate } from './zone-clock.ts';

export const dayRules = ['profile', 'recorded'] as const;
export type DayRule = (typeof dayRules)[number];

/** The profile settings that define days. */
export interface Calendar {
  timezone: string | null;
  dayRule: DayRule;
}
/** The part of a sample that counts on one day. */
export interface Part {
  sample: Sample;
  from: number;
  to: number;
}

/** The clock for local times, timeseries and "today", under either rule. */
export const profileClock = ({ timezone }: Pick<Calendar, 'timezone'>): Clock =>
  timezone === null ? { offsetMinutes: 0 } : { zone: timezone };

/** The only place that knows both rules. */
export function dayClock(calendar: Calendar, { recordedOffset: ownOffset }: TimedRecord): Clock {
  if (calendar.dayRule === 'recorded' && ownOffset !== null) return { offsetMinutes: ownOffset };
  return profileClock(calendar);
}

/**
 * Assigns everything with a timestamp to days. A view can use a different assignment, to test
 * whether that is detected.
 */
export interface DayAssignment {
  dateOfNight(calendar: Calendar, night: Night): string;
  dateOfWorkout(calendar: Calendar, workout: Workout): string;
  /** `nights` are those of the sample's device. */
  partsByDay(calendar: Calendar, sample: Sample, nights: Iterable<Night>): [date: string, part: Part][];
}

const dateOfNight = (calendar: Calendar, night: Night): string => localDate(dayClock(calendar, night), night.end);

const dateOfWorkout = (calendar: Calendar, workout: Workout): string =>
  localDate(dayClock(calendar, workout), workout.start);

function partsByDay(calendar: Calendar, sample: Sample, nights: Iterable<Night>): [date: string, part: Part][] {
  const fullPart = { sample, from: sample.start, to: sample.end };
  const clock = dayClock(calendar, sample);
  if (isStage(sample.metric)) {
    const night = findNight(nights, sample);
    return [[night ? dateOfNight(calendar, night) : localDate(clock, sample.end), fullPart]];
  }
  const first = localDate(clock, sample.start);
  if (!isMerged(sample.metric) || isMoment(sample)) return [[first, fullPart]];
  const parts: [string, Part][] = [];
  for (let date = first; dayBounds(clock, date).from < sample.end; date = addDays(date, 1)) {
    const { from, to } = dayBounds(clock, date);
    // A day that the zone skips.
    if (from === to) continue;
    parts.push([date, { sample, from: Math.max(from, sample.start), to: Math.min(to, sample.end) }]);
  }
  return parts;
}

export const dayAssignment: DayAssignment = { dateOfNight, dateOfWorkout, partsByDay };

/**
 * The night that contains the middle of a stage sample. If there are several, the one that starts
 * last.
 */
export function findNight(nights: Iterable<Night>, { start, end }: Sample): Night | undefined {
  return [...nights]
    .filter((night) => 2 * night.start <= start + end && start + end < 2 * night.end)
    .sort((a, b) => b.start - a.start)[0];
}
