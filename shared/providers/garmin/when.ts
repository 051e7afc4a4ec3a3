// Garmin's times: seconds since 1970, sometimes with a fraction, and the seconds a local clock is ahead, which may be missing.
import type { Maybe } from '../kit/gathering.ts';

export interface GarminSpan {
  startMs: number;
  endMs: number;
  offsetMinutes: number | null;
}

interface Timed {
  startTimeInSeconds: number;
  startTimeOffsetInSeconds?: Maybe;
  durationInSeconds?: Maybe;
}

export const garminMs = (seconds: number): number => Math.round(seconds * 1000);

const inMinutes = (seconds: Maybe): number | null => (typeof seconds === 'number' ? Math.round(seconds / 60) : null);

export function garminSpan(item: Timed): GarminSpan {
  const startMs = garminMs(item.startTimeInSeconds);
  const lasted = Math.max(0, garminMs(item.durationInSeconds ?? 0));
  return { startMs, endMs: startMs + lasted, offsetMinutes: inMinutes(item.startTimeOffsetInSeconds) };
}

export const garminMoment = (seconds: number, offset: Maybe): { startMs: number; offsetMinutes: number | null } => ({
  startMs: garminMs(seconds),
  offsetMinutes: inMinutes(offset),
});

export interface GarminPoint {
  afterMs: number;
  value: number;
}

/** What was measured along a span. Zero and less stand for what could not be measured. */
export function garminPoints(course: Readonly<Record<string, Maybe>> | null | undefined): GarminPoint[] {
  return Object.entries(course ?? {}).flatMap(([seconds, value]) => {
    const after = Number(seconds);
    if (seconds.trim() === '' || !Number.isFinite(after) || typeof value !== 'number' || value <= 0) return [];
    return [{ afterMs: garminMs(after), value }];
  });
}
