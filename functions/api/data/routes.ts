// Data: what a user's devices measured, one value a metric and day, one report a session.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { Cursor, createLimitField } from '../../../shared/platform/page.ts';
import { Daily } from '../../../shared/reads/daily/form-2-schema.ts';
import { FromDate, IncludeSources, QueryDate, ToDate, UnitSystem } from '../../../shared/reads/kit/read-parameters.ts';
import { SleepList } from '../../../shared/reads/sleep/form-2-schema.ts';
import { Timeseries } from '../../../shared/reads/timeseries/form-2-schema.ts';
import { Resolution } from '../../../shared/reads/timeseries/resolution.ts';
import { WorkoutDetail, WorkoutList } from '../../../shared/reads/workouts/form-2-schema.ts';
import { apiKey } from '../callers/api-key.ts';
import { userToken } from '../callers/user-token.ts';

const tag = 'Data';
const callers = [apiKey, userToken];

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
const rangeParameterHints = { start_date: 'from_date', end_date: 'to_date' } as const;
const unitParameterHint = { unit_system: { advice: 'leave it out, the field names carry their units' } } as const;
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
      'One value per metric and day, in columns: `series[metric][i]` belongs to `dates[i]`, and is null if there is none. ' +
      'Metrics are returned in the order requested. Scores are not included. ' +
      'With `unit_system` the body also has `units`; with `include_sources=true`, also `sources`.',
    request: {
      params: UserPath,
      query: z.object({
        types: z
          .string()
          .optional()
          .meta({
            description: 'Metric ids, separated by commas; all of them by default.',
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
      'Nights and naps, newest first: by the day they count toward, then by start. A night reported by several devices is one session. ' +
      'Paging is stable while data arrives. With `include_sources=true` every session has a `source_detail`. ' +
      'The field names carry their units: `unit_system` is rejected.',
    request: { params: UserPath, query: sessionQuery },
    responses: { 200: json(SleepList, 'One page of sleep sessions.') },
  }),
  {
    callers,
    user: 'id',
    eager: true,
    otherFormParameters: sessionParameterHints,
    failures: ['invalid_cursor', 'not_found', ...paymentFailures],
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
      'Workouts, newest first. A workout reported by several devices is listed once. Consolidation settings do not apply. ' +
      'Paging is stable while data arrives. With `include_sources=true` every workout has a `source_detail`. ' +
      "`type` is one of `GET /v1/workout-types` whatever the provider calls it; the provider's own word is `source_type`. " +
      'The field names carry their units: `unit_system` is rejected.',
    request: { params: UserPath, query: sessionQuery },
    responses: { 200: json(WorkoutList, 'One page of workouts.') },
  }),
  {
    callers,
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
      'A workout with all its measurements, heart-rate zones and heart-rate trace. ' +
      'Measurements that the source did not supply are null. The field names carry their units: `unit_system` is rejected.',
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
    summary: 'Read samples within days',
    'x-shown-parameters': ['metrics', 'start_date', 'end_date'],
    description:
      'In one of two shapes. With `metrics`, `start_date` and `end_date`: every sample, for at most 31 days at a time (7 or fewer are recommended). ' +
      'With `metric`, `date` and `resolution`: one local day in equal steps; a day is 23, 24 or 25 hours long. ' +
      'Each step sums, averages or takes the last of its samples, as the metric does for days. ' +
      'For metrics that accrue (those the consolidation catalog merges by default), each moment comes from the highest-ranked device that ' +
      'was measuring then, whatever method is set. A sample is spread evenly over the time it covers: in columns over the steps; one by one, what ' +
      'counts of it is cut at midnight of the profile’s time zone, and each stretch is a sample with its own start and its share. So for each ' +
      'day both shapes come to the same, but for the rounding of each number. For all other metrics, a day’s samples ' +
      'come from the highest-ranked device that has any, and count where they start.',
    request: {
      params: UserPath,
      query: z.object({
        metrics: z
          .string()
          .optional()
          .meta({
            description:
              'For single samples: `heart_rate`, `heart_rate_variability`, `stress_score`, `blood_oxygen`, `steps` or `active_calories`, separated by commas. ' +
              '`stress_score` has the levels from 0 to 100 that a device measures through the day; the score of the day is computed and read at `/scores/history` of the user.',
            examples: ['heart_rate,steps'],
          }),
        start_date: QueryDate.optional().meta({
          description: 'For single samples: the first day.',
          examples: ['2026-03-14'],
        }),
        end_date: QueryDate.optional().meta({
          description: 'For single samples: the last day, included.',
          examples: ['2026-03-14'],
        }),
        metric: z
          .string()
          .optional()
          .meta({ description: 'For equal steps: the id of any metric, or `stress_score`.', examples: ['heart_rate'] }),
        date: QueryDate.optional().meta({ description: 'For equal steps: the day.', examples: ['2026-03-14'] }),
        resolution: Resolution.optional().meta({
          description: 'For equal steps: how long each is; `5m` by default.',
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
    user: 'id',
    eager: true,
    otherFormParameters: { types: 'metrics', from_date: 'start_date', to_date: 'end_date' },
    failures: ['invalid_types', 'not_found', ...paymentFailures],
  },
);
