// The days that were asked for: more than those is fetched, and only what is known in full is told.
import { dayOf } from './day-of.ts';
import type { DayWindow } from './pages.ts';

export interface DaysAsked {
  holds(date: string): boolean;
  /** Also what is on no day: it is to be rejected, not passed over. */
  holdsInstant(ms: number): boolean;
  dateOf(ms: number): string;
}

/** Every day where none were asked for. Instants lie on days of the person's zone, UTC if there is none, whatever offset a record carries. */
export function daysAsked(asked: DayWindow | null, zone: string | null): DaysAsked {
  const dateOf = (ms: number): string => dayOf(ms, zone);
  const holds = (date: string): boolean => asked === null || (date >= asked.from && date <= asked.to);
  const holdsInstant = (ms: number): boolean => {
    const date = dateOf(ms);
    return date === '' || holds(date);
  };
  return { holds, dateOf, holdsInstant };
}
