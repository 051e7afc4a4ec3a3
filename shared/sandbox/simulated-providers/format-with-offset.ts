// Formats instants for providers that report them as local time with an offset.
import { formatUtcOffset } from '../../platform/time/utc-offset.ts';

/** For example `2026-03-05T07:22:40+01:00`. */
export const formatWithOffset = (ms: number, offsetMinutes: number): string =>
  `${new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, 19)}${formatUtcOffset(offsetMinutes)}`;
