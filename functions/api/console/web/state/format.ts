// Numbers and dates in the reader's own language and formats.
import { signal } from '@preact/signals';

const locales = [...navigator.languages];

const numberFormats = new Map<number, Intl.NumberFormat>();

export function formatNumber(value: number, maxDecimals = 2): string {
  const format =
    numberFormats.get(maxDecimals) ?? new Intl.NumberFormat(locales, { maximumFractionDigits: maxDecimals });
  numberFormats.set(maxDecimals, format);
  return format.format(value);
}

export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(locales, { style: 'percent', maximumFractionDigits: 0 }).format(share);

/** Minutes as hours and minutes. */
export function formatMinutes(minutes: number): string {
  const whole = Math.round(minutes);
  const hours = Math.floor(whole / 60);
  return hours === 0 ? `${whole} min` : `${hours} h ${String(whole % 60).padStart(2, '0')} min`;
}

const exactTime = new Intl.DateTimeFormat(locales, { dateStyle: 'full', timeStyle: 'long' });
export const formatExactTime = (at: Date): string => exactTime.format(at);

const moment = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'short' });
export const formatMoment = (at: Date): string => moment.format(at);

export const formatClock = (at: Date, zone: string | undefined): string =>
  new Intl.DateTimeFormat(locales, {
    hour: '2-digit',
    minute: '2-digit',
    ...(zone === undefined ? {} : { timeZone: zone }),
  }).format(at);

/** A calendar day has no zone: it is read as UTC and written as UTC. */
const dayFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(locales, { ...options, day: 'numeric', month: 'short', timeZone: 'UTC' });
// Creating a format takes longer than drawing a bar, and a page of charts names thousands of days.
const dayFormats = { short: dayFormat({}), long: dayFormat({ weekday: 'short', year: 'numeric' }) };
const dayRange = dayFormat({ year: 'numeric' });
const toDate = (day: string): Date => new Date(`${day}T00:00:00Z`);

const hourFormats = {
  full: new Intl.DateTimeFormat(locales, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }),
  clock: new Intl.DateTimeFormat(locales, { hour: '2-digit', minute: '2-digit' }),
  day: new Intl.DateTimeFormat(locales, { day: 'numeric', month: 'short' }),
} as const;

/** The start of an hour in the reader's own zone. */
export const formatHour = (start: Date, style: keyof typeof hourFormats = 'full'): string =>
  hourFormats[style].format(start);

export const formatDay = (day: string, style: keyof typeof dayFormats = 'short'): string =>
  dayFormats[style].format(toDate(day));

export const formatDayRange = (from: string, to: string): string => dayRange.formatRange(toDate(from), toDate(to));

const relativeTime = new Intl.RelativeTimeFormat(locales, { numeric: 'auto' });
const relativeUnits = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

export function formatRelativeTime(at: Date, nowMs: number): string {
  const seconds = (at.getTime() - nowMs) / 1000;
  for (const [unit, length] of relativeUnits)
    if (Math.abs(seconds) >= length) return relativeTime.format(Math.trunc(seconds / length), unit);
  return relativeTime.format(Math.trunc(seconds), 'second');
}

/** Moves on every fifteen seconds, for relative times. */
export const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === 'visible') now.value = Date.now();
}, 15_000);

export const formatList = (items: readonly string[]): string =>
  new Intl.ListFormat(locales, { type: 'conjunction' }).format(items);

/** For reading; a text that is no JSON stays as it is. */
export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
