// Routes for the data: one value per metric and day, and one entry per session, consolidated from
// all of a user's devices.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { SampleId } from '../../../shared/catalog/metrics.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { Cursor, createLimitField } from '../../../shared/platform/page.ts';
import { Daily } from '../../../shared/reads/daily/form-2-schema.ts';
import {
  FromDate,
  IncludeSources,
  IncludeStages,
  QueryDate,
  ToDate,
  UnitSystem,
} from '../../../shared/reads/kit/read-parameters.ts';
import { SleepDetail, SleepList } from '../../../shared/reads/sleep/form-2-schema.ts';
import {
  maxMetrics,
  maxSamples,
  Timeseries,
  timeseriesShapesText,
} from '../../../shared/reads/timeseries/form-2-schema.ts';
import { Resolution } from '../../../shared/reads/timeseries/resolution.ts';
import { WorkoutDetail, WorkoutList } from '../../../shared/reads/workouts/form-2-schema.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';
import { userToken } from '../callers/user-token.ts';

const tag = 'Data';
const callers = [apiKey, colleague, userToken];

const id = z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] });
const UserPath = z.object({ id });

const convertedUnits = UnitSystem.optional().meta({
  description: '`imperial` returns miles, pounds, inches and °F. Metric units by default.',
  examples: ['metric'],
});
const sessionQuery = z.object({
  from_date: FromDate,
  to_date: ToDate,
  limit: createLimitField(100, 50),
  cursor: Cursor.optional(),
  include_sources: IncludeSources,
});
const clockDescription =
  "Clock values are in the profile's time zone. `utc_offset` says where the user was: the local time at that place is `start_at` plus `utc_offset`.";
const rangeParameterHints = { start_date: 'from_date', end_date: 'to_date' } as const;
const unitParameterHint = {
  unit_system: { advice: 'leave it out, because the field names include their units' },
} as const;
const sessionParameterHints = {
  ...rangeParameterHints,
  ...unitParameterHint,
  page: 'cursor',
  per_page: 'limit',
} as const;

export const getDaily = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/daily',
    operationId: 'getDaily',
    tags: [tag],
    summary: 'Read daily metrics',
    description:
      'Returns one value per metric and day, in columns: `series[metric][i]` belongs to `dates[i]` and is null if there is no value. ' +
      'Metrics are returned in the order requested. Scores are not included. ' +
      'With `unit_system` the body also has `units`; with `include_sources=true` it also has `sources`.',
    request: {
      params: UserPath,
      query: z.object({
        types: z
          .string()
          .optional()
          .meta({
            description: 'Metric ids (`MetricId`), separated by commas. Defaults to all metrics.',
            examples: ['steps,asleep'],
          }),
        from_date: FromDate,
        to_date: ToDate,
        unit_system: convertedUnits,
        include_sources: IncludeSources,
      }),
    },
    responses: {
      200: json(Daily, 'The metrics.', {
        from_date: '2026-03-12',
        to_date: '2026-03-14',
        dates: ['2026-03-12', '2026-03-13', '2026-03-14'],
        series: { steps: [8421, null, 10233], asleep: [431, 402, 447] },
      }),
    },
  }),
  {
    callers,
    reveals: 'values',
    user: 'id',
    eager: true,
    otherFormParameters: { metrics: 'types', ...rangeParameterHints },
    failures: ['invalid_types', 'not_found', ...paymentFailures],
  },
);

export const listSleep = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/sleep',
    operationId: 'listSleep',
    tags: [tag],
    summary: 'List sleep sessions',
    description:
      'Returns nights and naps, newest first: by the day they count toward, then by start. A night reported by several devices is one session. ' +
      'Paging is stable while data arrives. With `include_sources=true` each session has a `source_detail`, with `include_stages=true` its `stages`. ' +
      `${clockDescription} ` +
      'The field names include their units: `unit_system` is rejected.',
    request: { params: UserPath, query: sessionQuery.extend({ include_stages: IncludeStages }) },
    responses: { 200: json(SleepList, 'One page of sleep sessions.') },
  }),
  {
    callers,
    reveals: 'values',
    user: 'id',
    eager: true,
    otherFormParameters: sessionParameterHints,
    failures: ['invalid_cursor', 'not_found', ...paymentFailures],
  },
);

export const getSleep = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/sleep/{sleep_id}',
    operationId: 'getSleep',
    tags: [tag],
    summary: 'Get a sleep session',
    description:
      'Returns a night or a nap with its stages, and with the heart rate, heart-rate variability, breathing and blood oxygen that its device measured during it. ' +
      'All of it comes from one device: the one that reported the session. ' +
      clockDescription,
    request: {
      params: z.object({
        id,
        sleep_id: z.string().meta({ description: 'The sleep session.', examples: ['slp_01k9p3wb2c4e6g8j0m2p4r6t8w'] }),
      }),
      query: z.object({ unit_system: convertedUnits, include_sources: IncludeSources }),
    },
    responses: { 200: json(SleepDetail, 'The sleep session.') },
  }),
  {
    callers,
    reveals: 'values',
    user: 'id',
    eager: true,
    otherFormParameters: {
      include_stages: { advice: 'leave it out, because the stages are always included' },
    },
    failures: ['not_found', 'sleep_not_found', ...paymentFailures],
  },
);

