// The local day of an instant that a provider reports, which may be any number.
import { todayIn } from '../../platform/time/local-day.ts';
import { isTimeZone } from '../../platform/time/time.ts';
import { zoneOffsetSeconds } from '../../platform/time/zone-offsets.ts';

const minMs = Date.parse('0001-01-01T00:00:00Z');
const maxMs = Date.parse('9999-01-01T00:00:00Z');

/** Whether the instant has a valid date in every time zone. */
export const isValidInstant = (ms: number): boolean => ms >= minMs && ms < maxMs;

/**
 * Uses UTC if there is no zone. Empty for an instant without a valid date, which the record builder
 * rejects.
 */
export const localDayOfInstant = (ms: number, zone: string | null): string =>
  isValidInstant(ms) ? todayIn(zone, ms) : '';

/** Null if the provider names no zone, or an unknown one. */
export const namedZoneOffsetMinutes = (zone: string | null | undefined, ms: number): number | null =>
  zone && isValidInstant(ms) && isTimeZone(zone) ? Math.round(zoneOffsetSeconds(zone, ms) / 60) : null;
