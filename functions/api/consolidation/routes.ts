// Consolidation: how several devices' values of one metric become the one that is served.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import {
  ConsolidationConfiguration,
  ConsolidationPatch,
  ConsolidationUpdate,
} from '../../../shared/consolidation/consolidation.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody, paymentFailures } from '../../../shared/http/responses.ts';
import { apiKey } from '../callers/api-key.ts';

const tag = 'Consolidation';
const path = '/v1/users/{id}/consolidation';
const callers = [apiKey];
const params = z.object({
  id: z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
});

export const getConsolidation = defineEndpoint(
  createRoute({
    method: 'get',
    path,
    operationId: 'getConsolidation',
    tags: [tag],
    summary: 'Effective configuration',
    description:
      'The configuration in effect: which providers count, and which method is used for each metric. ' +
      'A provider is enabled for a metric unless it is off for everything or for that metric.',
    request: { params },
    responses: { 200: json(ConsolidationConfiguration, 'The configuration.') },
  }),
  { callers, user: 'id', servesUnshared: true, failures: ['user_not_found', ...paymentFailures] },
);

export const patchConsolidation = defineEndpoint(
  createRoute({
    method: 'patch',
    path,
    operationId: 'patchConsolidation',
    tags: [tag],
    summary: 'Change the configuration',
    description:
      'Only the settings sent are changed, all or none of them. `method: null` restores the default. ' +
      'A method that the metric does not allow is 422 `invalid_method`; a word that is no method at all is 400 `invalid_body`. ' +
      'The settings are stored before the response; the history is rebuilt in the background, with changes made shortly after one another in a single rebuild, and ' +
      'a `subject.synced` event is sent if data changed.',
    request: { params, body: jsonBody(ConsolidationPatch) },
    responses: { 202: json(ConsolidationUpdate, 'The change is stored.') },
  }),
  {
    callers,
    user: 'id',
    servesUnshared: true,
    // Every metric of the catalog may be named, with every provider.
    bodyLimits: { wireBytes: 64_000 },
    failures: ['user_not_found', 'invalid_metric', 'invalid_method', 'invalid_provider', ...paymentFailures],
  },
);

export const resetConsolidation = defineEndpoint(
  createRoute({
    method: 'delete',
    path,
    operationId: 'resetConsolidation',
    tags: [tag],
    summary: 'Restore the defaults',
    description:
      'Removes every method override and provider exclusion. Connected providers and everything else are left as they are.',
    request: { params },
    responses: { 202: json(ConsolidationUpdate, 'The defaults are stored.') },
  }),
  { callers, user: 'id', servesUnshared: true, failures: ['user_not_found', ...paymentFailures] },
);
