// Strictly reads instants, offsets and dates as phones write them; a date that is not in the
// calendar is rejected.

export interface Instant {
  ms: number;
  /**
   * The offset that the instant was written with; null for `Z`, which does not tell where it was
   * recorded.
   */
  offsetMinutes: number | null;
}

const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;
const offsetPattern = /^[+-]\d\d:?\d\d$/;
const datePattern = /^\d{4}-\d\d-\d\d$/;
const maxOffsetMinutes = 14 * 60;
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function readInstant(text: string): Instant | undefined {
  if (!instantPattern.test(text)) return undefined;
  const dayMs = parseDayAt(text);
  const hour = parseTwoDigits(text, 11);
  const minute = parseTwoDigits(text, 14);
  const hasSeconds = text[16] === ':';
  const second = hasSeconds ? parseTwoDigits(text, 17) : 0;
  if (dayMs === undefined || hour > 23 || minute > 59 || second > 59) return undefined;
  const isUtc = text.endsWith('Z');
  const zoneIndex = isUtc ? text.length - 1 : Math.max(text.lastIndexOf('+'), text.lastIndexOf('-'));
  const offsetMinutes = isUtc ? null : parseOffsetAt(text, zoneIndex);
  if (offsetMinutes === undefined) return undefined;
  const milliseconds = text[19] === '.' ? Number(text.slice(20, zoneIndex).padEnd(3, '0').slice(0, 3)) : 0;
  const timeOfDayMs = ((hour * 60 + minute - (offsetMinutes ?? 0)) * 60 + second) * 1000 + milliseconds;
  return { ms: dayMs + timeOfDayMs, offsetMinutes };
}

/** Minutes east of UTC, from `+HH:MM`. */
export const readOffset = (text: string): number | undefined =>
  offsetPattern.test(text) && text[3] === ':' ? parseOffsetAt(text, 0) : undefined;

/** The first instant of the day in UTC. */
export const readDate = (text: string): number | undefined => (datePattern.test(text) ? parseDayAt(text) : undefined);

const zeroCharCode = '0'.charCodeAt(0);
const parseTwoDigits = (text: string, at: number): number =>
  (text.charCodeAt(at) - zeroCharCode) * 10 + text.charCodeAt(at + 1) - zeroCharCode;

function parseOffsetAt(text: string, at: number): number | undefined {
  const minutes = parseTwoDigits(text, text[at + 3] === ':' ? at + 4 : at + 3);
  const total = parseTwoDigits(text, at + 1) * 60 + minutes;
  if (minutes > 59 || total > maxOffsetMinutes) return undefined;
  return text[at] === '-' && total > 0 ? -total : total;
}

/** Years before 1970 are rejected: they come from clocks that were never set. */
function parseDayAt(text: string): number | undefined {
  const year = parseTwoDigits(text, 0) * 100 + parseTwoDigits(text, 2);
  const month = parseTwoDigits(text, 5);
  const day = parseTwoDigits(text, 8);
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  const isValidDay = year >= 1970 && day >= 1 && day <= (monthDays[month - 1] ?? 0) + leap;
  return isValidDay ? Date.UTC(year, month - 1, day) : undefined;
}
