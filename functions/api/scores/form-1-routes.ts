// Routes for scores in Form 1: current scores with their factors, and score history in rows.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineForm1Endpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { IncludeMissing, QueryDate } from '../../../shared/reads/kit/read-parameters.ts';
import { CurrentScores, ScoreHistory } from '../../../shared/reads/scores/form-2-schema.ts';
import * as usual from './routes.ts';

const tag = 'Scores';
const params = z.object({
  user_id: z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
});
const historyInstead = 'GET /v1/users/{user_id}/scores/history';

export const getScores = defineForm1Endpoint(
  usual.getScores,
  createRoute({
    method: 'get',
    path: '/v1/users/{user_id}/scores',
    operationId: 'getScores',
    tags: [tag],
    summary: 'Read current scores',
    description:
      'Returns the newest value of every score from 0 to 100 within the last 30 days, with the factors whose contributions add up to it. A score without a value is omitted, ' +
      'and `status` says why. Scores are computed as data arrives and change at most a few times a day, so you can cache them for 5 to 15 minutes, and `Cache-Control` says so to HTTP caches; ' +
      'after a `score.updated` event, read them with `Cache-Control: no-cache`. `/docs/scores` explains how scores are computed.',
    request: { params },
    responses: { 200: json(CurrentScores, 'The scores.') },
  }),
  {
    otherFormParameters: {
      types: historyInstead,
      from_date: historyInstead,
      to_date: historyInstead,
      start_date: historyInstead,
      end_date: historyInstead,
      include_factors: { advice: 'leave it out, because factors are always included' },
      include_status: { advice: 'leave it out, because the status is always included' },
    },
    failures: ['invalid_request', 'not_found', ...paymentFailures],
  },
);

export const getScoreHistory = defineForm1Endpoint(
  usual.getScoreHistory,
  createRoute({
    method: 'get',
    path: '/v1/users/{user_id}/scores/history',
    operationId: 'getScoreHistory',
    tags: [tag],
    summary: 'Read score history',
    description:
      'Returns one row per day and score, earliest first. A day without a score has no row, unless `include_missing=true`, which returns the reason. The range may span ten years if the response fits.',
    request: {
      params,
      query: z.object({
        types: z
          .string()
          .optional()
          .meta({
            description: 'Score ids (`ScoreId`), separated by commas. Defaults to all six.',
            examples: ['sleep_score,energy_reserve_score'],
          }),
        start_date: QueryDate.meta({ description: 'The first day.', examples: ['2026-03-01'] }),
        end_date: QueryDate.meta({ description: 'The last day, inclusive.', examples: ['2026-03-14'] }),
        include_missing: IncludeMissing,
      }),
    },
    responses: { 200: json(ScoreHistory, 'The rows.') },
  }),
  { otherFormParameters: { from_date: 'start_date', to_date: 'end_date' } },
);
