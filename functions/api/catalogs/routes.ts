// Catalogs: what can be connected, measured and consolidated.
import { createRoute } from '@hono/zod-openapi';
import { apiKey } from '../../../shared/http/callers/api-key.ts';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { json, paid } from '../../../shared/http/responses.ts';
import { ConsolidationCatalog } from '../../../shared/model/consolidation-catalog.ts';
import { MetricCatalog } from '../../../shared/model/metric-catalog.ts';
import { ProviderCatalog } from '../../../shared/model/provider-catalog.ts';
import { WorkoutTypeCatalog } from '../../../shared/model/workout-type-catalog.ts';

const tag = 'Catalogs';
const callers = [apiKey];

export const listProviders = endpoint(
  createRoute({
    method: 'get',
    path: '/v1/providers',
    operationId: 'listProviders',
    tags: [tag],
    summary: 'Provider catalog',
    description:
      'Every wearable cloud and on-device platform, what it measures, and whether this deployment can connect it now.',
    responses: { 200: json(ProviderCatalog, 'The catalog.') },
  }),
  { callers, failures: paid },
);

export const consolidationCatalog = endpoint(
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
  { callers, failures: paid },
);

export const listMetrics = endpoint(
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
  { callers, failures: paid },
);

export const listWorkoutTypes = endpoint(
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
  { callers, failures: paid },
);
