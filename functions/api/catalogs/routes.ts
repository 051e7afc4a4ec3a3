// Routes for the catalogs: providers, metrics, workout types and consolidation.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { ConsolidationCatalog } from '../../../shared/catalog/consolidation-entry.ts';
import { MetricCatalog } from '../../../shared/catalog/metric-catalog.ts';
import { IncludedProviders, ListedConnection, ProviderCatalog } from '../../../shared/catalog/provider-catalog.ts';
import { WorkoutTypeCatalog } from '../../../shared/catalog/workout-type-catalog.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, paymentFailures } from '../../../shared/http/responses.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';

const tag = 'Catalogs';
const callers = [apiKey, colleague];

export const listProviders = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/providers',
    operationId: 'listProviders',
    tags: [tag],
    summary: 'Provider catalog',
    description:
      'Lists the providers that users can connect with this key now, through hosted authorization, and what each one measures. In the sandbox that is every provider; in live, those with credentials in this deployment. ' +
      '`include=unavailable` adds the others, and names the credentials that are missing. ' +
      'On-device platforms connect through the Mobile SDK: `connection=sdk` lists them, `connection=all` lists both.',
    request: { query: z.object({ connection: ListedConnection, include: IncludedProviders }) },
    responses: { 200: json(ProviderCatalog, 'The catalog.') },
  }),
  { callers, reveals: 'state', failures: ['invalid_request', ...paymentFailures] },
);

export const consolidationCatalog = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/consolidation/catalog',
    operationId: 'getConsolidationCatalog',
    tags: [tag],
    summary: 'Consolidation catalog',
    description:
      'Lists the metrics and groups that can be consolidated, the default method of each, and the other methods it allows. ' +
      'A group applies one setting to related metrics. Each metric of a night has its own source; both numbers of a blood pressure come from one device, unless the method is `avg`.',
    responses: { 200: json(ConsolidationCatalog, 'The catalog.') },
  }),
  { callers, reveals: 'state', failures: paymentFailures },
);

export const listMetrics = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/metrics',
    operationId: 'listMetrics',
    tags: [tag],
    summary: 'Metric catalog',
    description:
      'Lists every metric with its unit, precision, plausible range and the rule that computes a day from its samples. Also lists the scores (category `scores`), ' +
      "with the operations that return them. Each description states the metric's default rule; consolidation settings can select a different one.",
    responses: { 200: json(MetricCatalog, 'The catalog.') },
  }),
  { callers, reveals: 'state', failures: paymentFailures },
);

export const listWorkoutTypes = defineEndpoint(
  createRoute({
    method: 'get',
    path: '/v1/workout-types',
    operationId: 'listWorkoutTypes',
    tags: [tag],
    summary: 'Workout type catalog',
    description:
      "Lists the workout types that every provider's and phone's own names are mapped to. " +
      'A type can have a broader parent: `trail_running` is a kind of `running`. ' +
      'New types can be added. If you receive a type that you do not know, look it up here and treat it as its parent.',
    responses: { 200: json(WorkoutTypeCatalog, 'The catalog.') },
  }),
  { callers, reveals: 'state', failures: paymentFailures },
);
