// The route that explains a value of the day: who reported it, what counted and what was left out.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { Explanation } from '../../../shared/reads/explanations/form-2-schema.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';
import { userToken } from '../callers/user-token.ts';

export const getDailyExplanation = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/users/{id}/daily/{date}/{metric}/explanation',
    operationId: 'getDailyExplanation',
    tags: ['Data'],
    summary: 'Explain a daily value',
    description:
      'Returns why a metric has its value on a day: the consolidation rule, what each device reported and how much of it counted, when each device measured, what was left out and why, and the same in sentences. ' +
      'A null is explained too: nothing was reported, or everything was left out. The explanation is made by the code that makes the day. ' +
      '`value` is what the daily read returns; while newer data or settings are being processed, `pending` is true and `explained_value` is the value to come. ' +
      'For a score, it returns the factors and the path of the explanation of each input. Values are in the unit of the metric: `unit_system` is rejected.',
    request: {
      params: z.object({
        id: z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
        date: z.string().meta({ description: 'The day, `YYYY-MM-DD`.', examples: ['2026-03-14'] }),
        metric: z.string().meta({
          description: 'The id of a metric or score (`MetricOrScoreId`).',
          examples: ['steps'],
        }),
      }),
    },
    responses: { 200: json(Explanation, 'The explanation.') },
  }),
  {
    callers: [apiKey, colleague, userToken],
    reveals: 'values',
    user: 'id',
    eager: true,
    otherFormParameters: { unit_system: { advice: 'leave it out, because values are in the unit of the metric' } },
    failures: ['invalid_types', 'not_found', ...paymentFailures],
  },
);
