// Nights, what was measured in them, and the heart rate of whole days: all in local clock times, which the nights' offsets place.
import { sumOf } from '../../platform/arithmetic.ts';
import { addDays } from '../../platform/time/local-day.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, type Maybe, minutesOf, type NightValue, zeroIsNone } from '../kit/gathering.ts';
import { gatherExtremes, type HeartBeat } from '../kit/heart-rate-extremes.ts';
import { lastOfEach, type ReadItem } from '../kit/read-items.ts';
import { clockAround, type LocalClock, nextAfter, timeOfDay } from './clock.ts';
import type { PolarHeartRateDay, PolarNight, PolarRecharge, PolarSkinNight } from './items.ts';

/** A list that was answered; `isWhole` where everything in it could be read. */
export interface PolarList<Item> {
  items: readonly ReadItem<Item>[];
  isAnswered: boolean;
  isWhole: boolean;
}

export interface Nights {
  nights: PolarList<PolarNight>;
  recharges: PolarList<PolarRecharge>;
  skin: PolarList<PolarSkinNight>;
  heartRates: PolarList<PolarHeartRateDay>;
  /** The first date that all lists still hold, as far as they are whole. */
  listedFrom: string;
  zone: string | null;
  days: DaysAsked;
}

const hourMs = 3_600_000;

export function gatherPolarNights(gathering: Gathering, told: Nights): void {
  const { days } = told;
  const nights = lastOfEach(told.nights.items, ({ date }) => date);
  const byDate = new Map(nights.map((night) => [night.item.date, night.item]));
  const recharges = lastOfEach(told.recharges.items, ({ date }) => date);
  const clockOf = (date: string): LocalClock => clockAround(byDate.get(date)?.times, told.zone);

  const beats = gatherHeartRates(gathering, told, clockOf);
  const values = valuesByDate(told, recharges);
  for (const { path, item } of nights) {
    const { startMs, endMs } = item.times;
    if (days.holdsInstant(endMs)) gatherNight(gathering, path, item, values.of(item.date));
    // The heart rate of the day has the night's in it, where it is told at all.
    if (!beats.some((ms) => ms >= startMs && ms <= endMs))
      gatherClocked(gathering, `${path}.heart_rate_samples`, 'heart_rate', item.heart_rate_samples, {
        date: item.date,
        night: item,
        clock: clockOf(item.date),
        days,
      });
  }
  // Of a night that Polar does not tell the times of; one that could not be read has told it before.
  if (told.nights.isWhole || !told.nights.isAnswered)
    for (const date of values.dates)
      if (!byDate.has(date) && date >= told.listedFrom && days.holds(date))
        for (const { path, metric, value } of values.of(date)) gathering.daily(path, metric, date, value);
  for (const { path, item } of recharges)
    gatherClocked(gathering, `${path}.hrv_samples`, 'heart_rate_variability_rmssd', item.hrv_samples, {
      date: item.date,
      night: byDate.get(item.date),
      clock: clockOf(item.date),
      days,
    });
}

/** Polar has one night a date, and keeps the date when somebody moves its start. */
function gatherNight(gathering: Gathering, path: string, night: PolarNight, summary: readonly NightValue[]): void {
  const { startMs, endMs, startOffset, endOffset } = night.times;
  const staged = [night.light_sleep, night.deep_sleep, night.rem_sleep];
  // A short night, and a watch that tells no stages, have zeros for them.
  const isStaged = staged.some(Boolean);
  const stage = (seconds: Maybe): number | null => (isStaged ? minutesOf(seconds) : null);
  gathering.sleep(path, {
    sourceId: night.date,
    startMs,
    endMs,
    offsetMinutes: endOffset ?? startOffset,
    asleepMinutes: minutesOf(actualSleepSeconds(night)),
    lightMinutes: stage(night.light_sleep),
    deepMinutes: stage(night.deep_sleep),
    remMinutes: stage(night.rem_sleep),
    awakeMinutes: minutesOf(night.total_interruption_duration),
    inBedMinutes: (endMs - startMs) / 60_000,
    summary,
  });
}

/**
 * Polar's own "actual sleep": the time from falling asleep to waking up less the interruptions,
 * which it divides into light, deep, REM and unrecognized sleep.
 */
