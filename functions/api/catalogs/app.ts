import { consolidationCatalog } from '../../../shared/domain/consolidation/catalog.ts';
import type { Deps } from '../../../shared/domain/deps.ts';
import { availableProviders } from '../../../shared/domain/providers/configured.ts';
import { type Api, newApi } from '../../../shared/http/api.ts';
import { metricCatalog } from '../../../shared/model/data-catalog.ts';
import { workoutTypeCatalog } from '../../../shared/model/workout-type-catalog.ts';
import * as routes from './routes.ts';

export function catalogsApi(deps: Deps): Api {
  const api = newApi(deps);

  api.openapi(routes.listProviders, async (c) => c.json(await availableProviders(deps, c.var.caller.env), 200));

  api.openapi(routes.consolidationCatalog, async (c) => c.json(consolidationCatalog, 200));

  api.openapi(routes.listMetrics, async (c) => c.json(metricCatalog, 200));

  api.openapi(routes.listWorkoutTypes, async (c) => c.json(workoutTypeCatalog, 200));

  return api;
}
