// What a watch measured during the day: an object of moments, each with what there was.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { datesInRange, dayBounds } from '../../platform/time/local-day.ts';
import type { DaysAsked } from '../kit/days-asked.ts';
import { type Gathering, zeroIsNone } from '../kit/gathering.ts';
import type { DayWindow, VendorPage } from '../kit/pages.ts';
import { withingsBodies, withingsNumber } from './items.ts';

const Moment = z.looseObject({
  heart_rate: withingsNumber,
  spo2_auto: withingsNumber,
  rmssd: withingsNumber,
  sdnn1: withingsNumber,
});

export const withingsIntradayMetrics = [
  'heart_rate',
  'blood_oxygen',
  'heart_rate_variability_rmssd',
  'heart_rate_variability',
] as const satisfies MetricId[];

export function gatherWithingsIntraday(gathering: Gathering, pages: readonly VendorPage[], days: DaysAsked): void {
  const moments = new Map<number, { path: string; given: unknown }>();
  // Nothing at all is written as a list.
  for (const { path, body } of withingsBodies(pages, 'intraday'))
    for (const [seconds, given] of Object.entries(body.series ?? {}))
      moments.set(Number(seconds), { path: `${path}.series.${seconds}`, given });
  for (const [seconds, { path, given }] of moments) {
    const read = Moment.safeParse(given);
    if (!read.success || !Number.isInteger(seconds)) {
      gathering.reject(path, 'invalid_record', 'A moment has a time and what was measured at it.');
      continue;
    }
    const at = { startMs: seconds * 1000 };
    if (!days.holdsInstant(at.startMs)) continue;
    const { heart_rate, spo2_auto, rmssd, sdnn1 } = read.data;
    const oxygen = zeroIsNone(spo2_auto);
    gathering.sample(`${path}.heart_rate`, 'heart_rate', at, zeroIsNone(heart_rate));
    gathering.sample(`${path}.spo2_auto`, 'blood_oxygen', at, oxygen, (oxygen ?? 0) <= 1 ? 'fraction' : '%');
    gathering.sample(`${path}.rmssd`, 'heart_rate_variability_rmssd', at, zeroIsNone(rmssd));
    gathering.sample(`${path}.sdnn1`, 'heart_rate_variability', at, zeroIsNone(sdnn1));
  }
}

/** The days whose every hour was asked for: in the person's zone a day has hours of a UTC day beside it. */
export function intradayWindow(
  pages: readonly VendorPage[],
  asked: DayWindow,
  zone: string | null,
): DayWindow | undefined {
  const first = withingsBodies(pages, 'intraday')
    .flatMap(({ of }) => of ?? [])
    .sort()[0];
  if (first === undefined) return undefined;
  const firstMs = Date.parse(first);
  const from = datesInRange(asked.from, asked.to).find((date) => dayBounds(date, zone).startMs >= firstMs);
  return from === undefined ? undefined : { from, to: asked.to };
}
