// Where a user is on a date: the zone, the instants between which the date lasts there, and the
// local offset.
import { addDays, datesInRange, dayBounds, todayIn, utcDay } from '../../platform/time/local-day.ts';
import { zoneOffsetMinutes } from '../../platform/time/zone-offsets.ts';
import { createSeededRandom } from './seeded-random.ts';
import { dayNumber, dayOfCycle, type SimulatedUser } from './simulated-user.ts';

const destinations = [
  'America/New_York',
  'America/Los_Angeles',
  'Europe/London',
  'Asia/Dubai',
  'Asia/Singapore',
  'Asia/Tokyo',
] as const;
const minuteMs = 60_000;
/**
 * Far enough to matter, and near enough that the day of the flight still has a night, a morning and
 * an evening.
 */
const minMinutesAway = 4 * 60;
const maxMinutesAway = 9 * 60;

export function zoneOn(user: SimulatedUser, date: string): string {
  if (!user.habits.travels || dayOfCycle(user, date, 6) < 3) return user.homeZone;
  const departure = addDays(date, 3 - dayOfCycle(user, date, 6));
  const noonMs = dayBounds(departure, user.homeZone).startMs + 720 * minuteMs;
  const distantZones = destinations.filter((zone) => {
    const minutesAway = Math.abs(zoneOffsetMinutes(zone, noonMs) - zoneOffsetMinutes(user.homeZone, noonMs));
    return minutesAway >= minMinutesAway && minutesAway <= maxMinutesAway;
  });
  return createSeededRandom(user.lifeSeed, 'trip', dayNumber(departure)).pick([
    distantZones[0] ?? destinations[0],
    ...distantZones.slice(1),
  ]);
}

/**
 * From the date's first instant where the user is to the next date's first instant where the user
 * is then. A flight makes a day longer or shorter.
 */
export function dateWindow(user: SimulatedUser, date: string): { startMs: number; endMs: number } {
  const next = addDays(date, 1);
  return {
    startMs: dayBounds(date, zoneOn(user, date)).startMs,
    endMs: dayBounds(next, zoneOn(user, next)).startMs,
  };
}

/** Every date that includes some time between the two instants. */
export function listDatesBetween(user: SimulatedUser, fromMs: number, toMs: number): string[] {
  const candidates = datesInRange(
    addDays(todayIn(user.homeZone, fromMs), -1),
    addDays(todayIn(user.homeZone, toMs), 1),
  );
  return candidates.filter((date) => {
    const { startMs, endMs } = dateWindow(user, date);
    return endMs > fromMs && startMs <= toMs;
  });
}

/**
 * The offset of a record within the date's window. On a day with a flight, the later hours have the
 * offset of the destination.
 */
export function offsetMinutesAt(user: SimulatedUser, date: string, ms: number): number {
  const localOffset = zoneOffsetMinutes(zoneOn(user, date), ms);
  return utcDay(ms + localOffset * minuteMs) === date
    ? localOffset
    : zoneOffsetMinutes(zoneOn(user, addDays(date, 1)), ms);
}
