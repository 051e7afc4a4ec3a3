// Calendar days: which day an instant belongs to, when a day starts and ends, and date arithmetic.
import { BoundedCache } from '../bounded-cache.ts';
import { findFirstInstant, zoneOffsetSeconds } from './zone-offsets.ts';

export const dayMs = 86_400_000;

/** The calendar by which a user's records are assigned to days. */
export interface DayRule {
  /** The time zone of the profile; null means UTC. */
  zone: string | null;
  /**
   * `recorded` uses the offset of a record that has one, and the zone otherwise. `profile` always
   * uses the zone.
   */
  by: 'profile' | 'recorded';
}

/** A record that may have the UTC offset of where it was recorded. */
export interface WithOffset {
  offsetMinutes: number | null;
}

const maxCachedDates = 4_096;
const datesByNumber = new BoundedCache<number, string>(maxCachedDates);

/** The date this many days after 1970-01-01. */
const toDate = (dayNumber: number): string => datesByNumber.getOrCreate(dayNumber, formatDate);

function formatDate(dayNumber: number): string {
  const text = new Date(dayNumber * dayMs).toISOString();
  if (text.length !== 24) throw new RangeError(`day ${dayNumber} is outside the years 0000 to 9999`);
  return text.slice(0, 10);
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;

function parseUtcMidnight(date: string): number {
  const ms = datePattern.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // Date.parse turns 30 February into a day in March.
  if (Number.isNaN(ms) || toDate(ms / dayMs) !== date) throw new RangeError(`${date} is not a calendar date`);
  return ms;
}

export function isCalendarDate(text: string): boolean {
  if (!datePattern.test(text)) return false;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && toDate(ms / dayMs) === text;
}

export function utcDay(ms: number): string {
  return toDate(Math.floor(ms / dayMs));
}

/** The day on which an instant of a record counts. */
export function localDate(ms: number, rule: DayRule, { offsetMinutes }: WithOffset): string {
  return rule.by === 'profile' || offsetMinutes === null ? todayIn(rule.zone, ms) : utcDay(ms + offsetMinutes * 60_000);
}

/** The first instant of the next day, in the record's calendar. */
export function localDayEnd(date: string, rule: DayRule, { offsetMinutes }: WithOffset): number {
  return rule.by === 'profile' || offsetMinutes === null
    ? dayBounds(date, rule.zone).endMs
    : dayBounds(date, null).endMs - offsetMinutes * 60_000;
}

/** The calendar day in the zone, or in UTC for null. */
export function todayIn(zone: string | null, nowMs: number): string {
  return utcDay(zone === null ? nowMs : nowMs + zoneOffsetSeconds(zone, nowMs) * 1000);
}

/** The milliseconds that a clock in the zone, or in UTC for null, shows since midnight. */
export function clockMs(ms: number, zone: string | null): number {
  const local = zone === null ? ms : ms + zoneOffsetSeconds(zone, ms) * 1000;
  return ((local % dayMs) + dayMs) % dayMs;
}

/** The local time in the zone, or in UTC for null: `YYYY-MM-DDTHH:MM:SS`. */
export function formatLocalTime(ms: number, zone: string | null): string {
  const local = zone === null ? ms : ms + zoneOffsetSeconds(zone, ms) * 1000;
  return new Date(local).toISOString().slice(0, 19);
}

/**
 * From the day's first instant to the next day's first instant. Days follow each other without a
 * gap or an overlap. A day that the zone skipped is empty, and if clocks go back over midnight, the
 * repeated period belongs to the later day.
 */
export function dayBounds(date: string, zone: string | null): { startMs: number; endMs: number } {
  const start = parseUtcMidnight(date);
  if (zone === null) return { startMs: start, endMs: start + dayMs };
  return { startMs: findFirstInstant(zone, start), endMs: findFirstInstant(zone, start + dayMs) };
}

export function addDays(date: string, days: number): string {
  return toDate(parseUtcMidnight(date) / dayMs + days);
}

/** Negative if `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return (parseUtcMidnight(to) - parseUtcMidnight(from)) / dayMs;
}

/** Includes both ends; empty if `from` is later. */
export function datesInRange(from: string, to: string): string[] {
  const first = parseUtcMidnight(from) / dayMs;
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, at) => toDate(first + at));
}

export interface DateRange {
  from: string;
  to: string;
}

/**
 * The ranges that contain these dates, with padding on both sides of each. Adjacent ranges are
 * merged.
 */
export function mergeDateRanges(dates: Iterable<string>, paddingDays = 0): DateRange[] {
  const ranges: { from: number; to: number }[] = [];
  const numbers = Array.from(new Set(dates), (date) => parseUtcMidnight(date) / dayMs).sort((a, b) => a - b);
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && number - paddingDays <= last.to + 1) last.to = number + paddingDays;
    else ranges.push({ from: number - paddingDays, to: number + paddingDays });
  }
  return ranges.map(({ from, to }) => ({ from: toDate(from), to: toDate(to) }));
}

/** Whole years on that day, negative before the birth; both dates are `YYYY-MM-DD`. */
export function ageOn(dateOfBirth: string, date: string): number {
  const years = Number(date.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return date.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}
