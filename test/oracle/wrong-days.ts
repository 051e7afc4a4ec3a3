// Rules of days that somebody may take for the right one: among the lives there must be one that tells each apart.
import { type Calendar, type DayRule, type Days, dayClock, days, nightAround, profileClock } from './days.ts';
import { isMoment, type Night, type Sample, type Timed } from './records.ts';
import { isMerged, isStage } from './rules.ts';
import { addDays, localDate, offsetMinutesAt } from './zone-clock.ts';

/** The same, whatever the profile says. */
const by = (change: (calendar: Calendar) => Calendar): Days => ({
  dateOfNight: (calendar, night) => days.dateOfNight(change(calendar), night),
  dateOfWorkout: (calendar, workout) => days.dateOfWorkout(change(calendar), workout),
  partsByDay: (calendar, sample, nights) => days.partsByDay(change(calendar), sample, nights),
});
const ruled = (dayRule: DayRule): Days => by((calendar) => ({ ...calendar, dayRule }));

/** Other dates for some samples, which count as a whole. */
const dated = (
  isMeant: (sample: Sample) => boolean,
  date: (calendar: Calendar, sample: Sample, night: Night | undefined) => string,
): Days => ({
  ...days,
  partsByDay(calendar, sample, nights) {
    if (!isMeant(sample)) return days.partsByDay(calendar, sample, nights);
    return [[date(calendar, sample, nightAround(nights, sample)), { sample, from: sample.start, to: sample.end }]];
  },
});
const isHeld = ({ metric }: Sample): boolean => isStage(metric);
const isSplit = (sample: Sample): boolean => isMerged(sample.metric) && !isMoment(sample);
const isRead = ({ metric }: Sample): boolean => !isStage(metric) && !isMerged(metric);

/** A zone as the offset that it has when a record starts, so that every day has 24 hours. */
const fixed = (calendar: Calendar, record: Timed): Timed['ownOffset'] =>
  calendar.dayRule === 'recorded' && record.ownOffset !== null
    ? record.ownOffset
    : offsetMinutesAt(profileClock(calendar), record.start);

export const wrongDays: Readonly<Record<string, Days>> = {
  'the offset always decides': ruled('recorded'),
  'the offset never decides': ruled('profile'),
  'days are those of UTC': by((calendar) => ({ ...calendar, timezone: null })),
  'days are those of Berlin': by((calendar) => ({ ...calendar, timezone: 'Europe/Berlin' })),
  'days have 24 hours': {
    ...days,
    partsByDay: (calendar, sample, nights) => {
      const fixedSample = { ...sample, ownOffset: fixed(calendar, sample) };
      return days
        .partsByDay({ ...calendar, dayRule: isSplit(sample) ? 'recorded' : calendar.dayRule }, fixedSample, nights)
        .map(([date, part]) => [date, { ...part, sample }]);
    },
  },
  'a night counts where it starts': {
    ...days,
    dateOfNight: (calendar, night) => localDate(dayClock(calendar, night), night.start),
  },
  'a night counts on the day after it started': {
    ...days,
    dateOfNight: (calendar, night) => addDays(localDate(dayClock(calendar, night), night.start), 1),
  },
  'a workout counts where it ends': {
    ...days,
    dateOfWorkout: (calendar, workout) => localDate(dayClock(calendar, workout), workout.end),
  },
  'what accrues counts where it starts': dated(isSplit, (calendar, sample) =>
    localDate(dayClock(calendar, sample), sample.start),
  ),
  'a reading counts where it ends': dated(isRead, (calendar, sample) =>
    localDate(dayClock(calendar, sample), sample.end),
  ),
  'a stage counts by itself': dated(isHeld, (calendar, sample) => localDate(dayClock(calendar, sample), sample.end)),
  'a stage has an offset of its own in its night': dated(isHeld, (calendar, sample, night) =>
    localDate(dayClock(calendar, sample), night?.end ?? sample.end),
  ),
  'a stage that no night holds counts where it starts': dated(isHeld, (calendar, sample, night) =>
    night ? days.dateOfNight(calendar, night) : localDate(dayClock(calendar, sample), sample.start),
  ),
  'a stage that no night holds counts by the profile': dated(isHeld, (calendar, sample, night) =>
    night ? days.dateOfNight(calendar, night) : localDate(profileClock(calendar), sample.end),
  ),
};
