import { getConfiguration, patchConfiguration, restoreDefaults } from '../../../shared/consolidation/configuration.ts';
import { type Api, createApi } from '../../../shared/http/api.ts';
import { form2Preview } from '../../../shared/reads/consolidation-preview/form-2.ts';
import { readPreview } from '../../../shared/reads/consolidation-preview/read-preview.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function consolidationApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.getConsolidation, async (c) =>
    c.json(await getConfiguration(deps, c.var.caller, c.req.valid('param').id), 200),
  );

  api.openapi(routes.patchConsolidation, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await patchConfiguration(deps, c.var.caller, id, c.req.valid('json')), 202);
  });

  api.openapi(routes.previewConsolidation, async (c) => {
    const patch = c.req.valid('json');
    const preview = await readPreview(deps, c.var.caller, c.req.valid('param').id, form2Preview.parse(patch));
    return c.json(form2Preview.render(preview, patch), 200);
  });

  api.openapi(routes.resetConsolidation, async (c) =>
    c.json(await restoreDefaults(deps, c.var.caller, c.req.valid('param').id), 202),
  );

  return api;
}

export const handler = onHttp(consolidationApi);
