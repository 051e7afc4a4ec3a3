// Plausible but wrong day rules. For each of them, some scenario must detect the difference.
import {
  type Calendar,
  type DayAssignment,
  type DayRule,
  dayAssignment,
  dayClock,
  findNight,
  profileClock,
} from './days.ts';
import { isMoment, type Night, type Sample, type TimedRecord } from './records.ts';
import { isMerged, isStage } from './rules.ts';
import { addDays, localDate, offsetMinutesAt } from './zone-clock.ts';

/** The correct assignment with a changed calendar. */
const withCalendar = (change: (calendar: Calendar) => Calendar): DayAssignment => ({
  dateOfNight: (calendar, night) => dayAssignment.dateOfNight(change(calendar), night),
  dateOfWorkout: (calendar, workout) => dayAssignment.dateOfWorkout(change(calendar), workout),
  partsByDay: (calendar, sample, nights) => dayAssignment.partsByDay(change(calendar), sample, nights),
});
const withDayRule = (dayRule: DayRule): DayAssignment => withCalendar((calendar) => ({ ...calendar, dayRule }));

/** Assigns some samples to other dates, as a whole. */
const withSampleDate = (
  appliesTo: (sample: Sample) => boolean,
  date: (calendar: Calendar, sample: Sample, night: Night | undefined) => string,
): DayAssignment => ({
  ...dayAssignment,
  partsByDay(calendar, sample, nights) {
    if (!appliesTo(sample)) return dayAssignment.partsByDay(calendar, sample, nights);
    return [[date(calendar, sample, findNight(nights, sample)), { sample, from: sample.start, to: sample.end }]];
  },
});
const isStageSample = ({ metric }: Sample): boolean => isStage(metric);
const isSplitSample = (sample: Sample): boolean => isMerged(sample.metric) && !isMoment(sample);
const isReading = ({ metric }: Sample): boolean => !isStage(metric) && !isMerged(metric);

/** Treats a zone as its offset at the start of a record, so that every day has 24 hours. */
const fixedOffset = (calendar: Calendar, record: TimedRecord): TimedRecord['recordedOffset'] =>
  calendar.dayRule === 'recorded' && record.recordedOffset !== null
    ? record.recordedOffset
    : offsetMinutesAt(profileClock(calendar), record.start);

export const wrongDayRules: Readonly<Record<string, DayAssignment>> = {
  'the offset always decides': withDayRule('recorded'),
  'the offset never decides': withDayRule('profile'),
  'days are UTC days': withCalendar((calendar) => ({ ...calendar, timezone: null })),
  'days are Berlin days': withCalendar((calendar) => ({ ...calendar, timezone: 'Europe/Berlin' })),
  'days have 24 hours': {
    ...dayAssignment,
    partsByDay: (calendar, sample, nights) => {
      const fixedSample = { ...sample, recordedOffset: fixedOffset(calendar, sample) };
      return dayAssignment
        .partsByDay(
          { ...calendar, dayRule: isSplitSample(sample) ? 'recorded' : calendar.dayRule },
          fixedSample,
          nights,
        )
        .map(([date, part]) => [date, { ...part, sample }]);
    },
  },
  'a night counts on the day it starts': {
    ...dayAssignment,
    dateOfNight: (calendar, night) => localDate(dayClock(calendar, night), night.start),
  },
  'a night counts on the day after it started': {
    ...dayAssignment,
    dateOfNight: (calendar, night) => addDays(localDate(dayClock(calendar, night), night.start), 1),
  },
  'a workout counts on the day it ends': {
    ...dayAssignment,
    dateOfWorkout: (calendar, workout) => localDate(dayClock(calendar, workout), workout.end),
  },
  'a cumulative sample counts on the day it starts': withSampleDate(isSplitSample, (calendar, sample) =>
    localDate(dayClock(calendar, sample), sample.start),
  ),
  'a reading counts on the day it ends': withSampleDate(isReading, (calendar, sample) =>
    localDate(dayClock(calendar, sample), sample.end),
  ),
  'a stage counts independently of its night': withSampleDate(isStageSample, (calendar, sample) =>
    localDate(dayClock(calendar, sample), sample.end),
  ),
  'a stage counts by its own offset within its night': withSampleDate(isStageSample, (calendar, sample, night) =>
    localDate(dayClock(calendar, sample), night?.end ?? sample.end),
  ),
  'a stage outside any night counts on the day it starts': withSampleDate(isStageSample, (calendar, sample, night) =>
    night ? dayAssignment.dateOfNight(calendar, night) : localDate(dayClock(calendar, sample), sample.start),
  ),
  'a stage outside any night counts by the profile': withSampleDate(isStageSample, (calendar, sample, night) =>
    night ? dayAssignment.dateOfNight(calendar, night) : localDate(profileClock(calendar), sample.end),
  ),
};
