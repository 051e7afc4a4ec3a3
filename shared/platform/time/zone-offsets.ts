// The UTC offset of a time zone at an instant. Intl is slow, so the offsets of each zone are looked
// up once per window of time and cached.
import { BoundedCache } from '../bounded-cache.ts';

/** About half a year; a power of two keeps the arithmetic exact. */
const windowMs = 2 ** 34;
/**
 * About three days. The two closest offset changes of a zone since 1970 are a week apart, so a
 * probe cannot skip a pair.
 */
const probeMs = 2 ** 28;
const maxCachedWindows = 512;
const maxCachedZones = 1_024;

/** `offsets[i]`, in seconds, applies from `starts[i]` to the next start. */
interface OffsetWindow {
  starts: number[];
  offsets: number[];
}
interface Zone {
  format: Intl.DateTimeFormat;
  windows: BoundedCache<number, OffsetWindow>;
}

const zones = new BoundedCache<string, Zone>(maxCachedZones);

const getZone = (name: string): Zone => zones.getOrCreate(name, createZone);
const createZone = (name: string): Zone => ({
  format: new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' }),
  windows: new BoundedCache(maxCachedWindows),
});

const offsetPattern = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

function readIntlOffset(format: Intl.DateTimeFormat, ms: number): number {
  const text = format.format(ms);
  const match = offsetPattern.exec(text);
  if (match === null) throw new Error(`cannot parse the zone offset in ${JSON.stringify(text)}`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = match;
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}

/** The first second after `from` at which the offset is no longer `before`. */
function findOffsetChange(format: Intl.DateTimeFormat, from: number, to: number, before: number): number {
  let low = Math.floor(from / 1000);
  let high = Math.ceil(to / 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (readIntlOffset(format, middle * 1000) === before) low = middle;
    else high = middle;
  }
  return high * 1000;
}

function scanOffsets(format: Intl.DateTimeFormat, from: number): OffsetWindow {
  let before = readIntlOffset(format, from);
  const window: OffsetWindow = { starts: [from], offsets: [before] };
  for (let at = from; at < from + windowMs; at += probeMs) {
    const after = readIntlOffset(format, at + probeMs);
    if (after === before) continue;
    const change = findOffsetChange(format, at, at + probeMs, before);
    if (change < from + windowMs) {
      window.starts.push(change);
      window.offsets.push(after);
    }
    before = after;
  }
  return window;
}

const getOffsetWindow = ({ format, windows }: Zone, number: number): OffsetWindow =>
  windows.getOrCreate(number, () => scanOffsets(format, number * windowMs));

/** Whole seconds east of UTC: before 1972 a few zones were not on whole minutes. */
export function zoneOffsetSeconds(zone: string, ms: number): number {
  const { starts, offsets } = getOffsetWindow(getZone(zone), Math.floor(ms / windowMs));
  let at = starts.length - 1;
  while (at > 0 && ms < (starts[at] ?? 0)) at--;
  return offsets[at] ?? 0;
}

export function zoneOffsetMinutes(zone: string, ms: number): number {
  return Math.round(zoneOffsetSeconds(zone, ms) / 60);
}

/** Larger than any UTC offset that was ever in use. */
const maxOffsetMs = 26 * 3_600_000;

/**
 * The first instant at which the zone's local time has reached `localMs`, a local time written as
 * if it were UTC.
 */
export function findFirstInstant(zone: string, localMs: number): number {
  const zoneEntry = getZone(zone);
  const last = Math.floor((localMs + maxOffsetMs) / windowMs);
  for (let number = Math.floor((localMs - maxOffsetMs) / windowMs); number <= last; number++) {
    const { starts, offsets } = getOffsetWindow(zoneEntry, number);
    for (let at = 0; at < starts.length; at++) {
      const until = starts[at + 1] ?? (number + 1) * windowMs;
      const instant = Math.max(starts[at] ?? 0, localMs - (offsets[at] ?? 0) * 1000);
      if (instant < until) return instant;
    }
  }
  throw new RangeError(`no instant in ${zone} reaches ${localMs}`);
}
