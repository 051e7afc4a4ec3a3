// Instants, offsets and days as phones write them, read strictly: what the calendar does not have is not a time.

export interface Instant {
  ms: number;
  /** The offset it was written with; null for `Z`, which says nothing of where it was. */
  offsetMinutes: number | null;
}

const instantShape = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))$/;
const offsetShape = /^([+-])(\d\d):(\d\d)$/;
const dateShape = /^(\d{4})-(\d\d)-(\d\d)$/;
const farthestOffsetMinutes = 14 * 60;
const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function readInstant(text: string): Instant | undefined {
  const found = instantShape.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '0', sign, offsetHours = '0', offsetRest = '0'] =
    found;
  const clock = { hour: Number(hour), minute: Number(minute), second: Number(second) };
  if (!isDay(Number(year), Number(month), Number(day))) return undefined;
  if (clock.hour > 23 || clock.minute > 59 || clock.second > 59) return undefined;
  const offsetMinutes = sign === undefined ? null : offsetFrom(sign, Number(offsetHours), Number(offsetRest));
  if (offsetMinutes === undefined) return undefined;
  const milliseconds = Math.floor(Number(`0.${fraction}`) * 1000);
  const ms =
    Date.UTC(Number(year), Number(month) - 1, Number(day), clock.hour, clock.minute, clock.second, milliseconds) -
    (offsetMinutes ?? 0) * 60_000;
  return { ms, offsetMinutes };
}

/** Minutes east of UTC, from `+HH:MM`. */
export function readOffset(text: string): number | undefined {
  const found = offsetShape.exec(text);
  return found ? offsetFrom(found[1], Number(found[2]), Number(found[3])) : undefined;
}

/** The day's first instant in UTC. */
export function readDate(text: string): number | undefined {
  const found = dateShape.exec(text);
  if (!found) return undefined;
  const [year, month, day] = [Number(found[1]), Number(found[2]), Number(found[3])];
  return isDay(year, month, day) ? Date.UTC(year, month - 1, day) : undefined;
}

function offsetFrom(sign: string | undefined, hours: number, minutes: number): number | undefined {
  const total = hours * 60 + minutes;
  if (minutes > 59 || total > farthestOffsetMinutes) return undefined;
  return sign === '-' && total > 0 ? -total : total;
}

/** Years before 1970 are left out: no wearable is that old, and clocks that were never set are. */
function isDay(year: number, month: number, day: number): boolean {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  return year >= 1970 && day >= 1 && day <= (lengths[month - 1] ?? 0) + leap;
}
