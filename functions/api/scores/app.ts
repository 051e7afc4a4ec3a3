import type { Deps } from '../../../shared/domain/deps.ts';
import { type Api, newApi } from '../../../shared/http/api.ts';
import { jsonAnswer } from '../../../shared/http/json-answer.ts';
import { scoreHistoryFace, scoresFace } from '../../../shared/presenters/faces.ts';
import { readScores } from '../../../shared/reads/scores.ts';
import * as routes from './routes.ts';

export function scoresApi(deps: Deps): Api {
  const api = newApi(deps);

  api.openapi(routes.getScores, async (c) => {
    const face = scoresFace(c.var.caller);
    const query = c.req.valid('query');
    const scores = await readScores(deps, c.var.caller, c.req.valid('param').id, face.asked(query));
    return jsonAnswer(c, face.present(scores, query), 200);
  });

  api.openapi(routes.getScoreHistory, async (c) => {
    const face = scoreHistoryFace(c.var.caller);
    const query = c.req.valid('query');
    const scores = await readScores(deps, c.var.caller, c.req.valid('param').id, face.asked(query));
    return jsonAnswer(c, face.present(scores, query), 200);
  });

  return api;
}
