import { metricCatalog } from '../../../shared/catalog/data-catalog.ts';
import { workoutTypeCatalog } from '../../../shared/catalog/workout-type-catalog.ts';
import { listProviders } from '../../../shared/connections/client/provider-availability.ts';
import { consolidationCatalog } from '../../../shared/consolidation/catalog.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function catalogsApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.listProviders, async (c) => {
    return c.json(await listProviders(deps, c.var.caller.env, c.req.valid('query')), 200);
  });

  api.openapi(routes.consolidationCatalog, async (c) => c.json(consolidationCatalog, 200));

  api.openapi(routes.listMetrics, async (c) => c.json(metricCatalog, 200));

  api.openapi(routes.listWorkoutTypes, async (c) => c.json(workoutTypeCatalog, 200));

  return api;
}

export const handler = onHttp(catalogsApi);
