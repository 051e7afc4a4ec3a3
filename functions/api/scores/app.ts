import type { Deps } from '../../../shared/domain/deps.ts';
import { type Api, newApi, reply } from '../../../shared/http/api.ts';
import { readCurrentScores, readScoreHistory, readScores } from '../../../shared/reads/scores.ts';
import * as routes from './routes.ts';

export function scoresApi(deps: Deps): Api {
  const api = newApi(deps);
  const eager = { eager: true };

  api.serve(
    routes.getScores,
    async ({ caller, params, query }) =>
      reply(
        200,
        caller.form === 1
          ? await readCurrentScores(deps, caller, params.id)
          : await readScores(deps, caller, params.id, query),
      ),
    eager,
  );

  api.serve(
    routes.getScoreHistory,
    async ({ caller, params, query }) => reply(200, await readScoreHistory(deps, caller, params.id, query)),
    eager,
  );

  return api;
}
