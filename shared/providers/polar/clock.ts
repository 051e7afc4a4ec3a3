// Polar reports local clock times without an offset. A night's offset provides it, or else the
// user's zone.
import { findFirstInstant, zoneOffsetMinutes } from '../../platform/time/zone-offsets.ts';
import { readInstant } from '../phone/read-time.ts';

export interface LocalClock {
  /** Converts a local time that is written as if it were UTC. */
  toInstant(localMs: number): number;
  /** Null if only the user's zone is known. */
  offsetAt(ms: number): number | null;
  /** Converts an instant to the local time, written as if it were UTC. */
  toLocal(ms: number): number;
  /** Whether the local time, written as if it were UTC, occurs twice because the clocks go back. */
  isAmbiguous(localMs: number): boolean;
  /**
   * False if neither an offset nor a zone is known, or if the offset changed during the night, away
   * from home: no record states when.
   */
  isKnown: boolean;
}

export interface NightTimes {
  startMs: number;
  endMs: number;
  startOffset: number | null;
  endOffset: number | null;
}

export function parseNightTimes(start: string, end: string): NightTimes | undefined {
  const [from, to] = [readInstant(start), readInstant(end)];
  return from && to
    ? { startMs: from.ms, endMs: to.ms, startOffset: from.offsetMinutes, endOffset: to.offsetMinutes }
    : undefined;
}

/**
 * At home, the zone defines when clocks change. Away from home, only the offset of the night is
 * known.
 */
export function clockForNight(night: NightTimes | undefined, zone: string | null): LocalClock {
  const offset = night?.endOffset ?? night?.startOffset ?? null;
  if (night && offset !== null && !isInHomeZone(night, zone))
    return {
      toInstant: (ms) => ms - offset * 60_000,
      offsetAt: () => offset,
      toLocal: (ms) => ms + offset * 60_000,
      isAmbiguous: () => false,
      isKnown: (night.startOffset ?? offset) === offset,
    };
  if (zone === null)
    return {
      toInstant: (ms) => ms,
      offsetAt: () => null,
      toLocal: (ms) => ms,
      isAmbiguous: () => false,
      isKnown: false,
    };
  return {
    toInstant: (ms) => findFirstInstant(zone, ms),
    offsetAt: (ms) => (offset === null ? null : zoneOffsetMinutes(zone, ms)),
    toLocal: (ms) => ms + zoneOffsetMinutes(zone, ms) * 60_000,
    isAmbiguous: (ms) => occursTwice(zone, ms),
    isKnown: true,
  };
}

/** Clocks never go back by more than this. */
const maxClockChangeMs = 3 * 3_600_000;

function occursTwice(zone: string, localMs: number): boolean {
  const firstMs = findFirstInstant(zone, localMs);
  const laterOffset = zoneOffsetMinutes(zone, firstMs + maxClockChangeMs);
  const secondMs = localMs - laterOffset * 60_000;
  return secondMs > firstMs && zoneOffsetMinutes(zone, secondMs) === laterOffset;
}

const isInHomeZone = ({ startMs, endMs, startOffset, endOffset }: NightTimes, zone: string | null): boolean =>
  zone !== null &&
  [[startMs, startOffset] as const, [endMs, endOffset] as const].every(
    ([ms, offset]) => offset === null || zoneOffsetMinutes(zone, ms) === offset,
  );

const dayMs = 86_400_000;
const timePattern = /^(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?$/;

/** Milliseconds since midnight; undefined if the text is not a time of day. */
export function parseTimeOfDay(text: string): number | undefined {
  const [, hours, minutes, seconds = '0'] = timePattern.exec(text) ?? [];
  if (hours === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** The first occurrence of the time of day at or after a local time. */
export function nextLocalTime(localMs: number, timeOfDayMs: number): number {
  const midnight = Math.floor(localMs / dayMs) * dayMs;
  return midnight + timeOfDayMs + (midnight + timeOfDayMs < localMs ? dayMs : 0);
}

/** Parses a local time without a zone as if it were UTC. */
export const parseLocalMs = (text: string): number | undefined => readInstant(`${text.replace(/Z$/, '')}Z`)?.ms;

const durationPattern = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Parses a duration such as `PT1H2M3.5S` into seconds. */
export function parseDurationSeconds(text: string): number | undefined {
  const parts = durationPattern.exec(text)?.slice(1);
  if (!parts || parts.every((part) => part === undefined)) return undefined;
  const [days, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0));
  return (((days ?? 0) * 24 + (hours ?? 0)) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
}