export const listWorkouts = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/workouts',
    operationId: 'listWorkouts',
    tags: [tag],
    summary: 'List workouts',
    description:
      'Returns workouts, newest first. A workout reported by several devices is listed once. Consolidation settings do not apply. ' +
      'Paging is stable while data arrives. With `include_sources=true` each workout has a `source_detail`. ' +
      `${clockDescription} ` +
      "`type` is one of the types in `GET /v1/workout-types`; `source_type` is the provider's own name for it. " +
      'The field names include their units: `unit_system` is rejected.',
    request: { params: UserPath, query: sessionQuery },
    responses: { 200: json(WorkoutList, 'One page of workouts.') },
  }),
  {
    callers,
    reveals: 'values',
    user: 'id',
    eager: true,
    otherFormParameters: sessionParameterHints,
    failures: ['invalid_cursor', 'not_found', ...paymentFailures],
  },
);

export const getWorkout = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/workouts/{workout_id}',
    operationId: 'getWorkout',
    tags: [tag],
    summary: 'Get a workout',
    description:
      'Returns a workout with all its measurements, heart-rate zones and heart-rate trace. ' +
      `${clockDescription} ` +
      'Measurements that the source did not supply are null. The field names include their units: `unit_system` is rejected.',
    request: {
      params: z.object({
        id,
        workout_id: z.string().meta({ description: 'The workout.', examples: ['wrk_01k9p3we5f7h9k1n3q5s7v9x1z'] }),
      }),
      query: z.object({ include_sources: IncludeSources }),
    },
    responses: { 200: json(WorkoutDetail, 'The workout.') },
  }),
  {
    callers,
    reveals: 'values',
    user: 'id',
    eager: true,
    otherFormParameters: unitParameterHint,
    failures: ['not_found', 'workout_not_found', ...paymentFailures],
  },
);

export const getTimeseries = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/timeseries',
    operationId: 'getTimeseries',
    tags: [tag],
    summary: 'Read samples',
    'x-shown-parameters': ['metrics', 'start_date', 'end_date'],
    description:
      `Returns samples in one of two shapes. With \`metrics\`, \`start_date\` and \`end_date\`: every sample of up to ${maxMetrics} metrics, for up to ten years if the response fits (7 days or fewer are recommended). ` +
      `A response has at most ${maxSamples.plain} samples, or ${maxSamples.withSources} with \`include_sources=true\`; beyond that, the error names the longest range that fits. A metric of which only daily totals were reported has no samples. ` +
      'With `metric`, `date` and `resolution`: one local day in equal steps. A local day is 23, 24 or 25 hours long. ' +
      'Each step is the sum, the average or the last of its samples, by the same rule that the metric uses for days. ' +
      'For cumulative metrics (those that the consolidation catalog merges by default), each moment comes from the highest-ranked device that ' +
      'was measuring at that time, regardless of the configured method. A sample is spread evenly over the time it covers. In columns, it is divided among the steps. In the list of samples, ' +
      'the part that counts is split at midnight in the profile’s time zone, and each part is a sample with its own start and its share of the value. For each ' +
      'day, both shapes therefore add up to the same total, apart from rounding. For all other metrics, a day’s samples ' +
      'come from the highest-ranked device that has any, and each sample counts at its start time. ' +
      'The metrics of a night or a blood-pressure reading come from the highest-ranked device with samples of `asleep` or `blood_pressure_systolic`, or else of any metric of that group. ' +
      'Another device supplies a metric of the night that this one lacks, but never half of a blood-pressure reading.',
    request: {
      params: UserPath,
      query: z.object({
        metrics: z
          .string()
          .optional()
          .meta({
            description:
              `For the list of samples: up to ${maxMetrics} ids (\`SampleId\`), separated by commas: any metric, or \`stress_score\`. ` +
              '`stress_score` has the levels from 0 to 100 that a device measures during the day. The computed score of a day is at the user’s `/scores/history`.',
            examples: ['heart_rate,steps'],
          }),
        start_date: QueryDate.optional().meta({
          description: 'For the list of samples: the first day.',
          examples: ['2026-03-14'],
        }),
        end_date: QueryDate.optional().meta({
          description: 'For the list of samples: the last day, inclusive.',
          examples: ['2026-03-14'],
        }),
        metric: z.string().optional(),
        date: QueryDate.optional().meta({ description: 'For equal steps: the day.', examples: ['2026-03-14'] }),
        resolution: Resolution.optional().meta({
          description: 'For equal steps: the length of each step. Defaults to `5m`.',
          examples: ['5m'],
        }),
        unit_system: convertedUnits,
        include_sources: IncludeSources,
      }),
    },
    responses: { 200: json(Timeseries, 'The samples.') },
  }),
  {
    callers,
    reveals: 'values',
    user: 'id',
    eager: true,
    documentedQuery: {
      metric: SampleId.optional().meta({
        description: 'For equal steps: the id of any metric, or `stress_score`.',
        examples: ['heart_rate'],
      }),
    },
    otherFormParameters: {
      types: { name: 'metrics', advice: timeseriesShapesText },
      from_date: { name: 'start_date', advice: timeseriesShapesText },
      to_date: { name: 'end_date', advice: timeseriesShapesText },
    },
    failures: ['invalid_types', 'not_found', ...paymentFailures],
  },
);
