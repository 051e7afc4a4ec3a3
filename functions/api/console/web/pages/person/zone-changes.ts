// Where a person changed their time zone between two nights, as the nights themselves state it.
import { zoneOffsetMinutes } from '../../../../../../shared/platform/time/zone-offsets.ts';

export interface NightPlace {
  id: string;
  start_at: string;
  end_at: string;
  utc_offset: string | null;
}

export interface ZoneChange {
  /** The first night after the change. */
  nightId: string;
  /** Minutes east of UTC. */
  from: number;
  to: number;
  /** The person's own zone changed its clocks in the same way: they need not have travelled. */
  isClockChange: boolean;
}

/**
 * Takes the nights newest first, as the API lists them, and returns the changes in that order. A
 * night that states no offset says nothing about where the person was.
 */
export function findZoneChanges(nights: readonly NightPlace[], zone: string): ZoneChange[] {
  const placed = nights.flatMap((night) => {
    const offset = parseUtcOffset(night.utc_offset);
    return offset === undefined ? [] : [{ night, offset }];
  });
  return placed.flatMap(({ night, offset: to }, at) => {
    const earlier = placed[at + 1];
    if (!earlier || earlier.offset === to) return [];
    const isClockChange = isOffsetOf(zone, earlier.night, earlier.offset) && isOffsetOf(zone, night, to);
    return [{ nightId: night.id, from: earlier.offset, to, isClockChange }];
  });
}

/** Clocks change at night, and a device may state the offset of falling asleep or that of waking. */
const isOffsetOf = (zone: string, { start_at, end_at }: NightPlace, offset: number): boolean =>
  [start_at, end_at].some((at) => zoneOffsetMinutes(zone, Date.parse(at)) === offset);

function parseUtcOffset(text: string | null): number | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(text ?? '') ?? [];
  if (hours === undefined || minutes === undefined) return undefined;
  const size = Number(hours) * 60 + Number(minutes);
  return sign === '-' ? 0 - size : size;
}

/** `UTC+2`, `UTC−3:30`, and `UTC` alone for none. */
export function formatOffset(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`;
  return `UTC${minutes < 0 ? '−' : '+'}${Math.floor(size / 60)}${rest}`;
}
