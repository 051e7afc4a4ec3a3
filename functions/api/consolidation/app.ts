import {
  getConfiguration,
  patchConfiguration,
  restoreDefaults,
} from '../../../shared/domain/consolidation/configuration.ts';
import type { Deps } from '../../../shared/domain/deps.ts';
import { type Api, newApi, reply } from '../../../shared/http/api.ts';
import * as routes from './routes.ts';

export function consolidationApi(deps: Deps): Api {
  const api = newApi(deps);

  api.serve(routes.getConsolidation, async ({ caller, params }) =>
    reply(200, await getConfiguration(deps, caller, params.id)),
  );

  api.serve(routes.patchConsolidation, async ({ caller, params, body }) =>
    reply(202, await patchConfiguration(deps, caller, params.id, body)),
  );

  api.serve(routes.resetConsolidation, async ({ caller, params }) =>
    reply(202, await restoreDefaults(deps, caller, params.id)),
  );

  return api;
}
