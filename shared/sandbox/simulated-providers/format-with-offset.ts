// Instants as vendors write them that say where they were: local clock and offset.
import { formatOffset } from '../life/location.ts';

/** `2026-03-05T07:22:40+01:00` */
export const formatWithOffset = (ms: number, offsetMinutes: number): string =>
  `${new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, 19)}${formatOffset(offsetMinutes)}`;
