import type { Deps } from '../../../shared/domain/deps.ts';
import { type Api, newApi, reply } from '../../../shared/http/api.ts';
import { scoreHistoryFace, scoresFace } from '../../../shared/presenters/faces.ts';
import { readScores } from '../../../shared/reads/scores.ts';
import * as routes from './routes.ts';

export function scoresApi(deps: Deps): Api {
  const api = newApi(deps);
  const eager = { eager: true };

  api.serve(
    routes.getScores,
    async ({ caller, params, query }) => {
      const face = scoresFace(caller);
      return reply(200, face.present(await readScores(deps, caller, params.id, face.asked(query)), query));
    },
    eager,
  );

  api.serve(
    routes.getScoreHistory,
    async ({ caller, params, query }) => {
      const face = scoreHistoryFace(caller);
      return reply(200, face.present(await readScores(deps, caller, params.id, face.asked(query)), query));
    },
    eager,
  );

  return api;
}
