// Garmin's times: seconds since 1970, sometimes fractional, and the offset of the local clock in
// seconds, which may be missing.
import type { OptionalNumber } from '../kit/record-builder.ts';

export interface GarminSpan {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

interface TimedItem {
  startTimeInSeconds: number;
  startTimeOffsetInSeconds?: OptionalNumber;
  durationInSeconds?: OptionalNumber;
}

export const garminSecondsToMs = (seconds: number): number => Math.round(seconds * 1000);

const secondsToOffsetMinutes = (seconds: OptionalNumber): number | null =>
  typeof seconds === 'number' ? Math.round(seconds / 60) : null;

export function readGarminSpan(item: TimedItem): GarminSpan {
  const startMs = garminSecondsToMs(item.startTimeInSeconds);
  const durationMs = Math.max(0, garminSecondsToMs(item.durationInSeconds ?? 0));
  return { startMs, endMs: startMs + durationMs, offsetMinutes: secondsToOffsetMinutes(item.startTimeOffsetInSeconds) };
}

export const readGarminMoment = (
  seconds: number,
  offset: OptionalNumber,
): { startMs: number; offsetMinutes: number | null } => ({
  startMs: garminSecondsToMs(seconds),
  offsetMinutes: secondsToOffsetMinutes(offset),
});

export interface GarminPoint {
  afterMs: number;
  value: number;
}

/**
 * The values measured during a span. Zero and negative numbers mean that nothing could be measured.
 */
export function readGarminPoints(series: Readonly<Record<string, OptionalNumber>> | null | undefined): GarminPoint[] {
  return Object.entries(series ?? {}).flatMap(([seconds, value]) => {
    const after = Number(seconds);
    if (seconds.trim() === '' || !Number.isFinite(after) || typeof value !== 'number' || value <= 0) return [];
    return [{ afterMs: garminSecondsToMs(after), value }];
  });
}
