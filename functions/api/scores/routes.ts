// Routes for scores: sleep, recovery, strain, nutrition and stress, per day.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import {
  FromDate,
  IncludeFactors,
  IncludeMissing,
  IncludeStatus,
  QueryDate,
  ToDate,
} from '../../../shared/reads/kit/read-parameters.ts';
import { ScoreColumns, ScoreHistory } from '../../../shared/reads/scores/form-2-schema.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';
import { userToken } from '../callers/user-token.ts';

const tag = 'Scores';
const callers = [apiKey, colleague, userToken];
/** The shortest time for which the contract advises to cache scores. */
const maxAgeSeconds = 300;
const params = z.object({
  id: z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
});
const types = z
  .string()
  .optional()
  .meta({
    description: 'Score ids (`Form2ScoreId`), separated by commas. Defaults to all of them.',
    examples: ['sleep_score,recovery_score'],
  });
const exampleScoreDetails = (formula: string) =>
  ({ status: 'ready', confidence: 'high', formula, better: 'higher' }) as const;

export const getScores = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/scores',
    operationId: 'getScores',
    tags: [tag],
    summary: 'Read scores',
    description:
      'Returns scores from 0 to 100 in columns, null where there is none; `latest` has the newest value in the range. ' +
      '`status` describes the last day of the range, or says why it has no score; `include_status=true` adds `statuses`, the same for every day. ' +
      'Scores are computed as data arrives and change at most a few times a day, so you can cache them for 5 to 15 minutes, and `Cache-Control` says so to HTTP caches; after a `score.updated` event, read them with `Cache-Control: no-cache`. ' +
      'With `include_factors=true` the body also has `factors`, ' +
      'whose contributions add up to each value. `/docs/scores` explains how scores are computed.',
    request: {
      params,
      query: z.object({
        types,
        from_date: FromDate,
        to_date: ToDate,
        include_factors: IncludeFactors,
        include_status: IncludeStatus,
      }),
    },
    responses: {
      200: json(ScoreColumns, 'The scores.', {
        from_date: '2026-03-12',
        to_date: '2026-03-14',
        dates: ['2026-03-12', '2026-03-13', '2026-03-14'],
        series: { sleep_score: [81, 77, null], recovery_score: [64, 58, 71] },
        latest: {
          sleep_score: { date: '2026-03-13', value: 77, previous_value: 81, ...exampleScoreDetails('sleep@2') },
          recovery_score: { date: '2026-03-14', value: 71, previous_value: 58, ...exampleScoreDetails('recovery@2') },
        },
        status: {
          sleep_score: { status: 'missing', reason: 'no_data', inputs: ['asleep'] },
          recovery_score: { status: 'ready' },
        },
      }),
    },
  }),
  {
    callers,
    reveals: 'values',
    user: 'id',
    eager: true,
    maxAgeSeconds,
    otherFormParameters: { start_date: 'from_date', end_date: 'to_date' },
    failures: ['invalid_types', 'not_found', ...paymentFailures],
  },
);

export const getScoreHistory = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/scores/history',
    operationId: 'getScoreHistory',
    tags: [tag],
    summary: 'Read score history',
    description:
      'Returns one row per day and score, earliest first. A day without a score has no row, unless `include_missing=true`, which returns the reason. The range may span ten years if the response fits.',
    request: {
      params,
      query: z.object({
        types,
        start_date: QueryDate.meta({ description: 'The first day.', examples: ['2026-03-01'] }),
        end_date: QueryDate.meta({ description: 'The last day, inclusive.', examples: ['2026-03-14'] }),
        include_missing: IncludeMissing,
      }),
    },
    responses: { 200: json(ScoreHistory, 'The rows.') },
  }),
  {
    callers,
    reveals: 'values',
    user: 'id',
    eager: true,
    maxAgeSeconds,
    otherFormParameters: { from_date: 'start_date', to_date: 'end_date' },
    failures: ['invalid_types', 'not_found', ...paymentFailures],
  },
);
