// The local day of an instant that a vendor states, which may be any number.
import { todayIn } from '../../platform/time/local-day.ts';

const minMs = Date.parse('0001-01-01T00:00:00Z');
const maxMs = Date.parse('9999-01-01T00:00:00Z');

/** Whether it has a date, wherever on earth. */
export const isValidInstant = (ms: number): boolean => ms >= minMs && ms < maxMs;

/** In the zone, else in UTC. Empty for what is on no day: whoever gathers it rejects it. */
export const localDayOfInstant = (ms: number, zone: string | null): string =>
  isValidInstant(ms) ? todayIn(zone, ms) : '';
