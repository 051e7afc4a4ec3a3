// What a time zone's clocks show at an instant. Intl knows but is slow, so each zone's offsets are found once per stretch of time and kept.
import { BoundedCache } from '../bounded-cache.ts';

/** About half a year; a power of two keeps the arithmetic exact. */
const stretchMs = 2 ** 34;
/** About three days. The closest two changes of one zone since 1970 lie a week apart, so a probe cannot step over a pair. */
const probeMs = 2 ** 28;
const mostStretches = 512;
const mostZones = 1_024;

/** `offsets[i]` seconds hold from `starts[i]` to the next start. */
interface OffsetSpan {
  starts: number[];
  offsets: number[];
}
interface Zone {
  format: Intl.DateTimeFormat;
  stretches: BoundedCache<number, OffsetSpan>;
}

const zones = new BoundedCache<string, Zone>(mostZones);

const zoneNamed = (name: string): Zone => zones.getOrMake(name, openZone);
const openZone = (name: string): Zone => ({
  format: new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' }),
  stretches: new BoundedCache(mostStretches),
});

const offsetText = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

function askIntl(format: Intl.DateTimeFormat, ms: number): number {
  const text = format.format(ms);
  const found = offsetText.exec(text);
  if (found === null) throw new Error(`cannot read the zone offset in ${JSON.stringify(text)}`);
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = found;
  const size = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}

/** The first second after `from` at which the offset is no longer the one before. */
function changeBetween(format: Intl.DateTimeFormat, from: number, to: number, before: number): number {
  let low = Math.floor(from / 1000);
  let high = Math.ceil(to / 1000);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (askIntl(format, middle * 1000) === before) low = middle;
    else high = middle;
  }
  return high * 1000;
}

function survey(format: Intl.DateTimeFormat, from: number): OffsetSpan {
  let before = askIntl(format, from);
  const stretch: OffsetSpan = { starts: [from], offsets: [before] };
  for (let at = from; at < from + stretchMs; at += probeMs) {
    const after = askIntl(format, at + probeMs);
    if (after === before) continue;
    const change = changeBetween(format, at, at + probeMs, before);
    if (change < from + stretchMs) {
      stretch.starts.push(change);
      stretch.offsets.push(after);
    }
    before = after;
  }
  return stretch;
}

const stretchAt = ({ format, stretches }: Zone, number: number): OffsetSpan =>
  stretches.getOrMake(number, () => survey(format, number * stretchMs));

/** Whole seconds east of UTC: before 1972 a few zones were not on whole minutes. */
export function zoneOffsetSeconds(zone: string, ms: number): number {
  const { starts, offsets } = stretchAt(zoneNamed(zone), Math.floor(ms / stretchMs));
  let at = starts.length - 1;
  while (at > 0 && ms < (starts[at] ?? 0)) at--;
  return offsets[at] ?? 0;
}

export function zoneOffsetMinutes(zone: string, ms: number): number {
  return Math.round(zoneOffsetSeconds(zone, ms) / 60);
}

/** More than any clock has ever been away from UTC. */
const farthestMs = 26 * 3_600_000;

/** The first instant at which the zone's calendar and clock have reached `localMs`, a local time written as if it were UTC. */
export function firstInstantAt(zone: string, localMs: number): number {
  const known = zoneNamed(zone);
  const last = Math.floor((localMs + farthestMs) / stretchMs);
  for (let number = Math.floor((localMs - farthestMs) / stretchMs); number <= last; number++) {
    const { starts, offsets } = stretchAt(known, number);
    for (let at = 0; at < starts.length; at++) {
      const until = starts[at + 1] ?? (number + 1) * stretchMs;
      const instant = Math.max(starts[at] ?? 0, localMs - (offsets[at] ?? 0) * 1000);
      if (instant < until) return instant;
    }
  }
  throw new RangeError(`no instant in ${zone} reaches ${localMs}`);
}
