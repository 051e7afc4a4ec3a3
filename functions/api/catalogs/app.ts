import { consolidationCatalog } from '../../../shared/domain/consolidation/catalog.ts';
import type { Deps } from '../../../shared/domain/deps.ts';
import { availableProviders } from '../../../shared/domain/devices/connectable-providers.ts';
import { type Api, newApi, reply } from '../../../shared/http/api.ts';
import { metricCatalog } from '../../../shared/model/metrics.ts';
import * as routes from './routes.ts';

export function catalogsApi(deps: Deps): Api {
  const api = newApi(deps);

  api.serve(routes.listProviders, async () => reply(200, availableProviders()));

  api.serve(routes.consolidationCatalog, async () => reply(200, consolidationCatalog));

  api.serve(routes.listMetrics, async () => reply(200, metricCatalog));

  return api;
}
