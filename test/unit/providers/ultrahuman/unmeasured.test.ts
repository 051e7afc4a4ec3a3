// Values that Ultrahuman sends when nothing was measured.
import { expect, test } from 'vitest';
import type { ProviderPage } from '../../../../shared/providers/kit/provider-pages.ts';
import { nightSummaries, normalizePages } from '../../../harness/request-flow.ts';
import { live, midnight, sleepObject } from './days.ts';

const requestedDays = { from: '2026-03-05', to: '2026-03-05' };
const page = (parameter: string, text: string): ProviderPage => ({ resource: 'metrics', text, parameter });
const read = (objects: Readonly<Record<string, object>>) =>
  normalizePages(
    'ultrahuman',
    [
      page('2026-03-04', live([])),
      page('2026-03-05', live(Object.entries(objects).map(([type, object]) => ({ type, object })))),
    ],
    { requested: requestedDays, timeZone: 'Europe/Berlin' },
  );
const day = { day_start_timestamp: midnight };

test('stages of zero count as missing, and the total next to them is the sleep', () => {
  const unstaged = sleepObject.sleep_stages.map((stage) => ({ ...stage, stage_time: 0 }));
  const { records } = read({ hr: day, Sleep: { ...sleepObject, sleep_stages: unstaged } });
  expect(records.sleep).toMatchObject([
    {
      ...{ asleepMinutes: 408, deepMinutes: null, lightMinutes: null, remMinutes: null },
      ...{ awakeMinutes: null, inBedMinutes: 440 },
    },
  ]);
});

test('a night without measurements has only its times', () => {
  const zero = { value: 0 };
  const noMinutes = { total_sleep: { minutes: 0 }, time_in_bed: { minutes: 0 } };
  const quick_metrics = sleepObject.quick_metrics.map((each) => ({ ...each, ...zero }));
  const { records, rejected } = read({
    hr: day,
    Sleep: { ...sleepObject, quick_metrics, sleep_stages: [], spo2: zero, ...noMinutes },
  });
  expect(records.sleep).toMatchObject([{ asleepMinutes: null, awakeMinutes: null, inBedMinutes: null }]);
  expect(records.daily).toEqual([]);
  expect(new Set(Object.values(nightSummaries(records)[0] ?? {}))).toEqual(new Set([null]));
  expect(rejected.count).toBe(0);
});

test('a zero does not hide another field for the same value', () => {
  const { records } = read({
    sleep_rhr: { ...day, value: 0 },
    night_rhr: { avg: 51 },
    avg_sleep_hrv: { value: 0 },
    average_body_temperature: { value: 0 },
    Sleep: { ...sleepObject, average_body_temperature: { celsius: 36.4 } },
  });
  expect(nightSummaries(records)).toMatchObject([
    { resting_heart_rate: 51, sleep_heart_rate_variability: 48, sleep_skin_temperature: 36.4 },
  ]);
});

test('zeros and a heart rate of 255 are skipped among readings and extremes', () => {
  const at = (value: number, minute: number) => ({ value, timestamp: midnight + 60 * minute });
  const { records, rejected } = read({
    hr: { ...day, values: [at(0, 1), at(58, 2), at(255, 3), at(121, 4)] },
    hrv: { values: [at(0, 1)] },
    temp: { values: [at(0, 1)] },
    glucose: { values: [at(0, 1)] },
    spo2: { avg: 0 },
    vo2_max: { value: 0 },
  });
  expect(records.samples.map(({ metric, value }) => [metric, value])).toEqual([
    ['heart_rate', 58],
    ['heart_rate', 121],
    ['min_heart_rate', 58],
    ['max_heart_rate', 121],
  ]);
  expect(records.daily).toEqual([]);
  expect(rejected.count).toBe(0);
});
