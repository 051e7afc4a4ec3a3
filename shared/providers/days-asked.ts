// The days that were asked for: more than those is fetched, and only what is known in full is told.
import { localDate } from '../model/local-day.ts';
import type { DayWindow } from './pages.ts';

export interface DaysAsked {
  holds(date: string): boolean;
  /** By the offset that the record states, else by the person's zone. */
  holdsInstant(ms: number, offsetMinutes: number | null): boolean;
  dateOf(ms: number, offsetMinutes: number | null): string;
}

/** Every day where none were asked for. */
export function daysAsked(asked: DayWindow | null, zone: string | null): DaysAsked {
  const dateOf = (ms: number, offsetMinutes: number | null): string =>
    localDate(ms, { offsetMinutes, profileZone: zone, fallbackOffsetMinutes: 0 });
  const holds = (date: string): boolean => asked === null || (date >= asked.from && date <= asked.to);
  return { holds, dateOf, holdsInstant: (ms, offsetMinutes) => holds(dateOf(ms, offsetMinutes)) };
}
