// Calendar days: which one an instant belongs to, where it begins and ends, and counting from one to another.
import { BoundedCache } from '../bounded-cache.ts';
import { findFirstInstant, zoneOffsetSeconds } from './zone-offsets.ts';

export const dayMs = 86_400_000;

/** Which calendar a person's records are counted by. */
export interface DayRule {
  /** The zone of the profile; null is UTC. */
  zone: string | null;
  /** `recorded` counts a record that carries an offset by that, `profile` none: the zone decides. */
  by: 'profile' | 'recorded';
}

/** A record that may carry the offset of where it was made. */
export interface WithOffset {
  offsetMinutes: number | null;
}

const maxCachedDates = 4_096;
const datesByNumber = new BoundedCache<number, string>(maxCachedDates);

/** The date that many days after 1970-01-01. */
const toDate = (dayNumber: number): string => datesByNumber.getOrCreate(dayNumber, formatDate);

function formatDate(dayNumber: number): string {
  const text = new Date(dayNumber * dayMs).toISOString();
  if (text.length !== 24) throw new RangeError(`day ${dayNumber} lies outside the years 0000 to 9999`);
  return text.slice(0, 10);
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;

function parseUtcMidnight(date: string): number {
  const ms = datePattern.test(date) ? Date.parse(`${date}T00:00:00Z`) : Number.NaN;
  // Date.parse carries 30 February over into March.
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

/** The day that an instant of a record counts on. */
export function localDate(ms: number, rule: DayRule, { offsetMinutes }: WithOffset): string {
  return rule.by === 'profile' || offsetMinutes === null ? todayIn(rule.zone, ms) : utcDay(ms + offsetMinutes * 60_000);
}

/** The first instant of the next day, as the record counts them. */
export function localDayEnd(date: string, rule: DayRule, { offsetMinutes }: WithOffset): number {
  return rule.by === 'profile' || offsetMinutes === null
    ? dayBounds(date, rule.zone).endMs
    : dayBounds(date, null).endMs - offsetMinutes * 60_000;
}

/** The calendar day in that zone, UTC for none. */
export function todayIn(zone: string | null, nowMs: number): string {
  return utcDay(zone === null ? nowMs : nowMs + zoneOffsetSeconds(zone, nowMs) * 1000);
}

/** What a clock in that zone shows, UTC for none: `YYYY-MM-DDTHH:MM:SS`. */
export function formatLocalTime(ms: number, zone: string | null): string {
  const local = zone === null ? ms : ms + zoneOffsetSeconds(zone, ms) * 1000;
  return new Date(local).toISOString().slice(0, 19);
}

/**
 * From the day's first instant to the next day's first instant. Days follow each other without gap or overlap; one that a zone
 * skipped is empty, and where clocks go back over midnight the repeated stretch stays with the later day.
 */
export function dayBounds(date: string, zone: string | null): { startMs: number; endMs: number } {
  const start = parseUtcMidnight(date);
  if (zone === null) return { startMs: start, endMs: start + dayMs };
  return { startMs: findFirstInstant(zone, start), endMs: findFirstInstant(zone, start + dayMs) };
}

export function addDays(date: string, days: number): string {
  return toDate(parseUtcMidnight(date) / dayMs + days);
}

/** Negative when `to` is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return (parseUtcMidnight(to) - parseUtcMidnight(from)) / dayMs;
}

/** Both ends included; none when `from` is the later one. */
export function datesInRange(from: string, to: string): string[] {
  const first = parseUtcMidnight(from) / dayMs;
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, at) => toDate(first + at));
}

export interface DateRange {
  from: string;
  to: string;
}

/** The runs of days that hold these dates and so many more on both sides of each; runs that touch are one. */
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
