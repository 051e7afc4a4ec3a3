// Calendars based on Intl alone: what a clock shows in a zone or at an offset, and where a local
// day begins and ends, found by search.

/** A time zone with its clock changes, or a fixed offset. */
export type Clock = { zone: string } | { offsetMinutes: number };
export interface Span {
  from: number;
  to: number;
}

const quarterMs = 15 * 60_000;
const dayMs = 24 * 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();
const bounds = new Map<string, Span>();

export function offsetMinutesAt(clock: Clock, ms: number): number {
  if ('offsetMinutes' in clock) return clock.offsetMinutes;
  // Clocks only change at quarter hours, so one lookup per quarter is enough.
  const quarter = Math.floor(ms / quarterMs);
  const key = `${clock.zone} ${quarter}`;
  const known = offsets.get(key) ?? readZoneOffset(clock.zone, quarter * quarterMs);
  offsets.set(key, known);
  return known;
}

/** `YYYY-MM-DDTHH:MM:SS` */
export const clockText = (clock: Clock, ms: number): string =>
  new Date(ms + offsetMinutesAt(clock, ms) * 60_000).toISOString().slice(0, 19);

export const localDate = (clock: Clock, ms: number): string => clockText(clock, ms).slice(0, 10);

export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

export function datesBetween(first: string, last: string): string[] {
  const dates = [];
  for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/** The first instant of a local day, and that of the next. */
export function dayBounds(clock: Clock, date: string): Span {
  const key = `${'zone' in clock ? clock.zone : clock.offsetMinutes} ${date}`;
  const known = bounds.get(key) ?? { from: firstInstant(clock, date), to: firstInstant(clock, addDays(date, 1)) };
  bounds.set(key, known);
  return known;
}

function firstInstant(clock: Clock, date: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if ('offsetMinutes' in clock) return midnight - clock.offsetMinutes * 60_000;
  let ms = midnight - 16 * 3_600_000;
  while (localDate(clock, ms) < date) ms += quarterMs;
  return ms;
}

function readZoneOffset(zone: string, ms: number): number {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(zone, format);
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? Number.NaN;
  const shownMs = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return (shownMs - ms) / 60_000;
}
