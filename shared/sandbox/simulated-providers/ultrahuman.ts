// Ultrahuman as the sandbox plays it: one day a request, each a list of kinds.
import * as z from 'zod';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import type { LifeDay, LifeSleep } from './life.ts';
import { type VendorShapes, vendorJson } from './shapes.ts';

const base = '/api/partners/v1/user_data';

const Told = z.looseObject({ date: z.string(), metric_data: z.array(z.unknown()) });

export const ultrahumanShapes: VendorShapes = {
  tokens: ({ accessToken, refreshToken, expiresInSeconds, scopes }) =>
    vendorJson({
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresInSeconds,
      refresh_token: refreshToken,
      scope: scopes.join(' '),
    }),
  deadToken: () =>
    vendorJson({ error: 'invalid_grant', error_description: 'The grant is invalid, expired or revoked.' }, 401),

  answer({ path, query, account }, items) {
    if (path === `${base}/user_info`) return vendorJson({ data: { user_id: account, email: 'someone@example.com' } });
    if (path !== `${base}/metrics`) return undefined;
    const { date = '' } = query;
    if (!isCalendarDate(date)) return vendorJson({ data: null, error: 'date is not valid', status: 400 }, 400);
    const told = items('metrics', { from: date, to: date }).map((item) => Told.parse(item));
    const metric_data = told.find((each) => each.date === date)?.metric_data ?? [];
    return vendorJson({ data: { metric_data }, error: null, status: 200 });
  },

  /** A date each, with the list that its request is answered with. */
  items: (resource, days) =>
    resource === 'metrics' ? days.map((day) => ({ date: day.date, metric_data: metricsOf(day) })) : [],
};

const seconds = (ms: number): number => Math.floor(ms / 1000);

function metricsOf(day: LifeDay): unknown[] {
  const day_start_timestamp = seconds(day.startMs);
  const metric = (type: string, object: object) => ({ type, object: { day_start_timestamp, ...object } });
  const valued = (type: string, value: number | null) => (value === null ? [] : [metric(type, { value })]);
  const night = day.sleeps.find(({ isNap }) => !isNap);
  const beats = day.heartRate.map(({ ms, bpm }) => ({ value: bpm, timestamp: seconds(ms) }));
  const counts = day.walked.map(({ startMs, steps }) => ({ value: steps, timestamp: seconds(startMs) }));
  const variability = day.variability.map(({ ms, value }) => ({ value, timestamp: seconds(ms) }));
  return [
    ...(beats.length > 0 ? [metric('hr', { title: 'Heart Rate', values: beats, unit: 'BPM' })] : []),
    ...(variability.length > 0 ? [metric('hrv', { values: variability, subtitle: 'Average', avg: day.rmssdMs })] : []),
    ...(day.steps === null ? [] : [metric('steps', { values: counts, total: day.steps, avg: null })]),
    ...valued('active_minutes', day.exerciseMinutes),
    ...valued('sleep_rhr', day.restingBpm),
    ...valued('avg_sleep_hrv', day.rmssdMs),
    ...valued('average_body_temperature', day.skinCelsius),
    ...valued('vo2_max', day.vo2Max),
    ...valued('recovery_index', 71),
    ...(night ? [metric('Sleep', sleepObject(day, night))] : []),
  ];
}

const sleepObject = (day: LifeDay, night: LifeSleep): object => ({
  bedtime_start: seconds(night.startMs),
  bedtime_end: seconds(night.endMs),
  quick_metrics: [
    { title: 'TIME IN BED', type: 'time_in_bed', value: 60 * (night.asleepMinutes + night.awakeMinutes), unit: null },
    { type: 'total_sleep', value: 60 * night.asleepMinutes },
    {
      type: 'sleep_efic',
      value: Math.round((100 * night.asleepMinutes) / (night.asleepMinutes + night.awakeMinutes)),
    },
    { type: 'avg_hr', value: day.sleepBpm },
    { type: 'avg_hrv', value: day.rmssdMs },
  ],
  sleep_stages: [
    { type: 'deep_sleep', stage_time: 60 * night.deepMinutes },
    { type: 'light_sleep', stage_time: 60 * night.lightMinutes },
    { type: 'rem_sleep', stage_time: 60 * night.remMinutes },
    { type: 'awake', stage_time: 60 * night.awakeMinutes },
  ],
  sleep_graph: [],
  spo2: { value: day.oxygenPct },
  summary: [],
});
