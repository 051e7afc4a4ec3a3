// The local day of an instant that a vendor states, which may be any number.
import { localDate } from '../model/local-day.ts';

const firstMs = Date.parse('0001-01-01T00:00:00Z');
const endMs = Date.parse('9999-01-01T00:00:00Z');
const farthestMinutes = 14 * 60;

/** Whether it has a date, wherever on earth. */
export const isDated = (ms: number): boolean => ms >= firstMs && ms < endMs;

/** By the offset that is stated, where it can be one, else in the zone, else in UTC. Empty for what is on no day: whoever gathers it rejects it. */
export function dayOf(ms: number, offsetMinutes: number | null, zone: string | null): string {
  if (!isDated(ms)) return '';
  const isOffset = offsetMinutes !== null && Math.abs(offsetMinutes) <= farthestMinutes;
  return localDate(ms, {
    offsetMinutes: isOffset ? offsetMinutes : null,
    profileZone: zone,
    fallbackOffsetMinutes: 0,
  });
}
