// The offset at an instant in a zone that a provider names.
import { isTimeZone } from '../../platform/time/time.ts';
import { zoneOffsetSeconds } from '../../platform/time/zone-offsets.ts';
import { isValidInstant } from './local-day-of-instant.ts';

/** Null if the provider names no zone, or an unknown one. */
export const namedZoneOffsetMinutes = (zone: string | null | undefined, ms: number): number | null =>
  zone && isValidInstant(ms) && isTimeZone(zone) ? Math.round(zoneOffsetSeconds(zone, ms) / 60) : null;
