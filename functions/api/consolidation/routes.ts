// Consolidation: how several devices' values of one metric become the one that is served.
import * as z from 'zod';
import { json, paid } from '../../../shared/http/answers.ts';
import { route } from '../../../shared/http/route.ts';
import {
  ConsolidationConfiguration,
  ConsolidationPatch,
  ConsolidationUpdate,
} from '../../../shared/model/consolidation.ts';

const tag = 'Consolidation';
const path = '/v1/users/{id}/consolidation';
const callers = ['api_key'] as const;
const params = z.object({
  id: z.string().meta({ description: 'The user.', examples: ['usr_01k9p3w0b1c3e5g7j9m1p3r5t7'] }),
});

export const getConsolidation = route({
  method: 'get',
  path,
  operationId: 'getConsolidation',
  tag,
  summary: 'Effective configuration',
  description:
    'The state in force: which providers count, and by which method each metric is chosen. ' +
    'A provider is enabled for a metric unless it is off for everything or for that metric.',
  callers,
  params,
  answers: { 200: json(ConsolidationConfiguration, 'The configuration.') },
  failures: ['user_not_found', ...paid],
});

export const patchConsolidation = route({
  method: 'patch',
  path,
  operationId: 'patchConsolidation',
  tag,
  summary: 'Change the configuration',
  description:
    'All of it is applied or none; only what is sent changes. `method: null` restores the default. ' +
    'The setting is stored before the answer; the history is rebuilt in the background, close changes in one rebuild, and ' +
    'a `subject.synced` event tells when data changed.',
  callers,
  params,
  body: ConsolidationPatch,
  answers: { 202: json(ConsolidationUpdate, 'The change is stored.') },
  failures: ['user_not_found', 'invalid_metric', 'invalid_method', 'invalid_provider', ...paid],
});

export const resetConsolidation = route({
  method: 'delete',
  path,
  operationId: 'resetConsolidation',
  tag,
  summary: 'Restore the defaults',
  description: 'Removes every method override and provider exclusion. Connected providers and everything else stay.',
  callers,
  params,
  answers: { 202: json(ConsolidationUpdate, 'The defaults are stored.') },
  failures: ['user_not_found', ...paid],
});
