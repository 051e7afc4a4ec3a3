// The offset at an instant in a zone that a vendor names.
import { isTimeZone } from '../../platform/time/time.ts';
import { zoneOffsetSeconds } from '../../platform/time/zone.ts';
import { isDated } from './day-of.ts';

/** Null where the vendor names none, or one that nobody knows. */
export const statedOffsetMinutes = (zone: string | null | undefined, ms: number): number | null =>
  zone && isDated(ms) && isTimeZone(zone) ? Math.round(zoneOffsetSeconds(zone, ms) / 60) : null;
