// Nights, what was measured in them, and the heart rate of whole days: all in local clock times, which the nights' offsets place.
import { sumOf } from '../../model/arithmetic.ts';
import { addDays, utcDay } from '../../model/local-day.ts';
import type { DaysAsked } from '../days-asked.ts';
import { type Gathering, isHeartRate, type Maybe, minutesOf, zeroIsNone } from '../gathering.ts';
import { lastOfEach, type ReadItem } from '../read-items.ts';
import { clockAround, type LocalClock, nextAfter, timeOfDay } from './clock.ts';
import type { PolarHeartRateDay, PolarNight, PolarRecharge } from './items.ts';

export interface Nights {
  nights: readonly ReadItem<PolarNight>[];
  recharges: readonly ReadItem<PolarRecharge>[];
  heartRates: readonly ReadItem<PolarHeartRateDay>[];
  zone: string | null;
  days: DaysAsked;
}

const hourMs = 3_600_000;

export function gatherPolarNights(gathering: Gathering, told: Nights): void {
  const nights = lastOfEach(told.nights, ({ date }) => date);
  const byDate = new Map(nights.map((night) => [night.item.date, night.item]));
  const clockOf = (date: string): LocalClock => clockAround(byDate.get(date)?.times, told.zone);

  const beats = gatherHeartRates(gathering, told, clockOf);
  for (const { path, item } of nights) {
    if (told.days.holds(item.date)) gatherNight(gathering, path, item);
    // The heart rate of the day has the night's in it, where it is told at all.
    const { startMs, endMs } = item.times;
    if (!beats.some((ms) => ms >= startMs && ms <= endMs))
      gatherClocked(gathering, `${path}.heart_rate_samples`, 'heart_rate', item.heart_rate_samples, {
        date: item.date,
        night: item,
        clock: clockOf(item.date),
        days: told.days,
      });
  }
  for (const { path, item } of lastOfEach(told.recharges, ({ date }) => date)) {
    if (told.days.holds(item.date)) gatherRecharge(gathering, path, item);
    gatherClocked(gathering, `${path}.hrv_samples`, 'heart_rate_variability_rmssd', item.hrv_samples, {
      date: item.date,
      night: byDate.get(item.date),
      clock: clockOf(item.date),
      days: told.days,
    });
  }
}

/** Polar has one night a date, and keeps the date when somebody moves its start. */
function gatherNight(gathering: Gathering, path: string, night: PolarNight): void {
  const { startMs, endMs, startOffset, endOffset } = night.times;
  const staged = [night.light_sleep, night.deep_sleep, night.rem_sleep];
  // A short night, and a watch that tells no stages, have zeros for them.
  const isStaged = staged.some(Boolean);
  const stage = (seconds: Maybe): number | null => (isStaged ? minutesOf(seconds) : null);
  gathering.sleep(path, {
    sourceId: night.date,
    date: night.date,
    startMs,
    endMs,
    offsetMinutes: endOffset ?? startOffset,
    asleepMinutes: minutesOf(actualSleepSeconds(night)),
    lightMinutes: stage(night.light_sleep),
    deepMinutes: stage(night.deep_sleep),
    remMinutes: stage(night.rem_sleep),
    awakeMinutes: minutesOf(night.total_interruption_duration),
    inBedMinutes: (endMs - startMs) / 60_000,
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

function gatherRecharge(gathering: Gathering, path: string, recharge: PolarRecharge): void {
  const { date } = recharge;
  gathering.daily(`${path}.heart_rate_avg`, 'sleep_heart_rate', date, zeroIsNone(recharge.heart_rate_avg));
  const variability = zeroIsNone(recharge.heart_rate_variability_avg);
  gathering.daily(`${path}.heart_rate_variability_avg`, 'sleep_heart_rate_variability', date, variability);
  gathering.daily(
    `${path}.breathing_rate_avg`,
    'sleep_respiratory_rate',
    date,
    zeroIsNone(recharge.breathing_rate_avg),
  );
}

/** The instants of all of them, those of other days too. The day's lowest is stated with it. */
function gatherHeartRates(gathering: Gathering, told: Nights, clockOf: (date: string) => LocalClock): number[] {
  return lastOfEach(told.heartRates, ({ date }) => date).flatMap(({ path, item }) => {
    const { date } = item;
    const clock = clockOf(date);
    const beats = (item.heart_rate_samples ?? []).flatMap(({ heart_rate, sample_time }, at) => {
      const ofDay = timeOfDay(sample_time ?? '');
      return ofDay === undefined || !heart_rate
        ? []
        : [{ at, startMs: clock.instant(Date.parse(date) + ofDay), bpm: heart_rate }];
    });
    if (told.days.holds(date)) {
      for (const { at, startMs, bpm } of beats) {
        const span = { startMs, offsetMinutes: clock.offsetAt(startMs) };
        gathering.sample(`${path}.heart_rate_samples.${at}`, 'heart_rate', span, bpm);
      }
      const good = beats.filter(({ bpm }) => isHeartRate(bpm)).toSorted((a, b) => a.bpm - b.bpm);
      const [lowest] = good;
      const highest = good.at(-1);
      gathering.daily(path, 'min_heart_rate', date, lowest?.bpm);
      // A sample, since workouts have samples of it too, and may arrive before or after.
      if (highest) {
        const span = { startMs: highest.startMs, offsetMinutes: clock.offsetAt(highest.startMs) };
        gathering.sample(`${path}.heart_rate_samples.${highest.at}`, 'max_heart_rate', span, highest.bpm);
      }
    }
    return beats.map(({ startMs }) => startMs);
  });
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
    const localMs = nextAfter(earliest, ofDay);
    if (!days.holds(utcDay(localMs))) continue;
    const startMs = clock.instant(localMs);
    gathering.sample(`${path}.${time}`, metric, { startMs, offsetMinutes: clock.offsetAt(startMs) }, value);
  }
}

const localStart = ({ times }: PolarNight): number => times.startMs + (times.startOffset ?? 0) * 60_000;
