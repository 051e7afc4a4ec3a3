// The clock that all nights of a list share: minutes from the midnight of the day of waking, so that
// the same hour is at the same place in every night, and a nap is as wide as it is long.

export interface LocalNight {
  /** The day of waking. */
  date: string;
  /** Local times without an offset. */
  start_time: string;
  end_time: string;
}

/** In minutes; whole hours. */
export interface NightClock {
  from: number;
  to: number;
}

const minuteMs = 60_000;
const hourMinutes = 60;
/** A list of one nap does not make it as wide as a night. */
const minHours = 8;

export const minutesFromMidnight = (date: string, localTimeMs: number): number =>
  (localTimeMs - Date.parse(`${date}T00:00:00Z`)) / minuteMs;

const readLocalTime = (time: string): number => Date.parse(`${time.slice(0, 19)}Z`);

export function chooseNightClock(nights: readonly LocalNight[]): NightClock {
  const starts = nights.map(({ date, start_time }) => minutesFromMidnight(date, readLocalTime(start_time)));
  const ends = nights.map(({ date, end_time }) => minutesFromMidnight(date, readLocalTime(end_time)));
  const from = Math.floor(Math.min(...starts) / hourMinutes) * hourMinutes;
  const to = Math.ceil(Math.max(...ends) / hourMinutes) * hourMinutes;
  return { from, to: Math.max(to, from + minHours * hourMinutes) };
}

const hourSteps = [1, 2, 3, 4, 6, 12];
const maxMarks = 8;

/** The hours to name, in minutes from midnight. */
export function listHourMarks({ from, to }: NightClock): number[] {
  const hours = (to - from) / hourMinutes;
  const step = (hourSteps.find((each) => hours / each <= maxMarks) ?? 24) * hourMinutes;
  const first = Math.ceil(from / step) * step;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_none, at) => first + at * step);
}

/** `23:00` for an hour before midnight. */
export function nameMark(minutes: number): string {
  const hour = (((minutes / hourMinutes) % 24) + 24) % 24;
  return `${String(hour).padStart(2, '0')}:00`;
}

/** A percentage from the left edge. */
export const placeOnClock = ({ from, to }: NightClock, minutes: number): number =>
  ((minutes - from) / (to - from)) * 100;
