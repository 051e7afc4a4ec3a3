// Nights, what was measured in them, and the heart rate of whole days: all in local clock times, which the nights' offsets place.
import { addDays, utcDay } from '../../model/local-day.ts';
import { isPlausible } from '../../model/metrics.ts';
import type { DaysAsked } from '../days-asked.ts';
import { type Gathering, type Maybe, minutesOf } from '../gathering.ts';
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
/** What is stated as 0 was not measured. */
const measured = (value: Maybe): number | null => (value ? value : null);

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
  const stages = [night.light_sleep, night.deep_sleep, night.rem_sleep].filter((each) => typeof each === 'number');
  gathering.sleep(path, {
    sourceId: night.date,
    date: night.date,
    startMs,
    endMs,
    offsetMinutes: endOffset ?? startOffset,
    asleepMinutes: stages.length === 0 ? null : minutesOf(stages.reduce((sum, each) => sum + each, 0)),
    lightMinutes: minutesOf(night.light_sleep),
    deepMinutes: minutesOf(night.deep_sleep),
    remMinutes: minutesOf(night.rem_sleep),
    awakeMinutes: minutesOf(night.total_interruption_duration),
    inBedMinutes: (endMs - startMs) / 60_000,
  });
}

function gatherRecharge(gathering: Gathering, path: string, recharge: PolarRecharge): void {
  const { date } = recharge;
  gathering.daily(`${path}.heart_rate_avg`, 'sleep_heart_rate', date, measured(recharge.heart_rate_avg));
  const variability = measured(recharge.heart_rate_variability_avg);
  gathering.daily(`${path}.heart_rate_variability_avg`, 'sleep_heart_rate_variability', date, variability);
  gathering.daily(`${path}.breathing_rate_avg`, 'sleep_respiratory_rate', date, measured(recharge.breathing_rate_avg));
}

/** The instants of all of them, those of days that were not asked for too. The day's lowest and highest are stated with it. */
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
      const good = beats.map(({ bpm }) => bpm).filter((bpm) => isPlausible('heart_rate', bpm));
      gathering.daily(
        path,
        'min_heart_rate',
        date,
        extreme(good, (a, b) => a < b),
      );
      gathering.daily(
        path,
        'max_heart_rate',
        date,
        extreme(good, (a, b) => a > b),
      );
    }
    return beats.map(({ startMs }) => startMs);
  });
}

/** A day may have more of them than a call has room for. */
const extreme = (values: readonly number[], isBeyond: (a: number, b: number) => boolean): number | null =>
  values.reduce<number | null>((found, each) => (found === null || isBeyond(each, found) ? each : found), null);

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
