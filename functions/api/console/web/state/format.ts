// How the console writes times, names and numbers: the only module that does. Its words are English, so
// its numbers and dates are too, in the order of the reader's region, on a clock of 24 hours.

import { chooseVisible, toDisplayLine } from '../../../../../shared/platform/display-line.ts';
import type { components } from '../api/generated/v1.d.ts';
import { words } from '../words/en.ts';

type Schemas = components['schemas'];

/** Day before month for a reader whose languages do not say which English they read. */
export function chooseLocales(languages: readonly string[]): string[] {
  const english = languages.filter((language) => /^en-\w/i.test(language));
  return [...english, 'en-GB'];
}

const locales = chooseLocales(navigator.languages);

/** What the API and other people write has a clock of 24 hours; two clocks on a page would be misread. */
const dayClock = { hourCycle: 'h23' } as const;

const numberFormats = new Map<number, Intl.NumberFormat>();

export function formatNumber(value: number, maxDecimals = 2): string {
  const format =
    numberFormats.get(maxDecimals) ?? new Intl.NumberFormat(locales, { maximumFractionDigits: maxDecimals });
  numberFormats.set(maxDecimals, format);
  return format.format(value);
}

export const formatPercent = (share: number, maxDecimals = 0): string =>
  new Intl.NumberFormat(locales, { style: 'percent', maximumFractionDigits: maxDecimals }).format(share);

/** Minutes as hours and minutes. */
export function formatMinutes(minutes: number): string {
  const whole = Math.round(minutes);
  const hours = Math.floor(whole / 60);
  return hours === 0 ? `${whole} min` : `${hours} h ${String(whole % 60).padStart(2, '0')} min`;
}

const plainUnits: ReadonlySet<string> = new Set(['count', 'score']);

type Measure = Pick<Schemas['Metric'], 'unit' | 'precision'>;

/** A value with its unit, in the precision of the catalog. */
export function formatValue(value: number, { unit, precision }: Measure): string {
  if (unit === 'min' && value >= 60) return formatMinutes(value);
  const number = formatNumber(value, precision);
  if (unit === '%') return `${number}%`;
  return plainUnits.has(unit) ? number : `${number} ${unit}`;
}

const exactTime = new Intl.DateTimeFormat(locales, { dateStyle: 'full', timeStyle: 'long', ...dayClock });
export const formatExactTime = (at: Date): string => exactTime.format(at);

const moment = new Intl.DateTimeFormat(locales, { dateStyle: 'medium', timeStyle: 'short', ...dayClock });
export const formatMoment = (at: Date): string => moment.format(at);

/** A time of day in a zone; in the reader's own unless one is named. */
export const formatClock = (at: Date, zone?: string): string =>
  new Intl.DateTimeFormat(locales, {
    hour: '2-digit',
    minute: '2-digit',
    ...dayClock,
    ...(zone === undefined ? {} : { timeZone: zone }),
  }).format(at);

/** The time of day of a local time without an offset, such as `2026-03-12T23:04:00`. */
export const formatLocalClock = (localTime: string): string => localTime.slice(11, 16);

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
    ...dayClock,
  }),
  clock: new Intl.DateTimeFormat(locales, { hour: '2-digit', minute: '2-digit', ...dayClock }),
  day: new Intl.DateTimeFormat(locales, { day: 'numeric', month: 'short' }),
} as const;

/** The start of an hour in the reader's own zone. */
export const formatHour = (start: Date, style: keyof typeof hourFormats = 'full'): string =>
  hourFormats[style].format(start);

export const formatDay = (day: string, style: keyof typeof dayFormats = 'short'): string =>
  dayFormats[style].format(toDate(day));

export const formatDayRange = (from: string, to: string): string => dayRange.formatRange(toDate(from), toDate(to));

const relativeTime = new Intl.RelativeTimeFormat(locales);
const [minute, hour, day] = [60, 3_600, 86_400];
/** Each unit up to the amount from which the next one is exact enough: ninety days are not three months. */
const relativeUnits = [
  { unit: 'minute', seconds: minute, below: 60 },
  { unit: 'hour', seconds: hour, below: 48 },
  { unit: 'day', seconds: day, below: 100 },
  { unit: 'month', seconds: 30.44 * day, below: 24 },
  { unit: 'year', seconds: 365.25 * day, below: Number.POSITIVE_INFINITY },
] as const;

/** Rounded to the nearest: a key of 90 days ends in 90 days, a second after it was made as well. */
export function formatRelativeTime(at: Date, nowMs: number): string {
  const seconds = (at.getTime() - nowMs) / 1000;
  if (Math.abs(seconds) < minute / 2) return seconds < 0 ? words.time.justNow : words.time.now;
  for (const { unit, seconds: length, below } of relativeUnits) {
    const count = Math.round(Math.abs(seconds) / length);
    if (count < below) return relativeTime.format(Math.sign(seconds) * Math.max(1, count), unit);
  }
  return formatExactTime(at);
}

/** Sleep is added up as well, but it does not grow while the person is awake. */
export const growsDuringTheDay = ({ aggregation, category }: Pick<Schemas['Metric'], 'aggregation' | 'category'>) =>
  aggregation === 'sum' && category !== 'sleep';

const growingScores: ReadonlySet<string> = new Set(['strain_score', 'nutrition_score', 'energy_reserve_score']);
export const isGrowingScore = (id: string): boolean => growingScores.has(id);

/** The day of a value: only what grows until midnight is said to be so far. */
export function sayDay(date: string, today: string, isGrowing: boolean): string {
  if (date !== today) return words.time.on(formatDay(date));
  return isGrowing ? words.time.todaySoFar : words.time.today;
}

export const formatList = (items: readonly string[]): string =>
  new Intl.ListFormat(locales, { type: 'conjunction' }).format(items);

/** Abbreviations such as REM, RMSSD and VO₂ keep their letters. */
const isAbbreviation = (word: string): boolean => word.length === 1 || /\p{Lu}.*\p{Lu}|\d|[₀-₉]/u.test(word);

/** As every other label of the console is written. */
export const toSentenceCase = (name: string): string =>
  name
    .split(' ')
    .map((word, at) => (at === 0 || isAbbreviation(word) ? word : word.toLowerCase()))
    .join(' ');

export const nameOfMetric = ({ display_name }: { display_name: string }): string => toSentenceCase(display_name);

export const nameOfProvider = (id: Schemas['ProviderId']): string => words.providerNames[id];

/** An id without a name of its own, as words within a sentence: `time_in_bed` is `time in bed`. */
export const nameOfId = (id: string): string => id.replaceAll('_', ' ');

export function nameOfWorkoutType(type: Schemas['WorkoutTypeId']): string {
  const name = nameOfId(type);
  return words.workoutNames[type] ?? name.charAt(0).toUpperCase() + name.slice(1);
}

export const nameOfDevice = ({ name, model }: Pick<Schemas['Device'], 'name' | 'model'>): string =>
  chooseVisible(name, toDisplayLine(model));

export const nameOfPerson = ({ external_ref, id }: Pick<Schemas['User'], 'external_ref' | 'id'>): string =>
  chooseVisible(external_ref, id);

/** For reading; a text that is no JSON stays as it is. */
export function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
