// Instants, offsets and days as phones write them, read strictly: what the calendar does not have is not a time.

export interface Instant {
  ms: number;
  /** The offset it was written with; null for `Z`, which says nothing of where it was. */
  offsetMinutes: number | null;
}

const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;
const offsetShape = /^[+-]\d\d:?\d\d$/;
const dateShape = /^\d{4}-\d\d-\d\d$/;
const farthestOffsetMinutes = 14 * 60;
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function readInstant(text: string): Instant | undefined {
  if (!instantShape.test(text)) return undefined;
  const dayMs = dayAt(text);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const hasSeconds = text[16] === ':';
  const second = hasSeconds ? twoDigits(text, 17) : 0;
  if (dayMs === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const isUtc = text.endsWith('Z');
  const zoneAt = isUtc ? text.length - 1 : Math.max(text.lastIndexOf('+'), text.lastIndexOf('-'));
  const offsetMinutes = isUtc ? null : offsetAt(text, zoneAt);
  if (offsetMinutes === undefined) return undefined;
  const milliseconds = text[19] === '.' ? Number(text.slice(20, zoneAt).padEnd(3, '0').slice(0, 3)) : 0;
  const ofDay = ((hour * 60 + minute - (offsetMinutes ?? 0)) * 60 + second) * 1000 + milliseconds;
  return { ms: dayMs + ofDay, offsetMinutes };
}

/** Minutes east of UTC, from `+HH:MM`. */
export const readOffset = (text: string): number | undefined =>
  offsetShape.test(text) && text[3] === ':' ? offsetAt(text, 0) : undefined;

/** The day's first instant in UTC. */
export const readDate = (text: string): number | undefined => (dateShape.test(text) ? dayAt(text) : undefined);

const zero = '0'.charCodeAt(0);
const twoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;

function offsetAt(text: string, at: number): number | undefined {
  const minutes = twoDigits(text, text[at + 3] === ':' ? at + 4 : at + 3);
  const total = twoDigits(text, at + 1) * 60 + minutes;
  if (minutes > 59 || total > farthestOffsetMinutes) return undefined;
  return text[at] === '-' && total > 0 ? -total : total;
}

/** Years before 1970 are left out: clocks that were never set are that old. */
function dayAt(text: string): number | undefined {
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  const isDay = year >= 1970 && day >= 1 && day <= (monthDays[month - 1] ?? 0) + leap;
  return isDay ? Date.UTC(year, month - 1, day) : undefined;
}
