// Polar's nights, the values measured during them, and the heart rate of whole days. All times are
// local clock times, which the offsets of the nights convert.
import { sumOf } from '../../platform/arithmetic.ts';
import { addDays } from '../../platform/time/local-day.ts';
import { addHeartRateExtremes, type HeartRateReading } from '../kit/heart-rate-extremes.ts';
import { keepLastPerKey, type ReadItem } from '../kit/read-items.ts';
import {
  type NightValue,
  type OptionalNumber,
  type RecordBuilder,
  secondsToMinutes,
  zeroToNull,
} from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { clockForNight, type LocalClock, nextLocalTime, parseTimeOfDay } from './clock.ts';
import { readPolarStages } from './hypnogram.ts';
import type { PolarHeartRateDay, PolarNight, PolarRecharge, PolarSkinNight } from './items.ts';

/** A list in a response; `isComplete` is true if everything in it could be read. */
export interface PolarList<Item> {
  items: readonly ReadItem<Item>[];
  hasResponse: boolean;
  isComplete: boolean;
}

export interface PolarNightLists {
  nights: PolarList<PolarNight>;
  recharges: PolarList<PolarRecharge>;
  skin: PolarList<PolarSkinNight>;
  heartRates: PolarList<PolarHeartRateDay>;
  /** The first date that all lists still contain, as far as they are complete. */
  listedFrom: string;
  zone: string | null;
  days: RequestedDays;
}

const hourMs = 3_600_000;

export function addPolarNights(builder: RecordBuilder, lists: PolarNightLists): void {
  const { days } = lists;
  const nights = keepLastPerKey(lists.nights.items, ({ date }) => date);
  const byDate = new Map(nights.map((night) => [night.item.date, night.item]));
  const recharges = keepLastPerKey(lists.recharges.items, ({ date }) => date);
  const clockOf = (date: string): LocalClock => clockForNight(byDate.get(date)?.times, lists.zone);

  const readings = addHeartRates(builder, lists, clockOf);
  const values = indexValuesByDate(lists, recharges);
  for (const { path, item } of nights) {
    const { startMs, endMs } = item.times;
    if (days.includesInstant(endMs)) addNight(builder, path, item, values.of(item.date), clockOf(item.date));
    // The heart rate of the day, if it is reported, includes that of the night.
    if (!readings.some((ms) => ms >= startMs && ms <= endMs))
      addClockSamples(builder, `${path}.heart_rate_samples`, 'heart_rate', item.heart_rate_samples, {
        date: item.date,
        night: item,
        clock: clockOf(item.date),
        days,
      });
  }
  // These values belong to a night whose times Polar does not report. If a night could not be read,
  // its earlier version has them already.
  if (lists.nights.isComplete || !lists.nights.hasResponse)
    for (const date of values.dates)
      if (!byDate.has(date) && date >= lists.listedFrom && days.includes(date))
        for (const { path, metric, value } of values.of(date)) builder.addDaily(path, metric, date, value);
  for (const { path, item } of recharges)
    addClockSamples(builder, `${path}.hrv_samples`, 'heart_rate_variability_rmssd', item.hrv_samples, {
      date: item.date,
      night: byDate.get(item.date),
      clock: clockOf(item.date),
      days,
    });
}

/** Polar has one night per date, and the date stays the same when the user moves its start. */
function addNight(
  builder: RecordBuilder,
  path: string,
  night: PolarNight,
  summary: readonly NightValue[],
  clock: LocalClock,
): void {
  const { startMs, endMs, startOffset, endOffset } = night.times;
  const stageSeconds = [night.light_sleep, night.deep_sleep, night.rem_sleep];
  // A short night, and a watch that reports no stages, have zeros for them.
  const hasStages = stageSeconds.some(Boolean);
  const stage = (seconds: OptionalNumber): number | null => (hasStages ? secondsToMinutes(seconds) : null);
  builder.addSleep(path, {
    sourceId: night.date,
    startMs,
    endMs,
    offsetMinutes: endOffset ?? startOffset,
    asleepMinutes: secondsToMinutes(actualSleepSeconds(night)),
    lightMinutes: stage(night.light_sleep),
    deepMinutes: stage(night.deep_sleep),
    remMinutes: stage(night.rem_sleep),
    awakeMinutes: secondsToMinutes(night.total_interruption_duration),
    inBedMinutes: (endMs - startMs) / 60_000,
    summary,
    ...readPolarStages(builder, path, night, clock),
  });
}

/**
 * Polar's own "actual sleep": the time from falling asleep to waking up minus the interruptions.
 * Polar divides it into light, deep, REM and unrecognized sleep.
 */
