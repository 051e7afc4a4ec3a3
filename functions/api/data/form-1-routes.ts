// Routes for the data in Form 1: rows and flat sessions in an envelope.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineForm1Endpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { PageNumber, PerPage } from '../../../shared/platform/offset-page.ts';
import { DailyRows } from '../../../shared/reads/daily/form-1-schema.ts';
import {
  createEndDateField,
  IncludeSources,
  IncludeStages,
  maxDailyRowsDays,
  SizedEndDate,
  StartDate,
  UnitSystem,
} from '../../../shared/reads/kit/read-parameters.ts';
import { FlatSleepList } from '../../../shared/reads/sleep/form-1-schema.ts';
import { WorkoutOffsetPage } from '../../../shared/reads/workouts/form-1-schema.ts';
import * as usual from './routes.ts';

const tag = 'Data';
const params = z.object({
  user_id: z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
});
const unit_system = UnitSystem.optional().meta({
  description: '`imperial` returns miles, feet, pounds, inches and °F. Metric units by default.',
  examples: ['metric'],
});
const sessionQuery = z.object({
  start_date: StartDate,
  end_date: SizedEndDate,
  unit_system,
  include_sources: IncludeSources,
});
const noPagingAdvice = { advice: 'leave it out, because every session in the range is returned' };
const rangeParameterHints = { from_date: 'start_date', to_date: 'end_date' } as const;

export const getDaily = defineForm1Endpoint(
  usual.getDaily,
  createRoute({
    method: 'get',
    path: '/v1/users/{user_id}/daily',
    operationId: 'getDaily',
    tags: [tag],
    summary: 'Read daily metrics',
    description:
      'Returns one row per metric and day that has a value, earliest day first, and within a day in the order requested. ' +
      'Scores also have rows, with the unit `score`, if `metrics` names them. ' +
      'With `include_sources=true` each row has its `source`. Read longer ranges in windows of 90 days.',
    request: {
      params,
      query: z.object({
        metrics: z
          .string()
          .optional()
          .meta({
            description:
              'Metric and score ids (`MetricOrScoreId`), separated by commas. Defaults to all metrics and no scores.',
            examples: ['steps,asleep'],
          }),
        start_date: StartDate,
        end_date: createEndDateField(maxDailyRowsDays),
        unit_system,
        include_sources: IncludeSources,
      }),
    },
    responses: { 200: json(DailyRows, 'The metrics.') },
  }),
  { otherFormParameters: { types: 'metrics', ...rangeParameterHints } },
);

export const listSleep = defineForm1Endpoint(
  usual.listSleep,
  createRoute({
    method: 'get',
    path: '/v1/users/{user_id}/sleep',
    operationId: 'listSleep',
    tags: [tag],
    summary: 'List sleep sessions',
    description:
      'Returns every night and nap in the range, earliest first: by the day they count toward, then by start. A night reported by several devices is one session. ' +
      '`utc_offset` says where the user was: the local time at that place is `start` plus `utc_offset`. ' +
      'With `include_sources=true` each session has its `source`, and the main sleep has `vital_sources`: its vitals are daily values, which can come from a different device. With `include_stages=true` each session has its `stages`.',
    request: { params, query: sessionQuery.extend({ include_stages: IncludeStages }) },
    responses: { 200: json(FlatSleepList, 'The sleep sessions.') },
  }),
  {
    otherFormParameters: {
      ...rangeParameterHints,
      limit: noPagingAdvice,
      cursor: noPagingAdvice,
      page: noPagingAdvice,
      per_page: noPagingAdvice,
    },
    failures: ['not_found', ...paymentFailures],
  },
);

export const listWorkouts = defineForm1Endpoint(
  usual.listWorkouts,
  createRoute({
    method: 'get',
    path: '/v1/users/{user_id}/workouts',
    operationId: 'listWorkouts',
    tags: [tag],
    summary: 'List workouts',
    description:
      'Returns the workouts in the range in numbered pages, earliest first. A workout reported by several devices is listed once. Consolidation settings do not apply. ' +
      'A newer workout that arrives while you page is added at the end; one that arrives late or is deleted shifts those after it by one place. `meta.total` is exact. ' +
      '`utc_offset` says where the user was: the local time at that place is `start` plus `utc_offset`. ' +
      'With `include_sources=true` each workout has its `source`.',
    request: { params, query: sessionQuery.extend({ page: PageNumber, per_page: PerPage }) },
    responses: { 200: json(WorkoutOffsetPage, 'One page of workouts.') },
  }),
  {
    otherFormParameters: { ...rangeParameterHints, limit: 'per_page', cursor: 'page' },
    failures: ['not_found', ...paymentFailures],
  },
);
