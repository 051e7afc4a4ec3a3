// Simulates Ultrahuman: one day per request, each a list of metric types.
import * as z from 'zod';
import type { SleepStage } from '../../catalog/sleep-stages.ts';
import { isCalendarDate } from '../../platform/time/local-day.ts';
import type { SimulatedDay, SimulatedSleep } from './simulated-day.ts';
import { jsonProviderResponse, type ProviderSimulator } from './simulator.ts';

const basePath = '/api/partners/v1/user_data';

const DayItem = z.looseObject({ date: z.string(), metric_data: z.array(z.unknown()) });

export const ultrahumanSimulator: ProviderSimulator = {
  renderTokens: ({ accessToken, refreshToken, expiresInSeconds, scopes }) =>
    jsonProviderResponse({
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: expiresInSeconds,
      refresh_token: refreshToken,
      scope: scopes.join(' '),
    }),
  renderInvalidGrant: () =>
    jsonProviderResponse(
      { error: 'invalid_grant', error_description: 'The grant is invalid, expired or revoked.' },
      401,
    ),

  respond({ path, query, account }, items) {
    if (path === `${basePath}/user_info`)
      return jsonProviderResponse({ data: { user_id: account, email: 'someone@example.com' } });
    if (path !== `${basePath}/metrics`) return undefined;
    const { date = '' } = query;
    if (!isCalendarDate(date))
      return jsonProviderResponse({ data: null, error: 'date is not valid', status: 400 }, 400);
    const dayItems = items('metrics', { from: date, to: date }).map((item) => DayItem.parse(item));
    const metric_data = dayItems.find((each) => each.date === date)?.metric_data ?? [];
    return jsonProviderResponse({ data: { metric_data }, error: null, status: 200 });
  },

  /** One item per date, with the list that a request for the date returns. */
  listItems: (resource, days) =>
    resource === 'metrics' ? days.map((day) => ({ date: day.date, metric_data: buildMetrics(day) })) : [],
};

const toSeconds = (ms: number): number => Math.floor(ms / 1000);

function buildMetrics(day: SimulatedDay): unknown[] {
  const day_start_timestamp = toSeconds(day.startMs);
  const metric = (type: string, object: object) => ({ type, object: { day_start_timestamp, ...object } });
  const valueMetric = (type: string, value: number | null) => (value === null ? [] : [metric(type, { value })]);
  const night = day.sleeps.find(({ isNap }) => !isNap);
  const heartRates = day.heartRate.map(({ ms, bpm }) => ({ value: bpm, timestamp: toSeconds(ms) }));
  const stepCounts = day.stepIntervals.map(({ startMs, steps }) => ({ value: steps, timestamp: toSeconds(startMs) }));
  const variability = day.variability.map(({ ms, value }) => ({ value, timestamp: toSeconds(ms) }));
  return [
    ...(heartRates.length > 0 ? [metric('hr', { title: 'Heart Rate', values: heartRates, unit: 'BPM' })] : []),
    ...(variability.length > 0 ? [metric('hrv', { values: variability, subtitle: 'Average', avg: day.rmssdMs })] : []),
    ...(day.steps === null ? [] : [metric('steps', { values: stepCounts, total: day.steps, avg: null })]),
    ...valueMetric('active_minutes', day.exerciseMinutes),
    ...valueMetric('sleep_rhr', day.restingBpm),
    ...valueMetric('avg_sleep_hrv', day.rmssdMs),
    ...valueMetric('average_body_temperature', day.skinCelsius),
    ...valueMetric('vo2_max', day.vo2Max),
    ...valueMetric('recovery_index', 71),
    ...(night ? [metric('Sleep', buildSleep(day, night))] : []),
  ];
}

const stageTypes: Partial<Record<SleepStage, string>> = {
  light: 'light_sleep',
  deep: 'deep_sleep',
  rem: 'rem_sleep',
};

const buildSleep = (day: SimulatedDay, night: SimulatedSleep): object => ({
  bedtime_start: toSeconds(night.startMs),
  bedtime_end: toSeconds(night.endMs),
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
  sleep_graph: {
    data: night.stages.map(({ stage, startMs, endMs }) => ({
      start: toSeconds(startMs),
      end: toSeconds(endMs),
      type: stageTypes[stage] ?? stage,
    })),
  },
  spo2: { value: day.oxygenPct },
  summary: [],
});
