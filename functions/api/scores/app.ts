import { type Api, newApi } from '../../../shared/http/api.ts';
import { jsonAnswer } from '../../../shared/http/json-answer.ts';
import { form1ScoreHistory, form1Scores } from '../../../shared/reads/scores/form-1.ts';
import { form2ScoreHistory, form2Scores } from '../../../shared/reads/scores/form-2.ts';
import { readScores } from '../../../shared/reads/scores/read-scores.ts';
import type { Deps } from '../../../shared/system/deps.ts';
import { onHttp } from '../../runtime/on-http.ts';
import * as form1 from './form-1-routes.ts';
import * as routes from './routes.ts';

export function scoresApi(deps: Deps): Api {
  const api = newApi(deps);

  api.openapi(routes.getScores, async (c) => {
    const query = c.req.valid('query');
    const scores = await readScores(deps, c.var.caller, c.req.valid('param').id, form2Scores.asked(query));
    return jsonAnswer(c, form2Scores.present(scores, query), 200);
  });

  api.openapi(routes.getScoreHistory, async (c) => {
    const query = c.req.valid('query');
    const scores = await readScores(deps, c.var.caller, c.req.valid('param').id, form2ScoreHistory.asked(query));
    return jsonAnswer(c, form2ScoreHistory.present(scores, query), 200);
  });

  api.openapi(form1.getScores, async (c) => {
    const scores = await readScores(deps, c.var.caller, c.req.valid('param').user_id, form1Scores.asked({}));
    return jsonAnswer(c, form1Scores.present(scores, {}), 200);
  });

  api.openapi(form1.getScoreHistory, async (c) => {
    const query = c.req.valid('query');
    const scores = await readScores(deps, c.var.caller, c.req.valid('param').user_id, form1ScoreHistory.asked(query));
    return jsonAnswer(c, form1ScoreHistory.present(scores, query), 200);
  });

  return api;
}

export const handler = onHttp(scoresApi);