function actualSleepSeconds(night: PolarNight): number | null {
  const { light_sleep, deep_sleep, rem_sleep, unrecognized_sleep_stage, times } = night;
  const stages = [light_sleep, deep_sleep, rem_sleep, unrecognized_sleep_stage];
  const divided = sumOf(stages.filter((each) => typeof each === 'number'));
  if (divided > 0) return divided;
  const { total_interruption_duration: interrupted } = night;
  const asleep = (times.endMs - times.startMs) / 1000 - (interrupted ?? 0);
  return typeof interrupted === 'number' && asleep > 0 ? asleep : null;
}

/**
 * What other lists tell of the night of a date. What a list lacks that could not be read in full is
 * not known to be none.
 */
function valuesByDate({ recharges, skin, listedFrom }: Nights, listed: readonly ReadItem<PolarRecharge>[]) {
  const rechargeOn = new Map(listed.map((each) => [each.item.date, each]));
  const skinOn = new Map(skin.items.map((each) => [each.item.sleep_date, each]));
  const of = (date: string): NightValue[] => {
    const recharge = rechargeOn.get(date);
    const warmth = skinOn.get(date);
    const isListed = date >= listedFrom;
    return [
      ...(recharge || (recharges.isWhole && isListed) ? rechargeTellings(recharge) : []),
      ...(warmth || (skin.isWhole && isListed) ? skinTellings(warmth) : []),
    ];
  };
  return { dates: new Set([...rechargeOn.keys(), ...skinOn.keys()]), of };
}

function rechargeTellings(recharge: ReadItem<PolarRecharge> | undefined): NightValue[] {
  const { path = 'recharge', item } = recharge ?? {};
  const variability = zeroIsNone(item?.heart_rate_variability_avg);
  return [
    { path: `${path}.heart_rate_avg`, metric: 'sleep_heart_rate', value: zeroIsNone(item?.heart_rate_avg) },
    { path: `${path}.heart_rate_variability_avg`, metric: 'sleep_heart_rate_variability', value: variability },
    {
      path: `${path}.breathing_rate_avg`,
      metric: 'sleep_respiratory_rate',
      value: zeroIsNone(item?.breathing_rate_avg),
    },
  ];
}

/** Deviations from a baseline are no temperatures. */
const skinTellings = (skin: ReadItem<PolarSkinNight> | undefined): NightValue[] => [
  {
    path: skin?.path ?? 'skin_temperature',
    metric: 'sleep_skin_temperature',
    value: skin?.item.sleep_time_skin_temperature_celsius,
  },
];

/** The instants of all of them, those of other days too. */
function gatherHeartRates(gathering: Gathering, told: Nights, clockOf: (date: string) => LocalClock): number[] {
  const beats = lastOfEach(told.heartRates.items, ({ date }) => date).flatMap(({ path, item }) => {
    const { date } = item;
    const clock = clockOf(date);
    return (item.heart_rate_samples ?? []).flatMap(({ heart_rate: bpm, sample_time }, at): HeartBeat[] => {
      const ofDay = timeOfDay(sample_time ?? '');
      if (ofDay === undefined || !bpm) return [];
      const startMs = clock.instant(Date.parse(date) + ofDay);
      return [{ path: `${path}.heart_rate_samples.${at}`, startMs, offsetMinutes: clock.offsetAt(startMs), bpm }];
    });
  });
  const ofDays = beats.filter(({ startMs }) => told.days.holdsInstant(startMs));
  for (const { path, bpm, ...at } of ofDays) gathering.sample(path, 'heart_rate', at, bpm);
  gatherExtremes(gathering, ofDays);
  return beats.map(({ startMs }) => startMs);
}

interface Placed {
  date: string;
  night: PolarNight | undefined;
  clock: LocalClock;
  days: DaysAsked;
}

/** Times of day in a night: from a little before it begins, or from the evening before where it is not known. */
function gatherClocked(
  gathering: Gathering,
  path: string,
  metric: 'heart_rate' | 'heart_rate_variability_rmssd',
  samples: PolarNight['heart_rate_samples'],
  { date, night, clock, days }: Placed,
): void {
  const earliest = night ? localStart(night) - 2 * hourMs : Date.parse(addDays(date, -1)) + 16 * hourMs;
  for (const [time, value] of Object.entries(samples ?? {})) {
    const ofDay = timeOfDay(time);
    if (ofDay === undefined || !value) continue;
    const startMs = clock.instant(nextAfter(earliest, ofDay));
    if (!days.holdsInstant(startMs)) continue;
    gathering.sample(`${path}.${time}`, metric, { startMs, offsetMinutes: clock.offsetAt(startMs) }, value);
  }
}

const localStart = ({ times }: PolarNight): number => times.startMs + (times.startOffset ?? 0) * 60_000;
