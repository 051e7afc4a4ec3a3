// UTC offsets as the API writes them, such as `+09:00`.
import * as z from 'zod';
import type { WithOffset } from './local-day.ts';

export const UtcOffset = z
  .string()
  .regex(/^[+-]\d{2}:\d{2}$/)
  .nullable()
  .meta({
    description: 'The UTC offset where the record was made, as the record itself states it; null when it states none.',
    examples: ['+09:00'],
  });

export function formatUtcOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const padTwoDigits = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${padTwoDigits(Math.floor(size / 60))}:${padTwoDigits(size % 60)}`;
}

/** Null when the record states no offset; it is never derived from a time zone. */
export const presentUtcOffset = ({ offsetMinutes }: WithOffset): string | null =>
  offsetMinutes === null ? null : formatUtcOffset(offsetMinutes);
