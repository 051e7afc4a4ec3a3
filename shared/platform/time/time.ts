// Dates, timestamps and time zones in the API's formats.
import * as z from 'zod';
import { BoundedCache } from '../bounded-cache.ts';

export const Timestamp = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601, UTC, with milliseconds.', examples: ['2026-03-14T07:26:53.589Z'] });

export const formatTimestamp = (ms: number): string => new Date(ms).toISOString();

export const CalendarDate = z.iso
  .date('must be an existing date, such as 2026-03-01')
  .meta({ description: 'A calendar day, `YYYY-MM-DD`.', examples: ['2026-03-14'] });

export const ClockTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
  .meta({
    description: "Local time in the profile's time zone (UTC if it has none), without an offset.",
    examples: ['2026-03-14T07:26:53'],
  });

const timeZoneCache = new BoundedCache<string, boolean>(2_000);

/** Any IANA name or alias that the runtime knows. Offsets such as `+02:00` are not zones. */
export const isTimeZone = (name: string): boolean =>
  timeZoneCache.getOrCreate(name, () => /^[A-Za-z]/.test(name) && isKnownToIntl(name));

function isKnownToIntl(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone name, such as Europe/Berlin')
  .meta({ description: 'An IANA time zone name.', examples: ['Europe/Berlin'] });

export const ShownTimeZone = z.string().meta({
  description: "The profile's IANA time zone, UTC if it has none.",
  examples: ['Europe/Berlin'],
});

export const TimeZoneSource = z
  .enum(['device', 'caller'])
  .meta({ id: 'TimeZoneSource', description: 'Who named the time zone.', examples: ['caller'] });
