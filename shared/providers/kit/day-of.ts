// The local day of an instant that a vendor states, which may be any number.
import { todayIn } from '../../platform/time/local-day.ts';

const firstMs = Date.parse('0001-01-01T00:00:00Z');
const endMs = Date.parse('9999-01-01T00:00:00Z');

/** Whether it has a date, wherever on earth. */
export const isDated = (ms: number): boolean => ms >= firstMs && ms < endMs;

/** In the zone, else in UTC. Empty for what is on no day: whoever gathers it rejects it. */
export const dayOf = (ms: number, zone: string | null): string => (isDated(ms) ? todayIn(zone, ms) : '');
