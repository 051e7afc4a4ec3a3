import { type Api, createApi } from '../../../shared/http/api.ts';
import { respondWithJson } from '../../../shared/http/respond-with-json.ts';
import { form1ScoreHistory, form1Scores } from '../../../shared/reads/scores/form-1.ts';
import { form2ScoreHistory, form2Scores } from '../../../shared/reads/scores/form-2.ts';
import { readScores } from '../../../shared/reads/scores/read-scores.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as form1 from './form-1-routes.ts';
import * as routes from './routes.ts';

export function scoresApi(deps: Deps): Api {
  const api = createApi(deps);

  api.openapi(routes.getScores, async (c) => {
    const query = c.req.valid('query');
    const scores = await readScores(deps, c.var.caller, c.req.valid('param').id, form2Scores.parse(query));
    return respondWithJson(c, form2Scores.render(scores, query), 200);
  });

  api.openapi(routes.getScoreHistory, async (c) => {
    const query = c.req.valid('query');
    const scores = await readScores(deps, c.var.caller, c.req.valid('param').id, form2ScoreHistory.parse(query));
    return respondWithJson(c, form2ScoreHistory.render(scores, query), 200);
  });

  api.openapi(form1.getScores, async (c) => {
    const scores = await readScores(deps, c.var.caller, c.req.valid('param').user_id, form1Scores.parse({}));
    return respondWithJson(c, form1Scores.render(scores, {}), 200);
  });

  api.openapi(form1.getScoreHistory, async (c) => {
    const query = c.req.valid('query');
    const scores = await readScores(deps, c.var.caller, c.req.valid('param').user_id, form1ScoreHistory.parse(query));
    return respondWithJson(c, form1ScoreHistory.render(scores, query), 200);
  });

  return api;
}

export const handler = onHttp(scoresApi);
