// What Ultrahuman's days come to.
import { addDays, dateRuns } from '../../model/local-day.ts';
import type { MetricId } from '../../model/metrics.ts';
import { dayOf } from '../day-of.ts';
import { type DaysAsked, daysAsked } from '../days-asked.ts';
import { Gathering, isHeartRate, zeroIsNone } from '../gathering.ts';
import type { Normalizer } from '../normalizer.ts';
import { pagesIn } from '../pages.ts';
import { readItems } from '../read-items.ts';
import { type UltrahumanDay, ultrahumanDays } from './days.ts';
import { UltrahumanReading } from './items.ts';
import { averageVariability, gatherUltrahumanNight, type UltrahumanNight } from './nights.ts';

/** Of which there are readings. */
const series = [
  ['hr', 'heart_rate'],
  ['hrv', 'heart_rate_variability_rmssd'],
  ['temp', 'skin_temperature'],
  ['glucose', 'blood_glucose'],
  ['steps', 'steps'],
] as const satisfies [string, MetricId][];

const statedMetrics = [
  'steps',
  'exercise',
  'min_heart_rate',
  'max_heart_rate',
  'resting_heart_rate',
  'blood_oxygen',
  'vo2_max',
  'sleep_heart_rate',
  'sleep_heart_rate_variability',
  'sleep_efficiency',
  'sleep_blood_oxygen',
  'sleep_skin_temperature',
] as const satisfies MetricId[];

export const normalizeUltrahuman: Normalizer = (raw, facts) => {
  const { asked, pages } = pagesIn(raw);
  const gathering = new Gathering(facts);
  const days = ultrahumanDays(gathering, pages, facts.timeZone);
  const wanted = daysAsked(asked, facts.timeZone);
  const nights = nightsIn(days);

  gatherSeries(gathering, days, wanted);
  for (const night of nights.values()) if (wanted.holds(night.date)) gatherUltrahumanNight(gathering, night);
  for (const day of days) if (wanted.holds(day.date)) gatherStated(gathering, day, nights.get(day.date));

  const answered = new Set(days.map(({ date }) => date));
  // A night may be told with the day before.
  const known = [...answered].filter((date) => wanted.holds(date) && answered.has(addDays(date, -1)));
  if (asked)
    for (const { from, to } of dateRuns(known))
      gathering.covers({ from, to, sleep: true, daily: statedMetrics, samples: series.map(([, metric]) => metric) });
  return gathering.result;
};

/** Zeros say when nobody walked, and of all other metrics that nothing was measured. */
function gatherSeries(gathering: Gathering, days: readonly UltrahumanDay[], { dateOf, holds }: DaysAsked): void {
  const extremes = new Map<string, { min: number; max: number }>();
  for (const day of days)
    for (const [type, metric] of series) {
      const values = day.objects[type]?.values;
      for (const { path, item } of readItems(gathering, `metrics.${day.date}.${type}`, values, UltrahumanReading)) {
        const startMs = item.timestamp * 1000;
        const offsetMinutes = day.offsetAt(startMs);
        const date = dateOf(startMs, offsetMinutes);
        const { value } = item;
        if (!holds(date) || !value) continue;
        gathering.sample(path, metric, { startMs, offsetMinutes }, value);
        if (metric !== 'heart_rate' || !isHeartRate(value)) continue;
        const { min, max } = extremes.get(date) ?? { min: value, max: value };
        extremes.set(date, { min: Math.min(min, value), max: Math.max(max, value) });
      }
    }
  for (const [date, { min, max }] of extremes) {
    gathering.daily(`metrics.${date}.hr`, 'min_heart_rate', date, min);
    gathering.daily(`metrics.${date}.hr`, 'max_heart_rate', date, max);
  }
}

function gatherStated(gathering: Gathering, day: UltrahumanDay, night: UltrahumanNight | undefined): void {
  const { date, objects } = day;
  const say = (type: string, metric: MetricId, value: number | null | undefined) =>
    gathering.daily(`metrics.${date}.${type}`, metric, date, value);
  say('steps', 'steps', objects.steps?.total);
  say('active_minutes', 'exercise', objects.active_minutes?.value);
  say('sleep_rhr', 'resting_heart_rate', zeroIsNone(objects.sleep_rhr?.value) ?? zeroIsNone(objects.night_rhr?.avg));
  say('spo2', 'blood_oxygen', zeroIsNone(objects.spo2?.avg));
  say('vo2_max', 'vo2_max', zeroIsNone(objects.vo2_max?.value));
  const asleep = zeroIsNone(objects.avg_sleep_hrv?.value) ?? (night && averageVariability(night.sleep));
  say('avg_sleep_hrv', 'sleep_heart_rate_variability', asleep);
  const warm =
    zeroIsNone(objects.average_body_temperature?.value) ?? zeroIsNone(night?.sleep.average_body_temperature?.celsius);
  say('average_body_temperature', 'sleep_skin_temperature', warm);
}

/** By the day each ends on; one that two days tell of is one. */
function nightsIn(days: readonly UltrahumanDay[]): Map<string, UltrahumanNight> {
  const nights = new Map<string, UltrahumanNight>();
  for (const day of days) {
    const { date: told, sleep } = day;
    const { bedtime_start: start, bedtime_end: end } = sleep ?? {};
    if (!sleep || !start || !end) continue;
    const endMs = end * 1000;
    const offsetMinutes = day.offsetAt(endMs);
    const date = offsetMinutes === null ? told : dayOf(endMs, offsetMinutes, null);
    nights.set(date, { path: `metrics.${told}.sleep`, sleep, startMs: start * 1000, endMs, offsetMinutes, date });
  }
  return nights;
}