function actualSleepSeconds(night: PolarNight): number | null {
  const { light_sleep, deep_sleep, rem_sleep, unrecognized_sleep_stage, times } = night;
  const stages = [light_sleep, deep_sleep, rem_sleep, unrecognized_sleep_stage];
  const stagedSeconds = sumOf(stages.filter((each) => typeof each === 'number'));
  if (stagedSeconds > 0) return stagedSeconds;
  const { total_interruption_duration: interrupted } = night;
  const asleep = (times.endMs - times.startMs) / 1000 - (interrupted ?? 0);
  return typeof interrupted === 'number' && asleep > 0 ? asleep : null;
}

/**
 * The values that other lists report for the night of a date. If a list could not be read in full,
 * a value that it lacks is unknown rather than absent.
 */
function indexValuesByDate(
  { recharges, skin, listedFrom }: PolarNightLists,
  listed: readonly ReadItem<PolarRecharge>[],
) {
  const rechargeOn = new Map(listed.map((each) => [each.item.date, each]));
  const skinOn = new Map(skin.items.map((each) => [each.item.sleep_date, each]));
  const valuesOn = (date: string): NightValue[] => {
    const recharge = rechargeOn.get(date);
    const skinReading = skinOn.get(date);
    const isListed = date >= listedFrom;
    return [
      ...(recharge || (recharges.isComplete && isListed) ? rechargeValues(recharge) : []),
      ...(skinReading || (skin.isComplete && isListed) ? skinValues(skinReading) : []),
    ];
  };
  return { dates: new Set([...rechargeOn.keys(), ...skinOn.keys()]), of: valuesOn };
}

function rechargeValues(recharge: ReadItem<PolarRecharge> | undefined): NightValue[] {
  const { path = 'recharge', item } = recharge ?? {};
  const variability = zeroToNull(item?.heart_rate_variability_avg);
  return [
    { path: `${path}.heart_rate_avg`, metric: 'sleep_heart_rate', value: zeroToNull(item?.heart_rate_avg) },
    { path: `${path}.heart_rate_variability_avg`, metric: 'sleep_heart_rate_variability', value: variability },
    {
      path: `${path}.breathing_rate_avg`,
      metric: 'sleep_respiratory_rate',
      value: zeroToNull(item?.breathing_rate_avg),
    },
  ];
}

/** Deviations from a baseline are not temperatures. */
const skinValues = (skin: ReadItem<PolarSkinNight> | undefined): NightValue[] => [
  {
    path: skin?.path ?? 'skin_temperature',
    metric: 'sleep_skin_temperature',
    value: skin?.item.sleep_time_skin_temperature_celsius,
  },
];

/** Returns the instants of all readings, including those of other days. */
function addHeartRates(
  builder: RecordBuilder,
  lists: PolarNightLists,
  clockOf: (date: string) => LocalClock,
): number[] {
  const readings = keepLastPerKey(lists.heartRates.items, ({ date }) => date).flatMap(({ path, item }) => {
    const { date } = item;
    const clock = clockOf(date);
    return (item.heart_rate_samples ?? []).flatMap(({ heart_rate: bpm, sample_time }, at): HeartRateReading[] => {
      const timeOfDayMs = parseTimeOfDay(sample_time ?? '');
      if (timeOfDayMs === undefined || !bpm) return [];
      const startMs = clock.toInstant(Date.parse(date) + timeOfDayMs);
      return [{ path: `${path}.heart_rate_samples.${at}`, startMs, offsetMinutes: clock.offsetAt(startMs), bpm }];
    });
  });
  const inRange = readings.filter(({ startMs }) => lists.days.includesInstant(startMs));
  for (const { path, bpm, ...at } of inRange) builder.addSample(path, 'heart_rate', at, bpm);
  addHeartRateExtremes(builder, inRange);
  return readings.map(({ startMs }) => startMs);
}

interface ClockContext {
  date: string;
  night: PolarNight | undefined;
  clock: LocalClock;
  days: RequestedDays;
}

/**
 * Places times of day within a night: from shortly before it begins, or from the evening before if
 * its times are unknown.
 */
function addClockSamples(
  builder: RecordBuilder,
  path: string,
  metric: 'heart_rate' | 'heart_rate_variability_rmssd',
  samples: PolarNight['heart_rate_samples'],
  { date, night, clock, days }: ClockContext,
): void {
  const earliest = night ? localStart(night) - 2 * hourMs : Date.parse(addDays(date, -1)) + 16 * hourMs;
  for (const [time, value] of Object.entries(samples ?? {})) {
    const timeOfDayMs = parseTimeOfDay(time);
    if (timeOfDayMs === undefined || !value) continue;
    const startMs = clock.toInstant(nextLocalTime(earliest, timeOfDayMs));
    if (!days.includesInstant(startMs)) continue;
    builder.addSample(`${path}.${time}`, metric, { startMs, offsetMinutes: clock.offsetAt(startMs) }, value);
  }
}

const localStart = ({ times }: PolarNight): number => times.startMs + (times.startOffset ?? 0) * 60_000;
