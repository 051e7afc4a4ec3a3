// Calendar days: which one an instant belongs to, where it begins and ends, and counting from one to another.
import { BoundedCache } from './bounded-cache.ts';
import { firstInstantAt, zoneOffsetMinutes, zoneOffsetSeconds } from './zone.ts';

export const dayMs = 86_400_000;

/** What is known of where a record was made, the most trusted first. */
export interface ZoneHints {
  /** The offset the record itself stated. */
  offsetMinutes: number | null;
  /** The zone of the user's profile. */
  profileZone: string | null;
  /**
   * The offset of the zone the phone reported, at the record's own instant; 0 when it reported
   * none.
   */
  fallbackOffsetMinutes: number;
  /** That zone, where its clocks change near the record, so that one offset does not say it all. */
  fallbackZone?: string | undefined;
}

const mostDates = 4_096;
const datesByNumber = new BoundedCache<number, string>(mostDates);

/** The date that many days after 1970-01-01. */
const dateOf = (dayNumber: number): string => datesByNumber.getOrMake(dayNumber, writtenDate);

function writtenDate(dayNumber: number): string {
  const text = new Date(dayNumber * dayMs).toISOString();
  if (text.length !== 24) throw new RangeError(`day ${dayNumber} lies outside the years 0000 to 9999`);
  return text.slice(0, 10);
}

const written = /^\d{4}-\d{2}-\d{2}$/;

function startInUtc(date: string): number {
  const ms = written.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // Date.parse carries 30 February over into March.
  if (Number.isNaN(ms) || dateOf(ms / dayMs) !== date) throw new RangeError(`${date} is not a calendar date`);
  return ms;
}

export function isCalendarDate(text: string): boolean {
  if (!written.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && dateOf(ms / dayMs) === text;
}

export function utcDay(ms: number): string {
  return dateOf(Math.floor(ms / dayMs));
}

/** The record's own offset, else the profile's zone, else the phone's. */
export function localDate(ms: number, hints: ZoneHints): string {
  const clock = localClock(hints);
  return typeof clock === 'string' ? todayIn(clock, ms) : utcDay(ms + clock * 60_000);
}

/** The first instant of the next local day. */
export function localDayEnd(date: string, hints: ZoneHints): number {
  const clock = localClock(hints);
  return typeof clock === 'string' ? dayBounds(date, clock).endMs : dayBounds(date, null).endMs - clock * 60_000;
}

/** The zone that decides, or the offset in minutes where there is no more than one. */
const localClock = ({ offsetMinutes, profileZone, fallbackZone, fallbackOffsetMinutes }: ZoneHints): string | number =>
  offsetMinutes ?? profileZone ?? fallbackZone ?? fallbackOffsetMinutes;

/** Where a phone was when it told of a record. */
export type PhonePlace = Pick<ZoneHints, 'fallbackOffsetMinutes' | 'fallbackZone'>;

/**
 * By the offset at one instant; the zone is named only where its clocks change in the time that may
 * decide a day.
 */
export function phonePlace(zone: string | null, atMs: number, fromMs: number, toMs: number): PhonePlace {
  if (zone === null) return { fallbackOffsetMinutes: 0 };
  const fallbackOffsetMinutes = zoneOffsetMinutes(zone, atMs);
  const changes = zoneOffsetSeconds(zone, fromMs) !== zoneOffsetSeconds(zone, toMs);
  return changes ? { fallbackOffsetMinutes, fallbackZone: zone } : { fallbackOffsetMinutes };
}

/** The calendar day in that zone, UTC for none. */
export function todayIn(zone: string | null, nowMs: number): string {
  return utcDay(zone === null ? nowMs : nowMs + zoneOffsetSeconds(zone, nowMs) * 1000);
}

/** What a clock in that zone shows, UTC for none: `YYYY-MM-DDTHH:MM:SS`. */
export function clockIn(ms: number, zone: string | null): string {
  const local = zone === null ? ms : ms + zoneOffsetSeconds(zone, ms) * 1000;
  return new Date(local).toISOString().slice(0, 19);
}

/**
 * From the day's first instant to the next day's first instant. Days follow each other without gap or overlap; one that a zone
 * skipped is empty, and where clocks go back over midnight the repeated stretch stays with the later day.
 */
export function dayBounds(date: string, zone: string | null): { startMs: number; endMs: number } {
  const start = startInUtc(date);
  if (zone === null) return { startMs: start, endMs: start + dayMs };
  return { startMs: firstInstantAt(zone, start), endMs: firstInstantAt(zone, start + dayMs) };
}

export function addDays(date: string, days: number): string {
  return dateOf(startInUtc(date) / dayMs + days);
}

/** Negative when `to` is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return (startInUtc(to) - startInUtc(from)) / dayMs;
}

/** Both ends included; none when `from` is the later one. */
export function datesInRange(from: string, to: string): string[] {
  const first = startInUtc(from) / dayMs;
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, at) => dateOf(first + at));
}

export interface DateRange {
  from: string;
  to: string;
}

/** The runs of days that hold these dates and so many more on both sides of each; runs that touch are one. */
export function dateRuns(dates: Iterable<string>, aside = 0): DateRange[] {
  const runs: { from: number; to: number }[] = [];
  const numbers = Array.from(new Set(dates), (date) => startInUtc(date) / dayMs).sort((a, b) => a - b);
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number - aside <= last.to + 1) last.to = number + aside;
    else runs.push({ from: number - aside, to: number + aside });
  }
  return runs.map(({ from, to }) => ({ from: dateOf(from), to: dateOf(to) }));
}
