// Catalogs: what can be connected, measured and consolidated.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { ConsolidationCatalog } from '../../../shared/catalog/consolidation-catalog.ts';
import { MetricCatalog } from '../../../shared/catalog/metric-catalog.ts';
import { ListedConnection, ProviderCatalog } from '../../../shared/catalog/provider-catalog.ts';
import { WorkoutTypeCatalog } from '../../../shared/catalog/workout-type-catalog.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { apiKey } from '../callers/api-key.ts';

const tag = 'Catalogs';
const callers = [apiKey];

export const listProviders = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/providers',
    operationId: 'listProviders',
    tags: [tag],
    summary: 'Provider catalog',
    description:
      'The providers that users can connect through hosted authorization, what each measures, and whether this deployment can connect it now. ' +
      'On-device platforms connect through the Mobile SDK: `connection=sdk` lists them, `connection=all` lists both.',
    request: { query: z.object({ connection: ListedConnection }) },
    responses: { 200: json(ProviderCatalog, 'The catalog.') },
  }),
  { callers, failures: ['invalid_request', ...paymentFailures] },
);

export const consolidationCatalog = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/consolidation/catalog',
    operationId: 'getConsolidationCatalog',
    tags: [tag],
    summary: 'Consolidation catalog',
    description:
      'Which metrics and groups can be consolidated, how by default, and which other methods each allows. ' +
      'A group applies one setting to metrics that must come from one source.',
    responses: { 200: json(ConsolidationCatalog, 'The catalog.') },
  }),
  { callers, failures: paymentFailures },
);

export const listMetrics = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/metrics',
    operationId: 'listMetrics',
    tags: [tag],
    summary: 'Metric catalog',
    description:
      'Every metric with its unit, precision, plausible range and how a day is made from its samples; and the scores, category `scores`, ' +
      'with the calls that return them. The descriptions state the default rule of each metric: consolidation settings can choose another.',
    responses: { 200: json(MetricCatalog, 'The catalog.') },
  }),
  { callers, failures: paymentFailures },
);

export const listWorkoutTypes = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/workout-types',
    operationId: 'listWorkoutTypes',
    tags: [tag],
    summary: 'Workout type catalog',
    description:
      "The vocabulary of workout types that every provider's and phone's own names are mapped into. " +
      'A type may have a broader parent: `trail_running` is a kind of `running`. ' +
      'Types may be added. Look up a type that you do not know here, and treat it as its parent.',
    responses: { 200: json(WorkoutTypeCatalog, 'The catalog.') },
  }),
  { callers, failures: paymentFailures },
);
