// What a watch measured during the day: an object of moments, each with its values.
import * as z from 'zod';
import type { MetricId } from '../../catalog/metrics.ts';
import { datesInRange, dayBounds } from '../../platform/time/local-day.ts';
import type { DayWindow, ProviderPage } from '../kit/provider-pages.ts';
import { type RecordBuilder, zeroToNull } from '../kit/record-builder.ts';
import type { RequestedDays } from '../kit/requested-days.ts';
import { readWithingsBodies, withingsNumber } from './items.ts';

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

export function addWithingsIntraday(builder: RecordBuilder, pages: readonly ProviderPage[], days: RequestedDays): void {
  const moments = new Map<number, { path: string; value: unknown }>();
  // If there is no data, `series` is an empty list.
  for (const { path, body } of readWithingsBodies(pages, 'intraday'))
    for (const [seconds, value] of Object.entries(body.series ?? {}))
      moments.set(Number(seconds), { path: `${path}.series.${seconds}`, value });
  for (const [seconds, { path, value }] of moments) {
    const parsed = Moment.safeParse(value);
    if (!parsed.success || !Number.isInteger(seconds)) {
      builder.reject(path, 'invalid_record', 'A moment must have a time and measured values.');
      continue;
    }
    const at = { startMs: seconds * 1000 };
    if (!days.includesInstant(at.startMs)) continue;
    const { heart_rate, spo2_auto, rmssd, sdnn1 } = parsed.data;
    const oxygen = zeroToNull(spo2_auto);
    builder.addSample(`${path}.heart_rate`, 'heart_rate', at, zeroToNull(heart_rate));
    builder.addSample(`${path}.spo2_auto`, 'blood_oxygen', at, oxygen, (oxygen ?? 0) <= 1 ? 'fraction' : '%');
    builder.addSample(`${path}.rmssd`, 'heart_rate_variability_rmssd', at, zeroToNull(rmssd));
    builder.addSample(`${path}.sdnn1`, 'heart_rate_variability', at, zeroToNull(sdnn1));
  }
}

/**
 * The days of which every hour was requested. A day in the user's zone includes hours of an
 * adjacent UTC day.
 */
export function findIntradayWindow(
  pages: readonly ProviderPage[],
  requested: DayWindow,
  zone: string | null,
): DayWindow | undefined {
  const first = readWithingsBodies(pages, 'intraday')
    .flatMap(({ parameter }) => parameter ?? [])
    .sort()[0];
  if (first === undefined) return undefined;
  const firstMs = Date.parse(first);
  const from = datesInRange(requested.from, requested.to).find((date) => dayBounds(date, zone).startMs >= firstMs);
  return from === undefined ? undefined : { from, to: requested.to };
}
