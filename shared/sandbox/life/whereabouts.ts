// Where a person is on a date: its zone, the instants between which the date is theirs, and what clocks there show.
import { addDays, datesInRange, dayBounds, todayIn, utcDay } from '../../platform/time/local-day.ts';
import { zoneOffsetMinutes } from '../../platform/time/zone.ts';
import { dayNumber, dayOfCycle, type SandboxPerson } from './persona.ts';
import { diceFor } from './random.ts';

const destinations = [
  'America/New_York',
  'America/Los_Angeles',
  'Europe/London',
  'Asia/Dubai',
  'Asia/Singapore',
  'Asia/Tokyo',
] as const;
const minuteMs = 60_000;
/** Far enough to be felt, and near enough that the day of the flight keeps a night, a morning and an evening. */
const fewestMinutesAway = 4 * 60;
const mostMinutesAway = 9 * 60;

export function zoneOn(person: SandboxPerson, date: string): string {
  if (!person.habits.trips || dayOfCycle(person, date, 6) < 3) return person.homeZone;
  const departure = addDays(date, 3 - dayOfCycle(person, date, 6));
  const noonMs = dayBounds(departure, person.homeZone).startMs + 720 * minuteMs;
  const far = destinations.filter((zone) => {
    const away = Math.abs(zoneOffsetMinutes(zone, noonMs) - zoneOffsetMinutes(person.homeZone, noonMs));
    return away >= fewestMinutesAway && away <= mostMinutesAway;
  });
  return diceFor(person.userId, 'trip', dayNumber(departure)).pick([far[0] ?? destinations[0], ...far.slice(1)]);
}

/** From the date's first instant where the person is to the next date's first instant where it is then: a flight makes days longer or shorter. */
export function windowOf(person: SandboxPerson, date: string): { startMs: number; endMs: number } {
  const next = addDays(date, 1);
  return {
    startMs: dayBounds(date, zoneOn(person, date)).startMs,
    endMs: dayBounds(next, zoneOn(person, next)).startMs,
  };
}

/** Every date that was under way at some time from the one instant to the other. */
export function datesLived(person: SandboxPerson, fromMs: number, toMs: number): string[] {
  const around = datesInRange(
    addDays(todayIn(person.homeZone, fromMs), -1),
    addDays(todayIn(person.homeZone, toMs), 1),
  );
  return around.filter((date) => {
    const { startMs, endMs } = windowOf(person, date);
    return endMs > fromMs && startMs <= toMs;
  });
}

/** The offset of a record inside the date's window: on a day of flight the later hours are those of the place it ends in. */
export function offsetMinutesAt(person: SandboxPerson, date: string, ms: number): number {
  const here = zoneOffsetMinutes(zoneOn(person, date), ms);
  return utcDay(ms + here * minuteMs) === date ? here : zoneOffsetMinutes(zoneOn(person, addDays(date, 1)), ms);
}

export function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
