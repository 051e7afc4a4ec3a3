// Catalogs: what can be connected, measured and consolidated.
import { json, paid } from '../../../shared/http/answers.ts';
import { route } from '../../../shared/http/route.ts';
import { ConsolidationCatalog } from '../../../shared/model/consolidation-catalog.ts';
import { MetricCatalog } from '../../../shared/model/metrics.ts';
import { ProviderCatalog } from '../../../shared/model/provider.ts';

const tag = 'Catalogs';
const callers = ['api_key'] as const;

export const listProviders = route({
  method: 'get',
  path: '/v1/providers',
  operationId: 'listProviders',
  tag,
  summary: 'Provider catalog',
  description:
    'Every wearable cloud and on-device platform, what it measures, and whether this deployment can connect it now.',
  callers,
  answers: { 200: json(ProviderCatalog, 'The catalog.') },
  failures: paid,
});

export const consolidationCatalog = route({
  method: 'get',
  path: '/v1/consolidation/catalog',
  operationId: 'getConsolidationCatalog',
  tag,
  summary: 'Consolidation catalog',
  description:
    'Which metrics and groups can be consolidated, how by default, and which other methods each allows. ' +
    'A group applies one setting to metrics that must come from one source.',
  callers,
  answers: { 200: json(ConsolidationCatalog, 'The catalog.') },
  failures: paid,
});

export const listMetrics = route({
  method: 'get',
  path: '/v1/metrics',
  operationId: 'listMetrics',
  tag,
  summary: 'Metric catalog',
  description: 'Every metric with its unit, precision, plausible range and how a day is made from its samples.',
  callers,
  answers: { 200: json(MetricCatalog, 'The catalog.') },
  failures: paid,
});
