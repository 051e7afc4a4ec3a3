// Routes for consolidation: how values of one metric from several devices become the single value
// that the API returns.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { actEffects } from '../../../shared/audit/act-effects.ts';
import {
  ConsolidationConfiguration,
  ConsolidationPatch,
  ConsolidationUpdate,
  DocumentedConsolidationPatch,
} from '../../../shared/consolidation/consolidation.ts';
import { defineEndpoint } from '../../../shared/http/endpoint.ts';
import { json, jsonBody, paymentFailures } from '../../../shared/http/responses.ts';
import { ConsolidationPreview, previewDays } from '../../../shared/reads/consolidation-preview/form-2-schema.ts';
import { apiKey } from '../callers/api-key.ts';
import { colleague } from '../callers/colleague.ts';

const tag = 'Consolidation';
const path = '/v1/users/{id}/consolidation';
const callers = [apiKey, colleague];
const params = z.object({
  id: z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
});

/** A body can name every metric of the catalog with every provider. */
const patchBodyLimits = { wireBytes: 64_000 };

export const getConsolidation = defineEndpoint(
  createRoute({
    method: 'get',
    path,
    operationId: 'getConsolidation',
    tags: [tag],
    summary: 'Get the effective configuration',
    description:
      'Returns the configuration in effect: which providers are enabled, and which method is used for each metric. ' +
      'A provider is enabled for a metric unless it is disabled for all metrics or for that metric.',
    request: { params },
    responses: { 200: json(ConsolidationConfiguration, 'The configuration.') },
  }),
  { callers, reveals: 'state', user: 'id', servesUnshared: true, failures: ['user_not_found', ...paymentFailures] },
);

export const patchConsolidation = defineEndpoint(
  createRoute({
    method: 'patch',
    path,
    operationId: 'patchConsolidation',
    tags: [tag],
    summary: 'Change the configuration',
    description:
      'Changes only the settings you send, all of them or none. `method: null` restores the default. ' +
      'A method that the metric does not allow returns 422 `invalid_method`; an unknown method returns 400 `invalid_body`. ' +
      'The settings are stored before the response is sent. The history is rebuilt in the background: changes made in quick succession share a single rebuild, and ' +
      'a `subject.synced` event is sent if data changed.',
    request: { params, body: jsonBody(ConsolidationPatch) },
    responses: { 202: json(ConsolidationUpdate, 'The change is stored.') },
  }),
  {
    callers,
    reveals: 'state',
    audits: 'consolidation.updated',
    changes: 'state',
    user: 'id',
    servesUnshared: true,
    bodyLimits: patchBodyLimits,
    documentedBody: DocumentedConsolidationPatch,
    failures: ['user_not_found', 'invalid_metric', 'invalid_method', 'invalid_provider', ...paymentFailures],
  },
);

export const previewConsolidation = defineEndpoint(
  createRoute({
    method: 'post',
    path: `${path}/preview`,
    operationId: 'previewConsolidation',
    tags: [tag],
    summary: 'Preview a change',
    description:
      `Returns what a change of the configuration would do to the last ${previewDays} days of this user, today included, and stores nothing. ` +
      'The body and its errors are those of the change itself. For each metric that would change it returns the number of days, the mean and the largest change, ' +
      'and the values before and after. Values before are those of the current configuration, even while an earlier change is still being rebuilt. Scores are not included.',
    request: { params, body: jsonBody(ConsolidationPatch) },
    responses: { 200: json(ConsolidationPreview, 'What would change.') },
  }),
  {
    callers,
    reveals: 'values',
    audits: 'user.looked_at',
    changes: 'nothing',
    user: 'id',
    bodyLimits: patchBodyLimits,
    documentedBody: DocumentedConsolidationPatch,
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
    description: `${actEffects['consolidation.reset']} Connected providers and all other settings stay as they are.`,
    request: { params },
    responses: { 202: json(ConsolidationUpdate, 'The defaults are stored.') },
  }),
  {
    callers,
    reveals: 'state',
    audits: 'consolidation.reset',
    changes: 'state',
    user: 'id',
    servesUnshared: true,
    failures: ['user_not_found', ...paymentFailures],
  },
);
