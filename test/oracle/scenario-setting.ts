// Where and when a scenario takes place, and with which devices.
import type { DayRule } from './days.ts';
import type { Random } from './random.ts';
import type { DeviceType } from './rules.ts';
import type { Provider } from './scenario.ts';
import { makeMoves, pickDayRule, type Trip } from './scenario-travel.ts';
import { addDays, type Clock, dayBounds, offsetMinutesAt } from './zone-clock.ts';

/** A device as its owner sees it: its phone's time zone, and how it formats times. */
export interface Gadget {
  provider: Provider;
  model: string;
  type: DeviceType;
  phoneZone: string;
  habit: 'zulu' | 'numeric' | 'field' | 'mixed';
  /** The zone of the offsets that its records carry, if they carry any. */
  offsetZone: string;
  trip: Trip | null;
}
export interface ScenarioSetting {
  random: Random;
  timezone: string | null;
  rule: DayRule | undefined;
  /** The clock by which the days of this scenario are laid out. */
  home: Clock;
  moves: (string | null)[];
  dates: string[];
  gadgets: Gadget[];
  /** Instants at which samples of several devices tend to begin and end. */
  anchors: number[];
}

export const hourMs = 3_600_000;

const ordinaryDays = ['2025-06-15', '2024-12-30', '2024-02-28', '2025-08-31'];
type Zone = [weight: number, zone: string, days: string[]];
/** Zones whose clocks change at midnight: a day begins at 01:00, or its last hour occurs twice. */
const zonesChangingAtMidnight: Zone[] = [
  [1, 'Africa/Cairo', ['2024-04-26', '2024-10-31', '2025-04-25', '2025-10-31']],
  [1, 'America/Havana', ['2025-03-09', '2025-11-02']],
  [1, 'America/Santiago', ['2025-04-05', '2025-04-06', '2025-09-07']],
  [1, 'Asia/Beirut', ['2025-03-30', '2025-10-25', '2025-10-26']],
  [1, 'America/Asuncion', ['2024-03-23', '2024-03-24', '2023-10-01']],
];
/** Zones with days on which the clocks change, or with ordinary days. */
const zones: Zone[] = [
  [3, 'Europe/Berlin', ['2025-03-30', '2025-10-26']],
  [3, 'America/New_York', ['2025-03-09', '2025-11-02']],
  [2, 'Australia/Lord_Howe', ['2025-04-06', '2025-10-05']],
  [2, 'America/St_Johns', ['2025-03-09', '2025-11-02']],
  ...zonesChangingAtMidnight,
  // A day was skipped here.
  [1, 'Pacific/Apia', ['2011-12-29', '2011-12-31']],
  [1, 'Pacific/Chatham', ['2025-04-06', '2025-09-28']],
  [1, 'Asia/Kolkata', ordinaryDays],
  [1, 'Asia/Kathmandu', ordinaryDays],
  [1, 'Pacific/Kiritimati', ordinaryDays],
  [1, 'Pacific/Pago_Pago', ordinaryDays],
  [1, 'Etc/GMT+12', ordinaryDays],
];
export const zoneNames = zones.map(([, zone]) => zone);

export function makeSetting(random: Random): ScenarioSetting {
  const [, zone, days] = random.weighted(zones.map((row) => [row[0], row] as const));
  // If null, the first phone sets it.
  const timezone = random.chance(0.2) ? null : zone;
  const rule = pickDayRule(random);
  const moves = makeMoves(random, zone, zoneNames);
  const home = { zone };
  const middle = random.chance(0.7) ? random.pick(days) : random.pick(ordinaryDays);
  const first = addDays(middle, -random.int(0, 1));
  const dates = Array.from({ length: random.int(2, 3) }, (_none, at) => addDays(first, at));
  const trip = makeTrip(random, home, dates);
  const gadgets = makeGadgets(random, zone, trip);
  const anchors = Array.from({ length: 6 }, () => {
    const { from, to } = dayBounds(home, random.pick(dates));
    const grid = random.pick([1_000, 60_000, 300_000, 900_000, hourMs]);
    return from + Math.floor(random.between(0, to - from) / grid) * grid;
  });
  return { random, timezone, rule, home, moves, dates, gadgets, anchors };
}

function makeTrip(random: Random, home: Clock, dates: readonly string[]): Trip | null {
  if (!random.chance(0.45)) return null;
  return { from: dayBounds(home, random.pick(dates)).from + random.int(-6, 20) * hourMs, zone: random.pick(zoneNames) };
}

function makeGadgets(random: Random, zone: string, trip: Trip | null): Gadget[] {
  const all: Provider[] = ['apple_health', 'health_connect', 'samsung_health'];
  const providers = random.shuffled(all).slice(
    0,
    random.weighted([
      [4, 1],
      [4, 2],
      [2, 3],
    ] as const),
  );
  const count = Math.max(
    providers.length,
    random.weighted([
      [2, 1],
      [5, 2],
      [3, 3],
      [1, 4],
    ] as const),
  );
  const types: (readonly [number, DeviceType])[] = [
    [4, 'phone'],
    [4, 'wrist'],
    [2, 'ring'],
    [1, 'scale'],
    [1, 'app'],
    [1, 'cgm'],
  ];
  return Array.from({ length: count }, (_none, at) => {
    const elsewhere = random.chance(0.25) ? random.pick(zoneNames) : zone;
    return {
      provider: providers[at] ?? random.pick(providers),
      model: `Model${at + 1}`,
      type: random.weighted(types),
      phoneZone: elsewhere,
      // At least one device reports the trip.
      habit: random.weighted([
        [trip && at === 0 ? 0 : 5, 'zulu'],
        [2, 'numeric'],
        [2, 'field'],
        [1, 'mixed'],
      ] as const),
      offsetZone: random.chance(0.3) ? random.pick(zoneNames) : elsewhere,
      trip: at === 0 || random.chance(0.7) ? trip : null,
    };
  });
}

/** An hour of a local day, in whole seconds. Hours beyond 24 extend into the next day. */
export const instantAtHour = ({ home }: ScenarioSetting, date: string, hour: number): number =>
  dayBounds(home, date).from + Math.round(hour * 3600) * 1000;

/** How a record formats its times: all in the same way, or each in its own. */
export interface TimestampFormat {
  write(ms: number): string;
  utc_offset?: string;
}

export function pickTimestampFormat(random: Random, { habit, offsetZone, trip }: Gadget, at: number): TimestampFormat {
  const style = habit === 'mixed' ? random.pick(['zulu', 'numeric', 'field'] as const) : habit;
  const currentZone = trip && trip.from <= at ? trip.zone : offsetZone;
  const zone = random.chance(0.05) ? random.pick(zoneNames) : currentZone;
  const offset = offsetMinutesAt({ zone }, at);
  if (style === 'zulu') return { write: formatUtc };
  if (style === 'numeric') return { write: (ms) => formatWithOffset(ms, offset) };
  const write = random.chance(0.1) ? (ms: number) => formatWithOffset(ms, 60 * random.int(-11, 13)) : formatUtc;
  return { write, utc_offset: offsetText(offset) };
}

export const formatUtc = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
export const formatWithOffset = (ms: number, offset: number): string =>
  new Date(ms + offset * 60_000).toISOString().replace(/(\.000)?Z$/, offsetText(offset));

export function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}
