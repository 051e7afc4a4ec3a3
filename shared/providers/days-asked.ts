// The days that were asked for: more than those is fetched, and only what is known in full is told.
import { dayOf } from './day-of.ts';
import type { DayWindow } from './pages.ts';

export interface DaysAsked {
  holds(date: string): boolean;
  /** By the offset that the record states, else by the person's zone. Also what is on no day: it is to be rejected, not passed over. */
  holdsInstant(ms: number, offsetMinutes: number | null): boolean;
  dateOf(ms: number, offsetMinutes: number | null): string;
}

/** Every day where none were asked for. */
export function daysAsked(asked: DayWindow | null, zone: string | null): DaysAsked {
  const dateOf = (ms: number, offsetMinutes: number | null): string => dayOf(ms, offsetMinutes, zone);
  const holds = (date: string): boolean => asked === null || (date >= asked.from && date <= asked.to);
  const holdsInstant = (ms: number, offsetMinutes: number | null): boolean => {
    const date = dateOf(ms, offsetMinutes);
    return date === '' || holds(date);
  };
  return { holds, dateOf, holdsInstant };
}
