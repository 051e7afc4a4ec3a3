// What Ultrahuman's days come to.

import type { MetricId } from '../../catalog/metrics.ts';
import { dateRuns, datesInRange } from '../../platform/time/local-day.ts';
import { type DaysAsked, datesOfVendor, daysAsked, lastDateBegun } from '../kit/days-asked.ts';
import { Gathering, zeroIsNone } from '../kit/gathering.ts';
import { gatherExtremes, type HeartBeat, heartRateExtremes } from '../kit/heart-rate-extremes.ts';
import type { Normalizer } from '../kit/normalizer.ts';
import { pagesIn } from '../kit/pages.ts';
import { readItems } from '../kit/read-items.ts';
import { type UltrahumanDay, ultrahumanDays } from './days.ts';
import { UltrahumanReading } from './items.ts';
import { gatherUltrahumanNight, summaryOfNight, ultrahumanNight, ultrahumanNights } from './nights.ts';

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
  'blood_oxygen',
  'vo2_max',
  // Of days that tell no sleep.
  'resting_heart_rate',
  'sleep_heart_rate_variability',
  'sleep_skin_temperature',
] as const satisfies MetricId[];

export const normalizeUltrahuman: Normalizer = (raw, facts) => {
  const { asked, pages } = pagesIn(raw);
  const gathering = new Gathering(facts);
  const days = ultrahumanDays(gathering, pages, facts.timeZone);
  const wanted = daysAsked(asked, facts.timeZone);

  gatherSeries(gathering, days, wanted);
  for (const night of ultrahumanNights(days))
    if (wanted.holdsInstant(night.endMs)) gatherUltrahumanNight(gathering, night);
  for (const day of days) if (wanted.holds(day.date)) gatherStated(gathering, day);

  if (!asked) return gathering.result;
  const answered = new Set(days.map(({ date }) => date));
  const begun = lastDateBegun(facts.receivedMs);
  for (const { from, to } of dateRuns(
    datesInRange(asked.from, asked.to).filter((date) => {
      const dates = datesOfVendor({ from: date, to: date }, facts.timeZone);
      return datesInRange(dates.from, dates.to).every((each) => answered.has(each) || each > begun);
    }),
  ))
    gathering.covers({
      from,
      to,
      sleep: true,
      daily: statedMetrics,
      samples: [...series.map(([, metric]) => metric), ...heartRateExtremes],
    });
  return gathering.result;
};

/** Zeros say when nobody walked, and of all other metrics that nothing was measured. */
function gatherSeries(gathering: Gathering, days: readonly UltrahumanDay[], { holdsInstant }: DaysAsked): void {
  const beats: HeartBeat[] = [];
  for (const day of days)
    for (const [type, metric] of series) {
      const values = day.objects[type]?.values;
      for (const { path, item } of readItems(gathering, `metrics.${day.date}.${type}`, values, UltrahumanReading)) {
        const startMs = item.timestamp * 1000;
        const { value } = item;
        if (!holdsInstant(startMs) || !value) continue;
        const offsetMinutes = day.offsetAt(startMs);
        gathering.sample(path, metric, { startMs, offsetMinutes }, value);
        if (metric === 'heart_rate') beats.push({ path, startMs, offsetMinutes, bpm: value });
      }
    }
  gatherExtremes(gathering, beats);
}

function gatherStated(gathering: Gathering, day: UltrahumanDay): void {
  const { date, objects } = day;
  const say = (type: string, metric: MetricId, value: number | null | undefined) =>
    gathering.daily(`metrics.${date}.${type}`, metric, date, value);
  say('steps', 'steps', objects.steps?.total);
  say('active_minutes', 'exercise', objects.active_minutes?.value);
  say('spo2', 'blood_oxygen', zeroIsNone(objects.spo2?.avg));
  say('vo2_max', 'vo2_max', zeroIsNone(objects.vo2_max?.value));
  if (!ultrahumanNight(day))
    for (const { path, metric, value } of summaryOfNight(day)) gathering.daily(path, metric, date, value);
}
