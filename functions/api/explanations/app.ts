import { type Api, createApi } from '../../../shared/http/api.ts';
import { form2Explanation } from '../../../shared/reads/explanations/form-2.ts';
import { readExplanation } from '../../../shared/reads/explanations/read-explanation.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as routes from './routes.ts';

export function explanationsApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.getDailyExplanation, async (c) => {
    const path = c.req.valid('param');
    const explanation = await readExplanation(deps, c.var.caller, path.id, form2Explanation.parse(path));
    return c.json(form2Explanation.render(explanation, path), 200);
  });

  return api;
}

export const handler = onHttp(explanationsApi);
